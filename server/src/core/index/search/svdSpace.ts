// The two sides of a subspace that the search for a matrix's strongest directions works on, in one memory with its
// loops.

import { assemble } from '../../../util/webAssembly.ts';
import { svdKernels, type SvdKernels } from './svdKernels.ts';

/** Rows of (column, value); values of row i lie between starts[i] and starts[i + 1]. */
export interface SparseMatrix {
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
  readonly columnCount: number;
}

/** `left` has a line for each row of the matrix, the right side one for each column; lines hold `width` numbers. */
export interface Space {
  /** Lines of `pitch` numbers, of which those beyond the width stay 0. */
  readonly left: Float32Array;
  readonly pitch: number;
  /** Right ← transposed matrix × left. */
  toRight(): void;
  /** Left ← matrix × right. */
  toLeft(): void;
  /** Products of the columns of a side with each other: width × width, row by row. */
  gramOfLeft(): Float64Array;
  gramOfRight(): Float64Array;
  /** Left ← left × an upper triangular matrix (width × width, row by row). */
  turnLeft(turn: Float64Array): void;
  /** The same of the right side, which is answered line by line. */
  turnedRight(turn: Float64Array): Float32Array;
}

/** Numbers of a line, and lines, that are worked on at once. */
const AT_ONCE = 8;
const LINES = 4;
const ENTRY = 8;
/** Lines that stay in the processor's nearest cache while they are looked at again and again. */
const CACHED = 64;

export function createSpace({ starts, columns, values, columnCount }: SparseMatrix, width: number): Space {
  const rows = starts.length - 1;
  const pitch = Math.ceil(width / AT_ONCE) * AT_ONCE;
  const line = pitch * 4;
  const leftAt = Math.ceil((columns.length * ENTRY) / 16) * 16;
  const rightAt = leftAt + padded(rows) * line;
  const productAt = rightAt + padded(columnCount) * line;
  const turnAt = productAt + pitch * pitch * 8;
  const { memory, gather, scatter, turn: turnColumns, gram } = assemble<SvdKernels>(svdKernels, turnAt + pitch * line);
  const integers = new Int32Array(memory.buffer, 0, columns.length * 2);
  const floats = new Float32Array(memory.buffer);
  const left = floats.subarray(leftAt / 4, rightAt / 4);
  const right = floats.subarray(rightAt / 4, productAt / 4);
  const product = new Float64Array(memory.buffer, productAt, pitch * pitch);
  const turnMatrix = floats.subarray(turnAt / 4, turnAt / 4 + pitch * pitch);
  for (let at = 0; at < columns.length; at++) {
    integers[at * 2] = rightAt + columns[at]! * line;
    floats[at * 2 + 1] = values[at]!;
  }

  /** Each line of the left side with the entries of its row of the matrix. */
  const byRow = (work: SvdKernels['gather']): void => {
    for (let row = 0; row < rows; row++) {
      const [from, to] = [starts[row]! * ENTRY, starts[row + 1]! * ENTRY];
      if (from < to) work(leftAt + row * line, leftAt + (row + 1) * line, from, to);
    }
  };
  const gramOf = (from: number, to: number): Float64Array => {
    product.fill(0);
    for (let first = from; first < to; first += CACHED * line) {
      const last = Math.min(to, first + CACHED * line);
      for (let row = 0; row < pitch; row += LINES) {
        for (let column = 0; column <= row; column += LINES)
          gram(first, last, line, row * 4, column * 4, productAt + (row * pitch + column) * 8, pitch * 8);
      }
    }
    return Float64Array.from({ length: width * width }, (_, at) => {
      const [a, b] = [Math.floor(at / width), at % width];
      return product[Math.max(a, b) * pitch + Math.min(a, b)]!;
    });
  };
  /** Lines ← lines × a matrix, the last columns first: a column rests on those before it alone. */
  const turnLines = (from: number, to: number, turn: Float64Array): void => {
    turnMatrix.fill(0);
    for (let row = 0; row < width; row++)
      for (let column = row; column < width; column++) turnMatrix[row * pitch + column] = turn[row * width + column]!;
    for (let column = pitch - AT_ONCE; column >= 0; column -= AT_ONCE) {
      const offset = column * 4;
      turnColumns(from, to, line, turnAt + offset, turnAt + (column + AT_ONCE) * line + offset, offset);
    }
  };

  return {
    left,
    pitch,
    toRight() {
      right.fill(0);
      byRow(scatter);
    },
    toLeft() {
      left.fill(0);
      byRow(gather);
    },
    gramOfLeft: () => gramOf(leftAt, rightAt),
    gramOfRight: () => gramOf(rightAt, productAt),
    turnLeft: (turn) => turnLines(leftAt, rightAt, turn),
    turnedRight(turn) {
      turnLines(rightAt, productAt, turn);
      if (pitch === width) return right.slice(0, columnCount * width);
      const vectors = new Float32Array(columnCount * width);
      for (let column = 0; column < columnCount; column++)
        vectors.set(right.subarray(column * pitch, column * pitch + width), column * width);
      return vectors;
    },
  };
}

/** As many lines, and up to a multiple of what is worked on at once. */
function padded(lines: number): number {
  return Math.ceil(lines / LINES) * LINES;
}
