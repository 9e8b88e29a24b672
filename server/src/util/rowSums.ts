// Weighted sums of rows of bytes, sixteen at a time: what vectors of texts cost.

import { add, ADD, advance, assemble, F32, get, HIGH_BYTES, HIGH_SHORTS, I32, lanes, load, LOW_BYTES, LOW_SHORTS, MULTIPLY, set, SPLAT, store, TO_FLOAT, until, V128, type LaneFunction } from './webAssembly.ts';

export interface RowSums {
  /** All rows, one after the other; to be filled by the owner. */
  readonly rows: Int8Array;
  /** A new vector: the sum of weights[i] × row numbers[i] × its scale for the first `count`. */
  sum(numbers: ArrayLike<number>, weights: ArrayLike<number>, count: number): Float32Array;
}

const BYTES_AT_ONCE = 16;

/** One scale a row. Where `dimensions` are no multiple of 16, the sum runs into the next row and what is too much is cut off. */
export function createRowSums(scales: Float32Array, dimensions: number): RowSums {
  const padded = Math.ceil(dimensions / BYTES_AT_ONCE) * BYTES_AT_ONCE;
  const rowsAt = padded * 4;
  const { memory, addRow } = assemble<{ addRow(target: number, row: number, end: number, factor: number): void }>([addRowCode], rowsAt + scales.length * dimensions + BYTES_AT_ONCE);
  const target = new Float32Array(memory.buffer, 0, padded);
  return {
    rows: new Int8Array(memory.buffer, rowsAt, scales.length * dimensions),
    sum(numbers, weights, count) {
      target.fill(0);
      for (let index = 0; index < count; index++) addRow(0, rowsAt + numbers[index]! * dimensions, padded * 4, weights[index]! * scales[numbers[index]!]!);
      return target.slice(0, dimensions);
    },
  };
}

/** Four floats of a group of bytes that is on the stack as 32-bit numbers. */
const group = (bytes: number, shorts: number, offset: number): number[] => [
  ...get(0),
  ...get(0), ...load(offset),
  ...get(4), ...lanes(bytes), ...lanes(shorts), ...lanes(TO_FLOAT), ...get(5), ...lanes(MULTIPLY), ...lanes(ADD),
  ...store(offset),
];

/** Locals: 0 target, 1 row, 2 end of the target, 3 factor, 4 bytes, 5 factor in all lanes. */
const addRowCode: LaneFunction = {
  name: 'addRow',
  parameters: [I32, I32, I32, F32],
  locals: [[2, V128]],
  code: [
    ...get(3), ...lanes(SPLAT), ...set(5),
    ...get(0), ...get(2), ...add, ...set(2),
    ...until(0, 2, [
      ...get(1), ...load(), ...set(4),
      ...group(LOW_BYTES, LOW_SHORTS, 0),
      ...group(LOW_BYTES, HIGH_SHORTS, 16),
      ...group(HIGH_BYTES, LOW_SHORTS, 32),
      ...group(HIGH_BYTES, HIGH_SHORTS, 48),
      ...advance(0, 64), ...advance(1, BYTES_AT_ONCE),
    ]),
  ],
};
