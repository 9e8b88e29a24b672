// The two sides of a subspace that the search for a matrix's strongest directions works on, in one memory with its loops.

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
  /** Left ← left × a matrix (width × width, row by row). */
  turnLeft(turn: Float64Array): void;
  /** Right × the first columns of a matrix, line by line. */
  turnedRight(turn: Float64Array, columns: number): Float32Array;
}

/** Numbers that are worked on at once. */
const AT_ONCE = 4;
const ENTRY = 8;

export function createSpace({ starts, columns, values, columnCount }: SparseMatrix, width: number): Space {
  const rows = starts.length - 1;
  const pitch = Math.ceil(width / AT_ONCE) * AT_ONCE;
  const line = pitch * 4;
  const leftAt = Math.ceil((columns.length * ENTRY) / 16) * 16;
  const rightAt = leftAt + rows * line;
  const productAt = rightAt + columnCount * line;
  const turnAt = productAt + pitch * pitch * 8;
  const lineAt = turnAt + pitch * line;
  const { memory, gather, scatter, turn: turnLine, gram } = assemble<SvdKernels>(svdKernels, lineAt + line);
  const integers = new Int32Array(memory.buffer, 0, columns.length * 2);
  const floats = new Float32Array(memory.buffer);
  const left = floats.subarray(leftAt / 4, rightAt / 4);
  const right = floats.subarray(rightAt / 4, productAt / 4);
  const product = new Float64Array(memory.buffer, productAt, pitch * pitch);
  const turnMatrix = floats.subarray(turnAt / 4, lineAt / 4);
  const turned = floats.subarray(lineAt / 4, lineAt / 4 + pitch);
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
    gram(from, to, line, productAt, pitch * 8);
    return Float64Array.from({ length: width * width }, (_, at) => {
      const [a, b] = [Math.floor(at / width), at % width];
      return product[Math.max(a, b) * pitch + Math.min(a, b)]!;
    });
  };
  /** The first columns of a matrix (width × width) as the loops take them. */
  const prepare = (turn: Float64Array, count: number): void => {
    turnMatrix.fill(0);
    for (let row = 0; row < width; row++) for (let column = 0; column < count; column++) turnMatrix[row * pitch + column] = turn[row * width + column]!;
  };
  /** The line at an address times that matrix, in `turned`. */
  const turnOne = (address: number): void => {
    turned.fill(0);
    turnLine(lineAt, lineAt + line, address, address + width * 4, turnAt);
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
    turnLeft(turn) {
      prepare(turn, width);
      for (let row = 0; row < rows; row++) {
        turnOne(leftAt + row * line);
        left.set(turned, row * pitch);
      }
    },
    turnedRight(turn, count) {
      prepare(turn, count);
      const vectors = new Float32Array(columnCount * count);
      for (let column = 0; column < columnCount; column++) {
        turnOne(rightAt + column * line);
        vectors.set(turned.subarray(0, count), column * count);
      }
      return vectors;
    },
  };
}
