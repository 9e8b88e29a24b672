// Converts values to canonical JSON, the text that is hashed: equal values have equal texts.

/**
 * JSON without spaces and with the keys of every object in a fixed order: first keys that are whole numbers, by value,
 * then all other keys by their UTF-16 units. The value is converted as by `JSON.stringify`; a value that has no JSON
 * becomes `null`.
 */
export function canonicalJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text === undefined ? 'null' : JSON.stringify(sortKeys(JSON.parse(text)));
}

/** A copy of the value whose objects, at every depth, have sorted keys. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  // The object has no prototype, so that a key named __proto__ stays an ordinary key.
  const result: Record<string, unknown> = Object.create(null);
  for (const [key, entry] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) result[key] = sortKeys(entry);
  return result;
}
