// Pseudo-random numbers that are the same on every run.

/** FNV-1a over the text with a final mix (Murmur3): 32 bits, unsigned. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** 0 ≤ x < 1, by text alone. */
export function unitOf(text: string): number {
  return hashOf(text) / 2 ** 32;
}

/** The items in an order that depends on the seed and their keys alone. */
export function shuffled<T>(items: readonly T[], seed: number, keyOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .map((entry) => ({ ...entry, place: hashOf(`${seed}/${entry.key}`) }))
    .sort((a, b) => a.place - b.place || (a.key < b.key ? -1 : 1))
    .map(({ item }) => item);
}
