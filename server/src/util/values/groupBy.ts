// Groups values by a key.

/** The values of each key as one group. Groups, and the values in them, are in the order in which they first appear. */
export function groupBy<T>(values: readonly T[], keyOf: (value: T) => string | number): readonly (readonly T[])[] {
  const groups = new Map<string | number, T[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group) group.push(value);
    else groups.set(keyOf(value), [value]);
  }
  return [...groups.values()];
}
