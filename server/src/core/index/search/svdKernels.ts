// The inner loops of the singular value decomposition, four numbers at a time.

import { ADD, ADD_DOUBLES, add, advance, constant, get, I32, lanes, load, loadFloat, loadInteger, loadPair, MULTIPLY, MULTIPLY_DOUBLES, PAIR_TO_DOUBLES, promote, set, SPLAT, SPLAT_DOUBLE, store, until, V128, type LaneFunction } from '../../../util/webAssembly.ts';

/**
 * Addresses are in bytes of the shared memory, and rows multiples of 16 bytes long. An entry is the 32-bit address of a row and the
 * float that it is multiplied by; there is at least one.
 */
export interface SvdKernels {
  /** Adds the rows of the entries, each times its float, to the row at `target`. */
  gather(target: number, targetEnd: number, entries: number, entriesEnd: number): void;
  /** Adds the row at `source` to the rows of the entries, each time times the entry's float. */
  scatter(source: number, sourceEnd: number, entries: number, entriesEnd: number): void;
  /** Adds the row at `source` times a matrix to the row at `target`; the matrix has a row for each number of the source, as long as the target. */
  turn(target: number, targetEnd: number, source: number, sourceEnd: number, matrix: number): void;
  /**
   * Adds the products of each two numbers of a row, over all rows, to a matrix of doubles with lines of `stride` bytes: its lower
   * triangle alone is right.
   */
  gram(rows: number, rowsEnd: number, rowBytes: number, product: number, stride: number): void;
}

/** Of row `to` += row `from` × the factor in all lanes; both go on by 16 bytes. */
const addScaled = (to: number, from: number, factor: number): number[] => [
  ...get(to),
  ...get(to), ...load(), ...get(from), ...load(), ...get(factor), ...lanes(MULTIPLY), ...lanes(ADD),
  ...store(),
  ...advance(to, 16), ...advance(from, 16),
];

/** Locals: 0 and 1 the one row and its end, 2 entry, 3 end of the entries, 4 the entry's row, 5 at in the one row, 6 factor. */
const overEntries = (name: string, step: readonly number[]): LaneFunction => ({
  name,
  parameters: [I32, I32, I32, I32],
  locals: [[2, I32], [1, V128]],
  code: until(2, 3, [
    ...get(2), ...loadInteger(), ...set(4), ...get(2), ...loadFloat(4), ...lanes(SPLAT), ...set(6), ...get(0), ...set(5),
    ...until(5, 1, step),
    ...advance(2, 8),
  ]),
});

/** Locals: 0 target, 1 its end, 2 source, 3 its end, 4 matrix, 5 at in the target, 6 factor. */
const turn: LaneFunction = {
  name: 'turn',
  parameters: [I32, I32, I32, I32, I32],
  locals: [[1, I32], [1, V128]],
  code: until(2, 3, [
    ...get(2), ...loadFloat(), ...lanes(SPLAT), ...set(6), ...get(0), ...set(5),
    ...until(5, 1, addScaled(5, 4, 6)),
    ...advance(2, 4),
  ]),
};

/** Locals: 0 row, 1 end of the rows, 2 bytes of a row, 3 product, 4 stride, 5 at in the row, 6 end of the row, 7 line of the product, 8 at in the line, 9 second number, 10 its end, 11 first number. */
const gram: LaneFunction = {
  name: 'gram',
  parameters: [I32, I32, I32, I32, I32],
  locals: [[6, I32], [1, V128]],
  code: until(0, 1, [
    ...get(0), ...set(5), ...get(0), ...get(2), ...add, ...set(6), ...get(3), ...set(7),
    ...until(5, 6, [
      ...get(5), ...loadFloat(), ...promote, ...lanes(SPLAT_DOUBLE), ...set(11),
      ...get(0), ...set(9), ...get(7), ...set(8), ...get(5), ...constant(4), ...add, ...set(10),
      ...until(9, 10, [
        ...get(8),
        ...get(8), ...load(), ...get(9), ...loadPair(), ...lanes(PAIR_TO_DOUBLES), ...get(11), ...lanes(MULTIPLY_DOUBLES), ...lanes(ADD_DOUBLES),
        ...store(),
        ...advance(8, 16), ...advance(9, 8),
      ]),
      ...advance(5, 4), ...get(7), ...get(4), ...add, ...set(7),
    ]),
    ...get(0), ...get(2), ...add, ...set(0),
  ]),
};

export const svdKernels: readonly LaneFunction[] = [overEntries('gather', addScaled(5, 4, 6)), overEntries('scatter', addScaled(4, 5, 6)), turn, gram];
