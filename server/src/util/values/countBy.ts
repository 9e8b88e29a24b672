// Counts values by a key, and compares lists by how often each key occurs.

/** The number of values with each key. */
export function countBy<T>(values: readonly T[], keyOf: (value: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) {
    const key = keyOf(value);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** How often each text occurs. */
export function countEach(texts: readonly string[]): ReadonlyMap<string, number> {
  return countBy(texts, (text) => text);
}

/**
 * The values without those of another list: each of the other values removes the first one that still has its key.
 * `otherKeyOf`: the keys of the other values, if they differ.
 */
export function subtractByKey<T>(
  values: readonly T[],
  otherValues: readonly T[],
  keyOf: (value: T) => string,
  otherKeyOf = keyOf,
): T[] {
  const remainingCounts = new Map(countBy(otherValues, otherKeyOf));
  return values.filter((value) => {
    const key = keyOf(value);
    const count = remainingCounts.get(key) ?? 0;
    remainingCounts.set(key, count - 1);
    return count <= 0;
  });
}
