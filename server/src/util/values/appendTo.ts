// Collects values by key.

/** Adds the value to the list of its key; starts the list if there is none. */
export function appendTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
