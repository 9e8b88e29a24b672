// Implements an open-addressed hash table in one array of numbers, keyed by two hashes of 32 bits.

/**
 * A table. Each slot has four adjacent numbers, which the processor fetches together: the two hashes, then two values
 * that belong to the key. The first value is 0 in a free slot, and never 0 in a used one. Only hashes are compared, not
 * the keys: if the hashes are evenly distributed, the probability of a collision among a million keys is one in 37
 * million.
 */
export type Slots = Int32Array<ArrayBuffer>;

const SLOT_BITS = 2;
/** Number of numbers in a slot. */
export const SLOT_SIZE = 1 << SLOT_BITS;

/** Creates an empty table. `count`: the number of slots, a power of two. */
export function createSlots(count: number): Slots {
  return new Int32Array(count * SLOT_SIZE);
}

/** The index of the first number of the key's slot, or of a free slot for the key. At least one slot must be free. */
export function findSlot(slots: Slots, firstHash: number, secondHash: number): number {
  const mask = slots.length - SLOT_SIZE;
  let mixedHash = (firstHash + (firstHash << 3)) | 0;
  mixedHash ^= mixedHash >>> 11;
  let slot = ((mixedHash + (mixedHash << 15)) << SLOT_BITS) & mask;
  while (slots[slot + 2] !== 0 && (slots[slot] !== firstHash || slots[slot + 1] !== secondHash))
    slot = (slot + SLOT_SIZE) & mask;
  return slot;
}

/** Copies the used slots into a new table with twice as many slots, and returns it. */
export function doubleSlots(slots: Slots): Slots {
  const largerSlots: Slots = new Int32Array(slots.length * 2);
  for (let oldSlot = 0; oldSlot < slots.length; oldSlot += SLOT_SIZE) {
    if (slots[oldSlot + 2] !== 0)
      largerSlots.set(
        slots.subarray(oldSlot, oldSlot + SLOT_SIZE),
        findSlot(largerSlots, slots[oldSlot]!, slots[oldSlot + 1]!),
      );
  }
  return largerSlots;
}
