// Computes weighted sums of rows of bytes, sixteen bytes at a time. These sums are most of the cost of text vectors.

import {
  ADD,
  advance,
  assembleModule,
  getLocal,
  HIGH_BYTES,
  HIGH_SHORTS,
  I32,
  laneInstruction,
  loadVector,
  loadFloat,
  loadInteger,
  LOW_BYTES,
  LOW_SHORTS,
  MULTIPLY,
  setLocal,
  SPLAT,
  storeVector,
  TO_FLOAT,
  loopUntil,
  V128,
  type LaneFunction,
} from './webAssembly.ts';

/** Rows of bytes, and their weighted sums. */
export interface RowSums {
  /** All rows, one after the other; the caller fills them. */
  readonly rows: Int8Array;
  /**
   * The sum of the rows with the numbers `numbers[i]`, each multiplied by its scale and by `weights[i]`, for the first
   * `count` items. It is written to `into` or a new vector.
   */
  sum(numbers: ArrayLike<number>, weights: ArrayLike<number>, count: number, into?: Float32Array): Float32Array;
}

/** Number of bytes that are added at a time. */
const BYTES_AT_ONCE = 16;
/**
 * Maximum number of rows that one call of the assembled code adds. The list of the call has an entry for each row: its
 * address and its factor.
 */
const ROWS_PER_CALL = 256;
/** Number of bytes of an entry of that list: an address and a factor. */
const ENTRY_BYTES = 8;

/**
 * Creates rows of `dimensions` bytes, one for each scale. If `dimensions` is not a multiple of 16, the code also reads
 * bytes of the next row, and the excess is cut off.
 */
export function createRowSums(scales: Float32Array, dimensions: number): RowSums {
  const paddedDimensions = Math.ceil(dimensions / BYTES_AT_ONCE) * BYTES_AT_ONCE;
  const listOffset = paddedDimensions * 4;
  const rowsOffset = listOffset + ROWS_PER_CALL * ENTRY_BYTES;
  const { memory, addRows } = assembleModule<{
    addRows(target: number, targetEnd: number, list: number, listEnd: number): void;
  }>(KERNEL_CODE, rowsOffset + scales.length * dimensions + BYTES_AT_ONCE);
  const paddedTarget = new Float32Array(memory.buffer, 0, paddedDimensions);
  const target = paddedTarget.subarray(0, dimensions);
  const addresses = new Int32Array(memory.buffer, listOffset, ROWS_PER_CALL * 2);
  const factors = new Float32Array(memory.buffer, listOffset, ROWS_PER_CALL * 2);
  return {
    rows: new Int8Array(memory.buffer, rowsOffset, scales.length * dimensions),
    sum(numbers, weights, count, into = new Float32Array(dimensions)) {
      paddedTarget.fill(0);
      for (let from = 0; from < count; from += ROWS_PER_CALL) {
        const rowCount = Math.min(ROWS_PER_CALL, count - from);
        for (let index = 0; index < rowCount; index++) {
          const number = numbers[from + index]!;
          addresses[index * 2] = rowsOffset + number * dimensions;
          factors[index * 2 + 1] = weights[from + index]! * scales[number]!;
        }
        addRows(0, paddedDimensions * 4, listOffset, listOffset + rowCount * ENTRY_BYTES);
      }
      into.set(target);
      return into;
    },
  };
}

/**
 * Code that converts four of the loaded bytes to floats, multiplies them by the factor, and adds them to the target.
 * `bytes`, `shorts`: the instructions that select the four bytes.
 */
const addGroup = (bytes: number, shorts: number, offset: number): number[] => [
  ...getLocal(5),
  ...getLocal(5),
  ...loadVector(offset),
  ...getLocal(6),
  ...laneInstruction(bytes),
  ...laneInstruction(shorts),
  ...laneInstruction(TO_FLOAT),
  ...getLocal(7),
  ...laneInstruction(MULTIPLY),
  ...laneInstruction(ADD),
  ...storeVector(offset),
];

/**
 * The code of `addRows`. Local variables: 0 target, 1 end of the target, 2 list, 3 end of the list, 4 row, 5 position
 * in the target, 6 bytes, 7 factor in all lanes.
 */
const ADD_ROWS_CODE: LaneFunction = {
  name: 'addRows',
  parameters: [I32, I32, I32, I32],
  locals: [
    [2, I32],
    [2, V128],
  ],
  code: loopUntil(2, 3, [
    ...getLocal(2),
    ...loadInteger(),
    ...setLocal(4),
    ...getLocal(2),
    ...loadFloat(4),
    ...laneInstruction(SPLAT),
    ...setLocal(7),
    ...getLocal(0),
    ...setLocal(5),
    ...loopUntil(5, 1, [
      ...getLocal(4),
      ...loadVector(),
      ...setLocal(6),
      ...addGroup(LOW_BYTES, LOW_SHORTS, 0),
      ...addGroup(LOW_BYTES, HIGH_SHORTS, 16),
      ...addGroup(HIGH_BYTES, LOW_SHORTS, 32),
      ...addGroup(HIGH_BYTES, HIGH_SHORTS, 48),
      ...advance(5, 64),
      ...advance(4, BYTES_AT_ONCE),
    ]),
    ...advance(2, ENTRY_BYTES),
  ]),
};

const KERNEL_CODE: readonly LaneFunction[] = [ADD_ROWS_CODE];
