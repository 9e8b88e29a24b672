// An orthonormal basis of the strongest right singular vectors of a sparse matrix, by subspace iteration from a random
// start.
// Halko, Martinsson, Tropp, "Finding structure with randomness", SIAM Review 53(2), 2011, algorithm 4.4.

import { createSpace, type SparseMatrix } from './svdSpace.ts';

export interface RightSubspace {
  /**
   * columnCount × dimensions, row by row. The vectors of the basis are no singular vectors: how alike two rows are is
   * the same by any basis.
   */
  readonly vectors: Float32Array;
  /** May be less than asked for when the matrix is small. Where its rank is lower still, some vectors are zero. */
  readonly dimensions: number;
}

/** Each brings the subspace nearer to the strongest one. A third changes no ranking. */
const ROUNDS = 2;
const SEED = 0x2545f491;

export function rightSubspace(matrix: SparseMatrix, wanted: number): RightSubspace {
  const { columnCount } = matrix;
  const rows = matrix.starts.length - 1;
  const dimensions = Math.min(wanted, rows, columnCount);
  if (dimensions === 0) return { vectors: new Float32Array(), dimensions };
  const space = createSpace(matrix, dimensions);
  // Only the shorter side is kept orthonormal: there are fewer chunks than terms.
  randomSigns(space.left, rows, dimensions, space.pitch);
  for (let round = 0; round < ROUNDS; round++) {
    space.toRight();
    space.toLeft();
    space.turnLeft(orthonormal(space.gramOfLeft(), dimensions));
  }
  space.toRight();
  return { vectors: space.turnedRight(orthonormal(space.gramOfRight(), dimensions)), dimensions };
}

/**
 * The columns of a matrix become orthonormal by this turn (width × width, row by row): X ← X L⁻ᵀ with XᵀX = L Lᵀ. Golub
 * & Van Loan, "Matrix Computations", 4th edition, 5.2.3.
 */
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
      else
        lower[row * width + column] = lower[column * width + column] === 0 ? 0 : sum / lower[column * width + column]!;
    }
    const pivot = lower[row * width + row]!;
    if (pivot === 0) continue;
    inverse[row * width + row] = 1 / pivot;
    for (let column = 0; column < row; column++) {
      let sum = 0;
      for (let inner = column; inner < row; inner++)
        sum -= lower[row * width + inner]! * inverse[inner * width + column]!;
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
