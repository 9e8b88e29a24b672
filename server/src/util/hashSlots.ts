// An open-addressed table in one array of numbers, keyed by two hashes of 32 bits.

/**
 * Four numbers a slot, side by side, as the processor fetches them together: the two hashes, then what belongs to the
 * key; the third is
 * 0 in a free slot. Hashes are compared, not what was hashed: among a million keys the odds of a mix-up are one to ten
 * million.
 */
export type Slots = Int32Array<ArrayBuffer>;

const SLOT_BITS = 2;
export const SLOT = 1 << SLOT_BITS;

/** `count`: a power of two. */
export function slotsFor(count: number): Slots {
  return new Int32Array(count * SLOT);
}

/** Where the slot of a key begins, or a free one for it. At least one has to be free. */
export function placeOf(slots: Slots, first: number, second: number): number {
  const last = slots.length - SLOT;
  let spread = (first + (first << 3)) | 0;
  spread ^= spread >>> 11;
  let at = ((spread + (spread << 15)) << SLOT_BITS) & last;
  while (slots[at + 2] !== 0 && (slots[at] !== first || slots[at + 1] !== second)) at = (at + SLOT) & last;
  return at;
}

/** The same keys in twice as many slots. */
export function twiceAsMany(slots: Slots): Slots {
  const larger: Slots = new Int32Array(slots.length * 2);
  for (let from = 0; from < slots.length; from += SLOT) {
    if (slots[from + 2] !== 0)
      larger.set(slots.subarray(from, from + SLOT), placeOf(larger, slots[from]!, slots[from + 1]!));
  }
  return larger;
}
