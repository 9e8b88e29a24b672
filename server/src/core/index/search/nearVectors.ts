// Stores vectors of chunks, one byte per dimension; computes their similarity to a query, and finds the nearest
// vectors without comparing all of them exactly.

import { assembleModule, PAGE_BYTES } from '../../../util/webAssembly.ts';
import { nearKernels, type NearKernels } from './nearKernels.ts';
import { findNthLargest } from './nthLargest.ts';

/** Number of approximate candidates whose similarity is computed exactly; the others differ in more signs. */
const EXACT_CANDIDATE_COUNT = 400;
/** Number of dimensions whose signs are compared; more would cost time and find little more. */
const SIGN_COUNT = 128;
/** Number of bytes for the signs of one vector. */
const SIGN_BYTES = SIGN_COUNT / 8;
/** Number of possible distances, because a distance is stored in one byte. */
const DISTANCE_COUNT = 256;
/**
 * Vectors are stored in blocks of 2^BLOCK_BITS: first their values, then their signs, their scales, and their
 * distances from the query.
 */
const BLOCK_BITS = 10;
/** Number of vectors in a block. */
const BLOCK_SIZE = 1 << BLOCK_BITS;
/** Number of similarities that are computed at once. */
const LIST_LENGTH = 1_024;
/** Number of values of a row that are multiplied at once. Rows are padded to a multiple of it. */
const VALUES_AT_ONCE = 16;
const MAX_BYTE = 127;
const MAX_SHORT = 32_767;
/** The largest sum of products: the inner loops compute in signed 32-bit integers. */
const MAX_SUM = 2 ** 31 - 1;

/** A set of vectors by slot. */
export interface NearVectors {
  readonly dimensions: number;
  /** Stores a vector of any length. Null or a zero vector means no vector. */
  set(slot: number, vector: Float32Array | null): void;
  /** Copies a vector from another set with the same dimensions. */
  copy(from: NearVectors, fromSlot: number, slot: number): void;
  /** The bytes of the vector of a slot; null if it has none. Valid until the next `set`. */
  bytesOf(slot: number): Int8Array | null;
  /** The vectors of these slots, one after the other, in the format for `load`. */
  dump(slots: Uint32Array): Uint8Array;
  /** Fills an empty set from slot 0 on. Returns false if the bytes do not contain `count` vectors. */
  load(count: number, bytes: Uint8Array): boolean;
  /**
   * For each slot, the cosine similarity to the query's vector (of length 1): 0 if the slot has no vector or the cosine
   * is negative.
   */
  similarities(query: Float32Array, slots: Uint32Array): Float64Array;
  /** Slots of the most similar vectors, ties included. Vectors with a similarity below `minSimilarity` are skipped. */
  nearest(query: Float32Array, limit: number, minSimilarity: number): number[];
}

/** Creates an empty set of vectors with this number of dimensions. */
export function createNearVectors(dimensions: number): NearVectors {
  const width = Math.ceil(dimensions / VALUES_AT_ONCE) * VALUES_AT_ONCE;
  // The memory before the blocks: the query as shorts, its signs, the number of occurrences of each distance, the list
  // for the inner loops, a vector as floats, and intermediate numbers.
  const signsOffset = width * 2;
  const countsOffset = signsOffset + SIGN_BYTES;
  const listOffset = countsOffset + DISTANCE_COUNT * 4;
  const vectorOffset = listOffset + LIST_LENGTH * 4;
  const largestOffset = vectorOffset + Math.max(width, SIGN_COUNT) * 4;
  const factorOffset = largestOffset + 16;
  const squaresOffset = factorOffset + 16;
  const blocksOffset = squaresOffset + 16;
  const blockBytes = BLOCK_SIZE * (width + SIGN_BYTES + 4 + 1);
  const { memory, dots, distances, largest, bytesOf, signsOf } = assembleModule<NearKernels>(nearKernels, blocksOffset);
  let blockCount = 0;
  let bytes = new Int8Array(memory.buffer);
  let integers = new Int32Array(memory.buffer);
  let floats = new Float32Array(memory.buffer);

  const growTo = (slot: number): void => {
    blockCount = (slot >>> BLOCK_BITS) + 1;
    const missingBytes = blocksOffset + blockCount * blockBytes - bytes.length;
    if (missingBytes <= 0) return;
    memory.grow(Math.ceil(missingBytes / PAGE_BYTES));
    bytes = new Int8Array(memory.buffer);
    integers = new Int32Array(memory.buffer);
    floats = new Float32Array(memory.buffer);
  };
  const blockOffsetOf = (slot: number): number => blocksOffset + (slot >>> BLOCK_BITS) * blockBytes;
  const valuesOffsetOf = (slot: number): number => blockOffsetOf(slot) + (slot & (BLOCK_SIZE - 1)) * width;
  const signsOffsetOf = (slot: number): number =>
    blockOffsetOf(slot) + BLOCK_SIZE * width + (slot & (BLOCK_SIZE - 1)) * SIGN_BYTES;
  /** Index into `floats` of 1 / length of the byte vector; the value 0 means no vector. */
  const scaleIndexOf = (slot: number): number =>
    (blockOffsetOf(slot) + BLOCK_SIZE * (width + SIGN_BYTES)) / 4 + (slot & (BLOCK_SIZE - 1));
  /** Address of the distances of the block of this slot. */
  const distancesOffsetOf = (slot: number): number => blockOffsetOf(slot) + BLOCK_SIZE * (width + SIGN_BYTES + 4);
  const has = (slot: number): boolean => slot >>> BLOCK_BITS < blockCount && floats[scaleIndexOf(slot)] !== 0;

  const set = (slot: number, vector: Float32Array | null): void => {
    if (slot >>> BLOCK_BITS >= blockCount) {
      if (!vector) return;
      growTo(slot);
    }
    floats[scaleIndexOf(slot)] = 0;
    if (!vector) return;
    floats.set(vector, vectorOffset / 4);
    largest(vectorOffset, vectorOffset + width * 4, largestOffset);
    const size = Math.max(
      floats[largestOffset / 4]!,
      floats[largestOffset / 4 + 1]!,
      floats[largestOffset / 4 + 2]!,
      floats[largestOffset / 4 + 3]!,
    );
    if (!(size > 0)) return;
    floats[factorOffset / 4] = MAX_BYTE / size;
    floats[factorOffset / 4 + 1] = 0.5;
    bytesOf(vectorOffset, vectorOffset + width * 4, factorOffset, valuesOffsetOf(slot), squaresOffset);
    signsOf(vectorOffset, vectorOffset + SIGN_COUNT * 4, signsOffsetOf(slot));
    floats[scaleIndexOf(slot)] =
      1 /
      Math.sqrt(
        integers[squaresOffset / 4]! +
          integers[squaresOffset / 4 + 1]! +
          integers[squaresOffset / 4 + 2]! +
          integers[squaresOffset / 4 + 3]!,
      );
  };

  /**
   * Writes the query as 16-bit integers, small enough that no sum of products overflows. Returns the value of one unit
   * of these integers.
   */
  const setQuery = (query: Float32Array): number => {
    let largest = Number.MIN_VALUE;
    let sum = Number.MIN_VALUE;
    for (const value of query) {
      largest = Math.max(largest, Math.abs(value));
      sum += Math.abs(value);
    }
    const scale = Math.min(MAX_SHORT / largest, (MAX_SUM / MAX_BYTE - width) / sum);
    const shorts = new Int16Array(memory.buffer, 0, width);
    for (let index = 0; index < dimensions; index++) shorts[index] = Math.round(query[index]! * scale);
    return 1 / scale;
  };
  const computeSimilarities = (query: Float32Array, slots: Uint32Array): Float64Array => {
    const unit = setQuery(query);
    const similarity = new Float64Array(slots.length);
    if (blockCount === 0) return similarity;
    for (let from = 0; from < slots.length; from += LIST_LENGTH) {
      const count = Math.min(LIST_LENGTH, slots.length - from);
      for (let position = 0; position < count; position++)
        integers[listOffset / 4 + position] = has(slots[from + position]!)
          ? valuesOffsetOf(slots[from + position]!)
          : blocksOffset;
      dots(listOffset, listOffset + count * 4, 0, width * 2);
      for (let position = 0; position < count; position++) {
        const slot = slots[from + position]!;
        if (has(slot))
          similarity[from + position] = Math.max(
            0,
            integers[listOffset / 4 + position]! * unit * floats[scaleIndexOf(slot)]!,
          );
      }
    }
    return similarity;
  };

  return {
    dimensions,
    set,
    copy(from, fromSlot, slot) {
      const values = from.bytesOf(fromSlot);
      set(slot, values && Float32Array.from(values));
    },
    bytesOf: (slot) => (has(slot) ? bytes.subarray(valuesOffsetOf(slot), valuesOffsetOf(slot) + dimensions) : null),
    dump(slots) {
      const dumped = new Uint8Array(slots.length * (width + SIGN_BYTES + 4));
      const allBytes = new Uint8Array(memory.buffer);
      slots.forEach((slot, position) => {
        if (!has(slot)) return;
        dumped.set(allBytes.subarray(valuesOffsetOf(slot), valuesOffsetOf(slot) + width), position * width);
        dumped.set(
          allBytes.subarray(signsOffsetOf(slot), signsOffsetOf(slot) + SIGN_BYTES),
          slots.length * width + position * SIGN_BYTES,
        );
        dumped.set(
          allBytes.subarray(scaleIndexOf(slot) * 4, scaleIndexOf(slot) * 4 + 4),
          slots.length * (width + SIGN_BYTES) + position * 4,
        );
      });
      return dumped;
    },
    load(count, dumped) {
      if (dumped.length !== count * (width + SIGN_BYTES + 4)) return false;
      if (count === 0) return true;
      growTo(count - 1);
      const allBytes = new Uint8Array(memory.buffer);
      for (let firstSlot = 0; firstSlot < count; firstSlot += BLOCK_SIZE) {
        const endSlot = Math.min(count, firstSlot + BLOCK_SIZE);
        allBytes.set(dumped.subarray(firstSlot * width, endSlot * width), valuesOffsetOf(firstSlot));
        allBytes.set(
          dumped.subarray(count * width + firstSlot * SIGN_BYTES, count * width + endSlot * SIGN_BYTES),
          signsOffsetOf(firstSlot),
        );
        allBytes.set(
          dumped.subarray(count * (width + SIGN_BYTES) + firstSlot * 4, count * (width + SIGN_BYTES) + endSlot * 4),
          scaleIndexOf(firstSlot) * 4,
        );
      }
      return true;
    },
    similarities: computeSimilarities,
    nearest(query, limit, least) {
      floats.set(query, vectorOffset / 4);
      signsOf(vectorOffset, vectorOffset + SIGN_COUNT * 4, signsOffset);
      // The share of equal signs grows with the cosine: Charikar, "Similarity estimation techniques from rounding
      // algorithms", 2002.
      const distanceCounts = integers.subarray(countsOffset / 4, countsOffset / 4 + DISTANCE_COUNT).fill(0);
      for (let firstSlot = 0; firstSlot < blockCount << BLOCK_BITS; firstSlot += BLOCK_SIZE)
        distances(
          signsOffsetOf(firstSlot),
          signsOffsetOf(firstSlot) + BLOCK_SIZE * SIGN_BYTES,
          signsOffset,
          scaleIndexOf(firstSlot) * 4,
          distancesOffsetOf(firstSlot),
          countsOffset,
        );
      let farthest = 0;
      for (
        let count = distanceCounts[0]!;
        count < EXACT_CANDIDATE_COUNT && farthest < SIGN_COUNT;
        count += distanceCounts[farthest]!
      )
        farthest++;
      const closeSlots: number[] = [];
      for (let firstSlot = 0; firstSlot < blockCount << BLOCK_BITS; firstSlot += BLOCK_SIZE) {
        const from = distancesOffsetOf(firstSlot);
        for (let position = 0; position < BLOCK_SIZE; position++)
          if ((bytes[from + position]! & 0xff) <= farthest) closeSlots.push(firstSlot + position);
      }
      const similarity = computeSimilarities(query, Uint32Array.from(closeSlots));
      const leastSimilarity = Math.max(least, findNthLargest(similarity, limit));
      return closeSlots.filter((_, position) => similarity[position]! >= leastSimilarity);
    },
  };
}
