// The strongest right singular vectors of a sparse matrix, by subspace iteration from a random start.
// Halko, Martinsson, Tropp, "Finding structure with randomness", SIAM Review 53(2), 2011, algorithms 4.4 and 5.1.

import { eigenvectors } from './eigenvectors.ts';
import { createSpace, type SparseMatrix } from './svdSpace.ts';

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
  const { columnCount } = matrix;
  const rows = matrix.starts.length - 1;
  const dimensions = Math.min(wanted, rows, columnCount);
  const width = Math.min(dimensions + OVERSAMPLING, rows, columnCount);
  if (width === 0) return { vectors: new Float32Array(), singularValues: new Float32Array(), dimensions };
  const space = createSpace(matrix, width);
  // Only the shorter side is kept orthonormal: there are fewer chunks than terms.
  randomSigns(space.left, rows, width, space.pitch);
  for (let round = 0; round < ROUNDS; round++) {
    space.toRight();
    space.toLeft();
    space.turnLeft(orthonormal(space.gramOfLeft(), width));
  }
  space.turnLeft(orthonormal(space.gramOfLeft(), width));
  space.toRight();
  // Rayleigh–Ritz: the eigenvectors of BBᵀ, with B = QᵀA, turn the subspace's basis into singular vectors.
  const { vectors: turn, values } = eigenvectors(space.gramOfRight(), width);
  const scales = Float64Array.from(values, (value) => (value > values[0]! * SMALLEST_VALUE ? 1 / Math.sqrt(value) : 0));
  const vectors = space.turnedRight(turn.map((value, at) => value * scales[at % width]!), dimensions);
  return { vectors, dimensions, singularValues: Float32Array.from(values.subarray(0, dimensions), (value) => Math.sqrt(Math.max(0, value))) };
}

/** The columns of a matrix become orthonormal by this turn (width × width, row by row): X ← X L⁻ᵀ with XᵀX = L Lᵀ. Done once it loses digits where columns are nearly parallel, done again it has them. Yamamoto et al., "Roundoff error analysis of the CholeskyQR2 algorithm", ETNA 44, 2015. */
function orthonormal(product: Float64Array, width: number): Float64Array {
  const inverse = inverseOfCholesky(product, width);
  return inverse.map((_, at) => inverse[(at % width) * width + Math.floor(at / width)]!);
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
function randomSigns(signs: Float32Array, rows: number, width: number, pitch: number): void {
  let state = SEED;
  for (let row = 0; row < rows; row++) {
    for (let index = 0; index < width; index++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      signs[row * pitch + index] = state & 0x10000 ? 1 : -1;
    }
  }
}
