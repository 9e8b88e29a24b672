// The strongest right singular vectors of a sparse matrix, by subspace iteration from a random start.
// Halko, Martinsson, Tropp, "Finding structure with randomness", SIAM Review 53(2), 2011, algorithms 4.4 and 5.1.

import { eigenvectors } from './eigenvectors.ts';

/** Rows of (column, value); values of row i lie between starts[i] and starts[i + 1]. */
export interface SparseMatrix {
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
  readonly columnCount: number;
}

export interface RightVectors {
  /** columnCount × dimensions, row by row. */
  readonly vectors: Float32Array;
  readonly singularValues: Float32Array;
  /** May be less than asked for when the matrix is small. */
  readonly dimensions: number;
}

const OVERSAMPLING = 8;
const ROUNDS = 3;
/** Squares of singular values below this share of the largest are noise. */
const SMALLEST_VALUE = 1e-10;
const SEED = 0x2545f491;

export function truncatedSvd(matrix: SparseMatrix, wanted: number): RightVectors {
  const rows = matrix.starts.length - 1;
  const dimensions = Math.min(wanted, rows, matrix.columnCount);
  const width = Math.min(dimensions + OVERSAMPLING, rows, matrix.columnCount);
  // Only the shorter side is kept orthonormal: there are fewer chunks than terms.
  const left = randomSigns(rows * width);
  const right = new Float32Array(matrix.columnCount * width);
  for (let round = 0; round < ROUNDS; round++) {
    transposedTimes(matrix, left, right, width);
    times(matrix, right, left, width);
    orthonormalise(left, rows, width);
  }
  orthonormalise(left, rows, width);
  transposedTimes(matrix, left, right, width);
  // Rayleigh–Ritz: the eigenvectors of BBᵀ, with B = QᵀA, turn the subspace's basis into singular vectors.
  const { vectors: turn, values } = eigenvectors(gram(right, matrix.columnCount, width), width);
  const turned = new Float64Array(dimensions);
  const vectors = new Float32Array(matrix.columnCount * dimensions);
  const scales = Float64Array.from(values, (value) => (value > values[0]! * SMALLEST_VALUE ? 1 / Math.sqrt(value) : 0));
  for (let column = 0; column < matrix.columnCount; column++) {
    turned.fill(0);
    for (let inner = 0; inner < width; inner++) {
      const value = right[column * width + inner]!;
      for (let index = 0; index < dimensions; index++) turned[index]! += value * turn[inner * width + index]!;
    }
    for (let index = 0; index < dimensions; index++) vectors[column * dimensions + index] = turned[index]! * scales[index]!;
  }
  return { vectors, dimensions, singularValues: Float32Array.from(values.subarray(0, dimensions), (value) => Math.sqrt(Math.max(0, value))) };
}

function times({ starts, columns, values }: SparseMatrix, right: Float32Array, left: Float32Array, width: number): void {
  left.fill(0);
  for (let row = 0; row + 1 < starts.length; row++) {
    const target = row * width;
    for (let at = starts[row]!; at < starts[row + 1]!; at++) {
      const value = values[at]!;
      const source = columns[at]! * width;
      for (let index = 0; index < width; index++) left[target + index]! += value * right[source + index]!;
    }
  }
}

function transposedTimes({ starts, columns, values }: SparseMatrix, left: Float32Array, right: Float32Array, width: number): void {
  right.fill(0);
  for (let row = 0; row + 1 < starts.length; row++) {
    const source = row * width;
    for (let at = starts[row]!; at < starts[row + 1]!; at++) {
      const value = values[at]!;
      const target = columns[at]! * width;
      for (let index = 0; index < width; index++) right[target + index]! += value * left[source + index]!;
    }
  }
}

/**
 * Columns become orthonormal: X ← X L⁻ᵀ with XᵀX = L Lᵀ. Done once it loses digits where columns are nearly parallel, done again it has them.
 * Yamamoto et al., "Roundoff error analysis of the CholeskyQR2 algorithm", ETNA 44, 2015.
 */
function orthonormalise(matrix: Float32Array, rows: number, width: number): void {
  const inverse = inverseOfCholesky(gram(matrix, rows, width), width);
  const line = new Float64Array(width);
  for (let row = 0, from = 0; row < rows; row++, from += width) {
    for (let index = 0; index < width; index++) {
      let sum = 0;
      for (let inner = 0; inner <= index; inner++) sum += matrix[from + inner]! * inverse[index * width + inner]!;
      line[index] = sum;
    }
    matrix.set(line, from);
  }
}

function gram(matrix: Float32Array, rows: number, width: number): Float64Array {
  const product = new Float64Array(width * width);
  for (let row = 0, from = 0; row < rows; row++, from += width) {
    for (let a = 0; a < width; a++) {
      const value = matrix[from + a]!;
      if (value === 0) continue;
      for (let b = 0; b <= a; b++) product[a * width + b]! += value * matrix[from + b]!;
    }
  }
  for (let a = 0; a < width; a++) for (let b = 0; b < a; b++) product[b * width + a] = product[a * width + b]!;
  return product;
}

/** L⁻¹, row by row. Directions without length (the matrix has a lower rank) become zero. */
function inverseOfCholesky(product: Float64Array, width: number): Float64Array {
  const lower = new Float64Array(width * width);
  const inverse = new Float64Array(width * width);
  let largest = 0;
  for (let index = 0; index < width; index++) largest = Math.max(largest, product[index * width + index]!);
  for (let row = 0; row < width; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = product[row * width + column]!;
      for (let inner = 0; inner < column; inner++) sum -= lower[row * width + inner]! * lower[column * width + inner]!;
      if (row === column) lower[row * width + row] = sum > largest * 1e-10 ? Math.sqrt(sum) : 0;
      else lower[row * width + column] = lower[column * width + column] === 0 ? 0 : sum / lower[column * width + column]!;
    }
    const pivot = lower[row * width + row]!;
    if (pivot === 0) continue;
    inverse[row * width + row] = 1 / pivot;
    for (let column = 0; column < row; column++) {
      let sum = 0;
      for (let inner = column; inner < row; inner++) sum -= lower[row * width + inner]! * inverse[inner * width + column]!;
      inverse[row * width + column] = sum / pivot;
    }
  }
  return inverse;
}

/** ±1 from a xorshift generator, the same each time (Marsaglia, "Xorshift RNGs", 2003). */
function randomSigns(count: number): Float32Array {
  const signs = new Float32Array(count);
  let state = SEED;
  for (let index = 0; index < count; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    signs[index] = state & 0x10000 ? 1 : -1;
  }
  return signs;
}
