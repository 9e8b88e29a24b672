// Makes pseudo-random choices that are the same in every run.

/** A 32-bit hash of the text: FNV-1a with the final mix of Murmur3. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A number from 0 (included) to 1 (excluded) that depends only on the text. */
export function hashToUnit(text: string): number {
  return hashText(text) / 2 ** 32;
}

/** The items in an order that depends only on the seed and on their keys. */
export function shuffle<T>(items: readonly T[], seed: number, keyOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .map((entry) => ({ ...entry, place: hashText(`${seed}/${entry.key}`) }))
    .sort((a, b) => a.place - b.place || (a.key < b.key ? -1 : 1))
    .map(({ item }) => item);
}
