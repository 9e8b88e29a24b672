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
  pushConstant,
  COUNT_ONES,
  DOT_SHORTS,
  FLOOR,
  getLocal,
  GREATER,
  HIGH_BYTES,
  I32,
  isZero,
  laneInstruction,
  LARGER,
  loadVector,
  loadInteger,
  loadSplat,
  LOW_BYTES,
  multiply,
  MULTIPLY,
  or,
  setLocal,
  SHORTS_OF_INTEGERS,
  storeVector,
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
    ...getLocal(0),
    ...loadInteger(),
    ...setLocal(4),
    ...getLocal(2),
    ...setLocal(5),
    ...zeroVector(),
    ...setLocal(7),
    ...zeroVector(),
    ...setLocal(8),
    ...loopUntil(5, 3, [
      ...getLocal(4),
      ...loadVector(),
      ...setLocal(6),
      ...getLocal(7),
      ...getLocal(6),
      ...laneInstruction(LOW_BYTES),
      ...getLocal(5),
      ...loadVector(),
      ...laneInstruction(DOT_SHORTS),
      ...laneInstruction(ADD_INTEGERS),
      ...setLocal(7),
      ...getLocal(8),
      ...getLocal(6),
      ...laneInstruction(HIGH_BYTES),
      ...getLocal(5),
      ...loadVector(16),
      ...laneInstruction(DOT_SHORTS),
      ...laneInstruction(ADD_INTEGERS),
      ...setLocal(8),
      ...advance(4, 16),
      ...advance(5, 32),
    ]),
    ...getLocal(7),
    ...getLocal(8),
    ...laneInstruction(ADD_INTEGERS),
    ...setLocal(7),
    ...getLocal(0),
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
    ...getLocal(2),
    ...loadVector(),
    ...setLocal(7),
    ...loopUntil(0, 1, [
      ...getLocal(0),
      ...loadVector(),
      ...getLocal(7),
      ...laneInstruction(XOR),
      ...laneInstruction(COUNT_ONES),
      ...laneInstruction(ADD_PAIRS_OF_BYTES),
      ...laneInstruction(ADD_PAIRS_OF_SHORTS),
      ...setLocal(8),
      ...addLanes(8),
      ...getLocal(3),
      ...loadInteger(),
      ...isZero,
      ...pushConstant(ABSENT_DISTANCE),
      ...multiply,
      ...or,
      ...setLocal(6),
      ...getLocal(4),
      ...getLocal(6),
      ...storeByte(),
      ...getLocal(6),
      ...pushConstant(4),
      ...multiply,
      ...getLocal(5),
      ...add,
      ...setLocal(6),
      ...getLocal(6),
      ...getLocal(6),
      ...loadInteger(),
      ...pushConstant(1),
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
      ...getLocal(3),
      ...getLocal(0),
      ...loadVector(),
      ...laneInstruction(ABSOLUTE),
      ...laneInstruction(LARGER),
      ...setLocal(3),
      ...advance(0, 16),
    ]),
    ...getLocal(2),
    ...getLocal(3),
    ...storeVector(),
  ],
};

/** Narrows sixteen floats at local 0 to bytes. `four` converts four of them at an offset. */
const narrow = (four: (offset: number) => number[]): number[] => [
  ...four(0),
  ...four(16),
  ...laneInstruction(SHORTS_OF_INTEGERS),
  ...four(32),
  ...four(48),
  ...laneInstruction(SHORTS_OF_INTEGERS),
  ...laneInstruction(BYTES_OF_SHORTS),
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
    ...getLocal(2),
    ...loadSplat(),
    ...setLocal(5),
    ...getLocal(2),
    ...loadSplat(4),
    ...setLocal(6),
    ...loopUntil(0, 1, [
      ...narrow((offset) => [
        ...getLocal(0),
        ...loadVector(offset),
        ...getLocal(5),
        ...laneInstruction(MULTIPLY),
        ...getLocal(6),
        ...laneInstruction(ADD),
        ...laneInstruction(FLOOR),
        ...laneInstruction(TRUNCATED),
      ]),
      ...setLocal(8),
      ...getLocal(3),
      ...getLocal(8),
      ...storeVector(),
      ...getLocal(8),
      ...laneInstruction(LOW_BYTES),
      ...setLocal(9),
      ...getLocal(7),
      ...getLocal(9),
      ...getLocal(9),
      ...laneInstruction(DOT_SHORTS),
      ...laneInstruction(ADD_INTEGERS),
      ...setLocal(7),
      ...getLocal(8),
      ...laneInstruction(HIGH_BYTES),
      ...setLocal(9),
      ...getLocal(7),
      ...getLocal(9),
      ...getLocal(9),
      ...laneInstruction(DOT_SHORTS),
      ...laneInstruction(ADD_INTEGERS),
      ...setLocal(7),
      ...advance(0, 64),
      ...advance(3, 16),
    ]),
    ...getLocal(4),
    ...getLocal(7),
    ...storeVector(),
  ],
};

/** Local variables: 0 position, 1 end, 2 out, 3 zeroes. */
const signsOf: LaneFunction = {
  name: 'signsOf',
  parameters: [I32, I32, I32],
  locals: [[1, V128]],
  code: loopUntil(0, 1, [
    ...getLocal(2),
    ...narrow((offset) => [...getLocal(0), ...loadVector(offset), ...getLocal(3), ...laneInstruction(GREATER)]),
    ...laneInstruction(TOP_BITS),
    ...storeShort(),
    ...advance(0, 64),
    ...advance(2, 2),
  ]),
};

/** The functions of `NearKernels` in the order in which they are assembled. */
export const nearKernels: readonly LaneFunction[] = [dotProducts, distances, largest, bytesOf, signsOf];
