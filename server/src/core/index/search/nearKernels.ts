// The inner loops of the vector search as WebAssembly instructions that process 16 bytes at a time. The loops are short
// enough that the processor prefetches the next rows.

import {
  ABSOLUTE,
  add,
  ADD,
  ADD_INTEGERS,
  ADD_PAIRS_OF_BYTES,
  ADD_PAIRS_OF_SHORTS,
  addLanes,
  advance,
  BYTES_OF_SHORTS,
  constant,
  COUNT_ONES,
  DOT_SHORTS,
  FLOOR,
  get,
  GREATER,
  HIGH_BYTES,
  I32,
  isZero,
  lanes,
  LARGER,
  load,
  loadInteger,
  loadSplat,
  LOW_BYTES,
  multiply,
  MULTIPLY,
  or,
  set,
  SHORTS_OF_INTEGERS,
  store,
  storeByte,
  storeInteger,
  storeShort,
  TOP_BITS,
  TRUNCATED,
  loopUntil,
  V128,
  XOR,
  zeroVector,
  type LaneFunction,
} from '../../../util/webAssembly.ts';

/** The assembled functions. All addresses and lengths are in bytes of the module's memory. */
export interface NearKernels {
  /**
   * Replaces each 32-bit address from `list` to `end` by the dot product of the row at that address (bytes) with the
   * query (shorts; its length is a multiple of 32).
   */
  dots(list: number, end: number, query: number, queryEnd: number): void;
  /**
   * For each group of 128 bits from `signs` to `end`, writes the number of bits that differ from the query's as a byte
   * to `out`; 255 if the 32-bit scale is zero. Adds the number of occurrences of each distance at `counts`.
   */
  distances(signs: number, end: number, query: number, scales: number, out: number, counts: number): void;
  /**
   * Writes four numbers to `out`, the largest of which is the largest absolute value of the floats from `from` to `end`
   * (a multiple of 16 bytes).
   */
  largest(from: number, end: number, out: number): void;
  /**
   * Multiplies the floats from `from` to `end` (a multiple of 64 bytes) by a factor, rounds half up, and writes bytes
   * to `values`. Writes four numbers to `squares` whose sum is the sum of the squared bytes. The memory at `factor`
   * contains the factor and one half.
   */
  bytesOf(from: number, end: number, factor: number, values: number, squares: number): void;
  /** Writes one bit for each float from `from` to `end` (a multiple of 64 bytes) to `out`: 1 if it is above zero. */
  signsOf(from: number, end: number, out: number): void;
}

/** The distance of a row without a vector: a byte with all bits set. */
const ABSENT_DISTANCE = 255;

/**
 * Local variables: 0 list, 1 end of the list, 2 query, 3 end of the query, 4 row, 5 position in the query, 6 sixteen
 * bytes, 7 and 8 sums.
 */
const dotProducts: LaneFunction = {
  name: 'dots',
  parameters: [I32, I32, I32, I32],
  locals: [
    [2, I32],
    [3, V128],
  ],
  code: loopUntil(0, 1, [
    ...get(0),
    ...loadInteger(),
    ...set(4),
    ...get(2),
    ...set(5),
    ...zeroVector(),
    ...set(7),
    ...zeroVector(),
    ...set(8),
    ...loopUntil(5, 3, [
      ...get(4),
      ...load(),
      ...set(6),
      ...get(7),
      ...get(6),
      ...lanes(LOW_BYTES),
      ...get(5),
      ...load(),
      ...lanes(DOT_SHORTS),
      ...lanes(ADD_INTEGERS),
      ...set(7),
      ...get(8),
      ...get(6),
      ...lanes(HIGH_BYTES),
      ...get(5),
      ...load(16),
      ...lanes(DOT_SHORTS),
      ...lanes(ADD_INTEGERS),
      ...set(8),
      ...advance(4, 16),
      ...advance(5, 32),
    ]),
    ...get(7),
    ...get(8),
    ...lanes(ADD_INTEGERS),
    ...set(7),
    ...get(0),
    ...addLanes(7),
    ...storeInteger(),
    ...advance(0, 4),
  ]),
};

/**
 * Local variables: 0 signs, 1 end of the signs, 2 query, 3 scales, 4 out, 5 counts, 6 a distance, then the address of
 * its count, 7 signs of the query, 8 bits.
 */
const distances: LaneFunction = {
  name: 'distances',
  parameters: [I32, I32, I32, I32, I32, I32],
  locals: [
    [1, I32],
    [2, V128],
  ],
  code: [
    ...get(2),
    ...load(),
    ...set(7),
    ...loopUntil(0, 1, [
      ...get(0),
      ...load(),
      ...get(7),
      ...lanes(XOR),
      ...lanes(COUNT_ONES),
      ...lanes(ADD_PAIRS_OF_BYTES),
      ...lanes(ADD_PAIRS_OF_SHORTS),
      ...set(8),
      ...addLanes(8),
      ...get(3),
      ...loadInteger(),
      ...isZero,
      ...constant(ABSENT_DISTANCE),
      ...multiply,
      ...or,
      ...set(6),
      ...get(4),
      ...get(6),
      ...storeByte(),
      ...get(6),
      ...constant(4),
      ...multiply,
      ...get(5),
      ...add,
      ...set(6),
      ...get(6),
      ...get(6),
      ...loadInteger(),
      ...constant(1),
      ...add,
      ...storeInteger(),
      ...advance(0, 16),
      ...advance(3, 4),
      ...advance(4, 1),
    ]),
  ],
};

/** Local variables: 0 position, 1 end, 2 out, 3 largest. */
const largest: LaneFunction = {
  name: 'largest',
  parameters: [I32, I32, I32],
  locals: [[1, V128]],
  code: [
    ...loopUntil(0, 1, [
      ...get(3),
      ...get(0),
      ...load(),
      ...lanes(ABSOLUTE),
      ...lanes(LARGER),
      ...set(3),
      ...advance(0, 16),
    ]),
    ...get(2),
    ...get(3),
    ...store(),
  ],
};

/** Narrows sixteen floats at local 0 to bytes. `four` converts four of them at an offset. */
const narrow = (four: (offset: number) => number[]): number[] => [
  ...four(0),
  ...four(16),
  ...lanes(SHORTS_OF_INTEGERS),
  ...four(32),
  ...four(48),
  ...lanes(SHORTS_OF_INTEGERS),
  ...lanes(BYTES_OF_SHORTS),
];

/**
 * Local variables: 0 position, 1 end, 2 factor, 3 values, 4 squares, 5 factor in all lanes, 6 halves, 7 sum, 8 sixteen
 * bytes, 9 shorts.
 */
const bytesOf: LaneFunction = {
  name: 'bytesOf',
  parameters: [I32, I32, I32, I32, I32],
  locals: [[5, V128]],
  code: [
    ...get(2),
    ...loadSplat(),
    ...set(5),
    ...get(2),
    ...loadSplat(4),
    ...set(6),
    ...loopUntil(0, 1, [
      ...narrow((offset) => [
        ...get(0),
        ...load(offset),
        ...get(5),
        ...lanes(MULTIPLY),
        ...get(6),
        ...lanes(ADD),
        ...lanes(FLOOR),
        ...lanes(TRUNCATED),
      ]),
      ...set(8),
      ...get(3),
      ...get(8),
      ...store(),
      ...get(8),
      ...lanes(LOW_BYTES),
      ...set(9),
      ...get(7),
      ...get(9),
      ...get(9),
      ...lanes(DOT_SHORTS),
      ...lanes(ADD_INTEGERS),
      ...set(7),
      ...get(8),
      ...lanes(HIGH_BYTES),
      ...set(9),
      ...get(7),
      ...get(9),
      ...get(9),
      ...lanes(DOT_SHORTS),
      ...lanes(ADD_INTEGERS),
      ...set(7),
      ...advance(0, 64),
      ...advance(3, 16),
    ]),
    ...get(4),
    ...get(7),
    ...store(),
  ],
};

/** Local variables: 0 position, 1 end, 2 out, 3 zeroes. */
const signsOf: LaneFunction = {
  name: 'signsOf',
  parameters: [I32, I32, I32],
  locals: [[1, V128]],
  code: loopUntil(0, 1, [
    ...get(2),
    ...narrow((offset) => [...get(0), ...load(offset), ...get(3), ...lanes(GREATER)]),
    ...lanes(TOP_BITS),
    ...storeShort(),
    ...advance(0, 64),
    ...advance(2, 2),
  ]),
};

/** The functions of `NearKernels` in the order in which they are assembled. */
export const nearKernels: readonly LaneFunction[] = [dotProducts, distances, largest, bytesOf, signsOf];
