// Vectors of chunks, a byte per dimension: likeness of one, and the nearest without looking at all of them closely.

/** Rough candidates that are looked at closely; the rest differs in too many signs. */
const CLOSER_LOOKS = 400;
const WORD = 32;
/** Signs of so many dimensions are compared; more cost time and find little more. */
const MOST_WORDS = 4;

export interface NearVectors {
  readonly dimensions: number;
  /** Takes a vector of any length; null or a zero vector = none. */
  set(slot: number, vector: Float32Array | null): void;
  /** Takes over a vector of another set with the same dimensions. */
  copy(from: NearVectors, fromSlot: number, slot: number): void;
  /** The bytes of a vector, or null without one. */
  bytesOf(slot: number): Int8Array | null;
  /** Cosine with the question's vector (of length 1), 0 without a vector. */
  likeness(slot: number, question: Float32Array): number;
  /** The most alike, all of those that are equally alike. */
  nearest(question: Float32Array, limit: number): { readonly slot: number; readonly likeness: number }[];
  readonly bytes: number;
}

export function createNearVectors(dimensions: number): NearVectors {
  const words = Math.min(MOST_WORDS, Math.ceil(dimensions / WORD));
  let room = 256;
  let values = new Int8Array(room * dimensions);
  let signs = new Uint32Array(room * words);
  /** 1 / length of the bytes as a vector; 0 = no vector. */
  let scales = new Float32Array(room);

  let distances = new Uint16Array();

  const grow = (slot: number): void => {
    while (room <= slot) room *= 2;
    const [oldValues, oldSigns, oldScales] = [values, signs, scales];
    values = new Int8Array(room * dimensions);
    values.set(oldValues);
    signs = new Uint32Array(room * words);
    signs.set(oldSigns);
    scales = new Float32Array(room);
    scales.set(oldScales);
  };
  const likeness = (slot: number, question: Float32Array): number => {
    const scale = slot < room ? scales[slot]! : 0;
    if (scale === 0) return 0;
    let sum = 0;
    for (let index = 0, at = slot * dimensions; index < dimensions; index++, at++) sum += question[index]! * values[at]!;
    return sum * scale;
  };

  const set = (slot: number, vector: Float32Array | null): void => {
    if (slot >= room) grow(slot);
    let largest = 0;
    for (let index = 0; vector && index < dimensions; index++) largest = Math.max(largest, Math.abs(vector[index]!));
    scales[slot] = 0;
    if (!vector || largest === 0) return;
    signs.fill(0, slot * words, (slot + 1) * words);
    let square = 0;
    for (let index = 0; index < dimensions; index++) {
      const value = Math.round((vector[index]! / largest) * 127);
      values[slot * dimensions + index] = value;
      square += value * value;
      if (vector[index]! > 0 && index < words * WORD) signs[slot * words + (index >>> 5)]! |= 1 << (index & 31);
    }
    scales[slot] = 1 / Math.sqrt(square);
  };

  return {
    dimensions,
    set,
    copy(from, fromSlot, slot) {
      const bytes = from.bytesOf(fromSlot);
      set(slot, bytes && Float32Array.from(bytes));
    },
    bytesOf: (slot) => (slot < room && scales[slot]! !== 0 ? values.subarray(slot * dimensions, (slot + 1) * dimensions) : null),
    likeness,
    nearest(question, limit) {
      const last = room;
      const wantedSigns = signsOf(question, words);
      // Charikar, "Similarity estimation techniques from rounding algorithms", 2002: the share of equal signs grows with the cosine.
      if (distances.length < last) distances = new Uint16Array(room);
      const having = new Uint32Array(words * WORD + 1);
      for (let slot = 0, at = 0; slot < last; slot++, at += words) {
        if (scales[slot] === 0) continue;
        let distance = 0;
        for (let word = 0; word < words; word++) distance += bits((signs[at + word]! ^ wantedSigns[word]!) | 0);
        distances[slot] = distance;
        having[distance]!++;
      }
      let farthest = 0;
      for (let count = having[0]!; count < CLOSER_LOOKS && farthest < words * WORD; count += having[farthest]!) farthest++;
      const close: { slot: number; likeness: number }[] = [];
      for (let slot = 0; slot < last; slot++) if (distances[slot]! <= farthest && scales[slot] !== 0) close.push({ slot, likeness: likeness(slot, question) });
      close.sort((a, b) => b.likeness - a.likeness);
      const least = close[limit - 1]?.likeness ?? -Infinity;
      return close.filter((entry) => entry.likeness >= least);
    },
    get bytes() {
      return values.byteLength + signs.byteLength + scales.byteLength;
    },
  };
}

function signsOf(vector: Float32Array, words: number): Uint32Array {
  const signs = new Uint32Array(words);
  vector.forEach((value, index) => {
    if (value > 0 && index < words * WORD) signs[index >>> 5]! |= 1 << (index & 31);
  });
  return signs;
}

/** Number of bits set in 32. Warren, "Hacker's Delight", 5-1. */
function bits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
