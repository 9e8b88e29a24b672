// Collects values by key in a map of lists.

/** Adds the value to the list of its key, or starts that list. */
export function appendTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
