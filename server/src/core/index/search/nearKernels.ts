// The inner loops over vectors of bytes, sixteen dimensions at a time: short enough that the processor fetches the next rows meanwhile.

import { add, ADD_INTEGERS, ADD_PAIRS_OF_BYTES, ADD_PAIRS_OF_SHORTS, addLanes, advance, constant, COUNT_ONES, DOT_SHORTS, get, HIGH_BYTES, I32, isZero, lanes, load, loadInteger, LOW_BYTES, multiply, or, set, storeByte, storeInteger, until, V128, XOR, zeroes, type LaneFunction } from '../../../util/webAssembly.ts';

/** Addresses and lengths are in bytes of the shared memory. */
export interface NearKernels {
  /** Each 32-bit address from `list` to `end` is replaced by the product of the row there (bytes) with the question (shorts; its length a multiple of 32). */
  dots(list: number, end: number, question: number, questionEnd: number): void;
  /**
   * Number of bits in which each group of 128 from `signs` to `end` differs from the question's, as bytes at `out`; 255 where the
   * 32-bit scale is zero. How often each number occurs is added at `counts`.
   */
  distances(signs: number, end: number, question: number, scales: number, out: number, counts: number): void;
}

/** Instead of a distance; all bits of a byte. */
const ABSENT = 255;

/** Locals: 0 list, 1 end, 2 question, 3 its end, 4 row, 5 at in the question, 6 sixteen bytes, 7 and 8 sums. */
const dots: LaneFunction = {
  name: 'dots',
  parameters: [I32, I32, I32, I32],
  locals: [[2, I32], [3, V128]],
  code: until(0, 1, [
    ...get(0), ...loadInteger(), ...set(4), ...get(2), ...set(5), ...zeroes(), ...set(7), ...zeroes(), ...set(8),
    ...until(5, 3, [
      ...get(4), ...load(), ...set(6),
      ...get(7), ...get(6), ...lanes(LOW_BYTES), ...get(5), ...load(), ...lanes(DOT_SHORTS), ...lanes(ADD_INTEGERS), ...set(7),
      ...get(8), ...get(6), ...lanes(HIGH_BYTES), ...get(5), ...load(16), ...lanes(DOT_SHORTS), ...lanes(ADD_INTEGERS), ...set(8),
      ...advance(4, 16), ...advance(5, 32),
    ]),
    ...get(7), ...get(8), ...lanes(ADD_INTEGERS), ...set(7),
    ...get(0), ...addLanes(7), ...storeInteger(),
    ...advance(0, 4),
  ]),
};

/** Locals: 0 signs, 1 end, 2 question, 3 scales, 4 out, 5 counts, 6 a distance, then its count's address, 7 the question's signs, 8 bits. */
const distances: LaneFunction = {
  name: 'distances',
  parameters: [I32, I32, I32, I32, I32, I32],
  locals: [[1, I32], [2, V128]],
  code: [
    ...get(2), ...load(), ...set(7),
    ...until(0, 1, [
      ...get(0), ...load(), ...get(7), ...lanes(XOR), ...lanes(COUNT_ONES), ...lanes(ADD_PAIRS_OF_BYTES), ...lanes(ADD_PAIRS_OF_SHORTS), ...set(8),
      ...addLanes(8), ...get(3), ...loadInteger(), ...isZero, ...constant(ABSENT), ...multiply, ...or, ...set(6),
      ...get(4), ...get(6), ...storeByte(),
      ...get(6), ...constant(4), ...multiply, ...get(5), ...add, ...set(6),
      ...get(6), ...get(6), ...loadInteger(), ...constant(1), ...add, ...storeInteger(),
      ...advance(0, 16), ...advance(3, 4), ...advance(4, 1),
    ]),
  ],
};

export const nearKernels: readonly LaneFunction[] = [dots, distances];
