// Takes an evenly distributed sample of a list.

/** At most `maxItems` of the items, in order, evenly distributed over the list. */
export function sampleEvenly<T>(items: readonly T[], maxItems: number): readonly T[] {
  if (items.length <= maxItems) return items;
  return Array.from({ length: maxItems }, (_, index) => items[Math.floor((index * items.length) / maxItems)]!);
}
