// Converts values to the canonical JSON that is hashed: equal values have equal texts.

/**
 * JSON without spaces and with the keys of every object in a fixed order: first whole numbers by value, then the others
 * by UTF-16 units. Converts the value like `JSON.stringify`.
 */
export function canonicalJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text === undefined ? 'null' : JSON.stringify(sortKeys(JSON.parse(text)));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  // Has no prototype, so that a key named __proto__ stays an ordinary key.
  const result: Record<string, unknown> = Object.create(null);
  for (const [key, entry] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) result[key] = sortKeys(entry);
  return result;
}
