// The inner loops of the singular value decomposition, four numbers at a time.

import {
  ADD,
  ADD_DOUBLES,
  add,
  advance,
  get,
  I32,
  lanes,
  load,
  loadFloat,
  loadInteger,
  loadPair,
  loadSplat,
  MULTIPLY,
  MULTIPLY_DOUBLES,
  PAIR_TO_DOUBLES,
  promote,
  set,
  SPLAT,
  SPLAT_DOUBLE,
  store,
  until,
  V128,
  zeroes,
  type LaneFunction,
} from '../../../util/webAssembly.ts';

/**
 * Addresses are in bytes of the shared memory, and rows multiples of 16 bytes long. An entry is the 32-bit address of a
 * row and the
 * float that it is multiplied by; there is at least one.
 */
export interface SvdKernels {
  /** Adds the rows of the entries, each times its float, to the row at `target`. */
  gather(target: number, targetEnd: number, entries: number, entriesEnd: number): void;
  /** Adds the row at `source` to the rows of the entries, each time times the entry's float. */
  scatter(source: number, sourceEnd: number, entries: number, entriesEnd: number): void;
  /**
   * Eight numbers of each row, `offset` bytes into it, become the products of the row with eight columns of a matrix,
   * whose rows are as
   * long. The matrix begins and ends with these columns: as many of its rows are looked at as there are between. Rows
   * are a multiple of four.
   */
  turn(rows: number, rowsEnd: number, rowBytes: number, matrix: number, matrixEnd: number, offset: number): void;
  /**
   * Adds the products of four numbers of a row, `first` bytes into it, with four that are `second` bytes into it, over
   * all rows, to four
   * doubles of each of four lines of `stride` bytes.
   */
  gram(
    rows: number,
    rowsEnd: number,
    rowBytes: number,
    first: number,
    second: number,
    product: number,
    stride: number,
  ): void;
}

/** Of row `to` += row `from` × the factor in all lanes; both go on by 16 bytes. */
const addScaled = (to: number, from: number, factor: number): number[] => [
  ...get(to),
  ...get(to),
  ...load(),
  ...get(from),
  ...load(),
  ...get(factor),
  ...lanes(MULTIPLY),
  ...lanes(ADD),
  ...store(),
  ...advance(to, 16),
  ...advance(from, 16),
];

/**
 * Locals: 0 and 1 the one row and its end, 2 entry, 3 end of the entries, 4 the entry's row, 5 at in the one row, 6
 * factor.
 */
const overEntries = (name: string, step: readonly number[]): LaneFunction => ({
  name,
  parameters: [I32, I32, I32, I32],
  locals: [
    [2, I32],
    [1, V128],
  ],
  code: until(2, 3, [
    ...get(2),
    ...loadInteger(),
    ...set(4),
    ...get(2),
    ...loadFloat(4),
    ...lanes(SPLAT),
    ...set(6),
    ...get(0),
    ...set(5),
    ...until(5, 1, step),
    ...advance(2, 8),
  ]),
});

const FOUR = [0, 1, 2, 3] as const;
/** Of four rows by eight columns the sums stay in registers: two locals a row. */
const sumOf = (row: number, half: number): number => 14 + row * 2 + half;
const numberOf = (row: number): number => 7 + row;

/**
 * Locals: 0 row, 1 end of the rows, 2 bytes of a row, 3 matrix, 4 its end, 5 offset of the columns, 6 at in the matrix,
 * 7–10 at in each row, 11 and 12 eight numbers of the matrix, 13 one of a row, 14–21 sums.
 */
const turn: LaneFunction = {
  name: 'turn',
  parameters: [I32, I32, I32, I32, I32, I32],
  locals: [
    [5, I32],
    [11, V128],
  ],
  code: until(0, 1, [
    ...get(0),
    ...set(numberOf(0)),
    ...FOUR.slice(1).flatMap((row) => [...get(numberOf(row - 1)), ...get(2), ...add, ...set(numberOf(row))]),
    ...FOUR.flatMap((row) => [...zeroes(), ...set(sumOf(row, 0)), ...zeroes(), ...set(sumOf(row, 1))]),
    ...get(3),
    ...set(6),
    ...until(6, 4, [
      ...get(6),
      ...load(),
      ...set(11),
      ...get(6),
      ...load(16),
      ...set(12),
      ...FOUR.flatMap((row) => [
        ...get(numberOf(row)),
        ...loadSplat(),
        ...set(13),
        ...advance(numberOf(row), 4),
        ...[0, 1].flatMap((half) => [
          ...get(sumOf(row, half)),
          ...get(13),
          ...get(11 + half),
          ...lanes(MULTIPLY),
          ...lanes(ADD),
          ...set(sumOf(row, half)),
        ]),
      ]),
      ...get(6),
      ...get(2),
      ...add,
      ...set(6),
    ]),
    ...FOUR.flatMap((row) => [
      ...get(0),
      ...get(5),
      ...add,
      ...get(sumOf(row, 0)),
      ...store(),
      ...get(0),
      ...get(5),
      ...add,
      ...get(sumOf(row, 1)),
      ...store(16),
      ...get(0),
      ...get(2),
      ...add,
      ...set(0),
    ]),
  ]),
};

/** Of four lines by four doubles the sums stay in registers: two locals a line. */
const doublesOf = (line: number, half: number): number => 12 + line * 2 + half;
/** Each half of a line of the product, between memory and registers. */
const overProduct = (step: (line: number, half: number) => readonly number[]): number[] => [
  ...get(5),
  ...set(7),
  ...FOUR.flatMap((line) => [...step(line, 0), ...step(line, 1), ...get(7), ...get(6), ...add, ...set(7)]),
];

/**
 * Locals: 0 row, 1 end of the rows, 2 bytes of a row, 3 first numbers, 4 second numbers, 5 product, 6 stride, 7 line of
 * the product, 8 at in the row, 9 and 10 pairs of second numbers, 11 first number, 12–19 sums.
 */
const gram: LaneFunction = {
  name: 'gram',
  parameters: [I32, I32, I32, I32, I32, I32, I32],
  locals: [
    [2, I32],
    [11, V128],
  ],
  code: [
    ...overProduct((line, half) => [...get(7), ...load(half * 16), ...set(doublesOf(line, half))]),
    ...until(0, 1, [
      ...get(0),
      ...get(4),
      ...add,
      ...set(8),
      ...[0, 1].flatMap((half) => [...get(8), ...loadPair(half * 8), ...lanes(PAIR_TO_DOUBLES), ...set(9 + half)]),
      ...get(0),
      ...get(3),
      ...add,
      ...set(8),
      ...FOUR.flatMap((line) => [
        ...get(8),
        ...loadFloat(line * 4),
        ...promote,
        ...lanes(SPLAT_DOUBLE),
        ...set(11),
        ...[0, 1].flatMap((half) => [
          ...get(doublesOf(line, half)),
          ...get(9 + half),
          ...get(11),
          ...lanes(MULTIPLY_DOUBLES),
          ...lanes(ADD_DOUBLES),
          ...set(doublesOf(line, half)),
        ]),
      ]),
      ...get(0),
      ...get(2),
      ...add,
      ...set(0),
    ]),
    ...overProduct((line, half) => [...get(7), ...get(doublesOf(line, half)), ...store(half * 16)]),
  ],
};

export const svdKernels: readonly LaneFunction[] = [
  overEntries('gather', addScaled(5, 4, 6)),
  overEntries('scatter', addScaled(4, 5, 6)),
  turn,
  gram,
];
