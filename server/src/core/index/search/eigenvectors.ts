// Eigenvectors of a small symmetric matrix by Jacobi's rotations.
// Golub & Van Loan, "Matrix Computations", 4th edition, 8.5.

const MAX_SWEEPS = 30;
const SMALL = 1e-20;

/** Largest eigenvalue first; vector i is column i of `vectors` (size × size, row by row). */
export function eigenvectors(symmetric: Float64Array, size: number): { readonly values: Float64Array; readonly vectors: Float64Array } {
  const matrix = Float64Array.from(symmetric);
  const turned = new Float64Array(size * size);
  for (let index = 0; index < size; index++) turned[index * size + index] = 1;
  for (let sweep = 0; sweep < MAX_SWEEPS && offDiagonal(matrix, size) > SMALL; sweep++) {
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(matrix, turned, size, p, q);
  }
  const order = Array.from({ length: size }, (_, index) => index).sort((a, b) => matrix[b * size + b]! - matrix[a * size + a]!);
  const vectors = new Float64Array(size * size);
  order.forEach((from, to) => {
    for (let row = 0; row < size; row++) vectors[row * size + to] = turned[row * size + from]!;
  });
  return { values: Float64Array.from(order, (index) => matrix[index * size + index]!), vectors };
}

function rotate(matrix: Float64Array, turned: Float64Array, size: number, p: number, q: number): void {
  const across = matrix[p * size + q]!;
  if (across === 0) return;
  const tau = (matrix[q * size + q]! - matrix[p * size + p]!) / (2 * across);
  const tangent = (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.sqrt(1 + tau * tau));
  const cosine = 1 / Math.sqrt(1 + tangent * tangent);
  const sine = tangent * cosine;
  for (let index = 0; index < size; index++) {
    const [a, b] = [matrix[index * size + p]!, matrix[index * size + q]!];
    matrix[index * size + p] = cosine * a - sine * b;
    matrix[index * size + q] = sine * a + cosine * b;
  }
  for (let index = 0; index < size; index++) {
    const [a, b] = [matrix[p * size + index]!, matrix[q * size + index]!];
    matrix[p * size + index] = cosine * a - sine * b;
    matrix[q * size + index] = sine * a + cosine * b;
    const [c, d] = [turned[index * size + p]!, turned[index * size + q]!];
    turned[index * size + p] = cosine * c - sine * d;
    turned[index * size + q] = sine * c + cosine * d;
  }
}

/** Squared weight outside the diagonal relative to all. */
function offDiagonal(matrix: Float64Array, size: number): number {
  let off = 0;
  let all = Number.MIN_VALUE;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const square = matrix[row * size + column]! ** 2;
      all += square;
      if (row !== column) off += square;
    }
  }
  return off / all;
}
