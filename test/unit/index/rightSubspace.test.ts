// The strongest directions of matrices whose answer is known.

import { expect, test } from 'vitest';
import { rightSubspace } from '../../../server/src/core/index/search/rightSubspace.ts';
import type { SparseMatrix } from '../../../server/src/core/index/search/svdSpace.ts';

function sparse(rows: readonly (readonly number[])[]): SparseMatrix {
  const starts = [0];
  const columns: number[] = [];
  const values: number[] = [];
  for (const row of rows) {
    row.forEach((value, column) => value !== 0 && (columns.push(column), values.push(value)));
    starts.push(columns.length);
  }
  return {
    starts: Uint32Array.from(starts),
    columns: Uint32Array.from(columns),
    values: Float32Array.from(values),
    columnCount: rows[0]!.length,
  };
}

/** The square of what is left of the rows in the directions of a basis. */
function keptBy(rows: readonly (readonly number[])[], vectors: ArrayLike<number>, dimensions: number): number {
  let kept = 0;
  for (const row of rows)
    for (let one = 0; one < dimensions; one++)
      kept += row.reduce((sum, value, column) => sum + value * vectors[column * dimensions + one]!, 0) ** 2;
  return kept;
}

test('of a diagonal matrix the axes of its largest entries are kept', () => {
  const entries = Array.from({ length: 30 }, (_, at) => (at === 4 ? 50 : at === 9 ? 30 : 0.1));
  const { vectors, dimensions } = rightSubspace(
    sparse(entries.map((entry, row) => entries.map((_, column) => (row === column ? entry : 0)))),
    2,
  );
  expect(dimensions).toBe(2);
  for (const column of entries.keys())
    expect(Math.hypot(vectors[column * 2]!, vectors[column * 2 + 1]!)).toBeCloseTo(
      column === 4 || column === 9 ? 1 : 0,
      3,
    );
});

test('a matrix of low rank is given back whole, one of zeros gives zeros', () => {
  const rows = Array.from({ length: 30 }, (_, row) =>
    Array.from({ length: 20 }, (_, column) => (row % 3) * (column % 2) + (row % 2) * (column % 5)),
  );
  const { vectors, dimensions } = rightSubspace(sparse(rows), 2);
  for (const row of rows) {
    const places = [0, 1].map((index) =>
      row.reduce((sum, value, column) => sum + value * vectors[column * dimensions + index]!, 0),
    );
    row.forEach((value, column) =>
      expect(places.reduce((sum, place, index) => sum + place * vectors[column * dimensions + index]!, 0)).toBeCloseTo(
        value,
        2,
      ),
    );
  }
  expect(
    [
      ...rightSubspace(
        sparse([
          [0, 0],
          [0, 0],
        ]),
        2,
      ).vectors,
    ].every((value) => value === 0),
  ).toBe(true);
});

/** All singular values of these matrices are nearly equal, which is the worst case. */
const LEAST_SHARE = 0.88;

/** The square of what the strongest directions keep, one direction after the other by power iteration. */
function strongest(rows: readonly (readonly number[])[], count: number): number {
  let rest = rows.map((row) => [...row]);
  let kept = 0;
  for (let direction = 0; direction < count; direction++) {
    let vector = rest[0]!.map((_, column) => Math.cos(column * 7.1 + 1));
    for (let step = 0; step < 500; step++) {
      const next = vector.map(() => 0);
      for (const row of rest) {
        const place = row.reduce((sum, value, column) => sum + value * vector[column]!, 0);
        row.forEach((value, column) => (next[column]! += place * value));
      }
      const length = Math.hypot(...next) || 1;
      vector = next.map((value) => value / length);
    }
    rest = rest.map((row) => {
      const place = row.reduce((sum, value, column) => sum + value * vector[column]!, 0);
      kept += place * place;
      return row.map((value, column) => value - place * vector[column]!);
    });
  }
  return kept;
}

test.each([
  [1, 1, 1],
  [6, 9, 3],
  [5, 3, 3],
  [7, 9, 7],
  [12, 10, 4],
  [20, 13, 13],
  [40, 30, 10],
])(
  '%i × %i, %i dimensions: vectors of length 1, and as much of the matrix as there is room for',
  (height, width, wanted) => {
    const rows = Array.from({ length: height }, (_, row) =>
      Array.from({ length: width }, (_, column) => Math.sin((row + 1.3) * (column + 0.7) * (column + 0.7) * 12.9)),
    );
    const { vectors, dimensions } = rightSubspace(sparse(rows), wanted);
    expect(dimensions).toBe(Math.min(wanted, height, width));
    const square = rows.flat().reduce((sum, value) => sum + value * value, 0);
    const kept = keptBy(rows, vectors, dimensions);
    expect(kept).toBeGreaterThan(strongest(rows, dimensions) * LEAST_SHARE);
    if (dimensions === Math.min(height, width)) expect(kept).toBeCloseTo(square, 3);
    else expect(kept).toBeLessThan(square + 0.001);
    for (let one = 0; one < dimensions; one++) {
      for (let other = 0; other <= one; other++) {
        let product = 0;
        for (let column = 0; column < width; column++)
          product += vectors[column * dimensions + one]! * vectors[column * dimensions + other]!;
        expect(product).toBeCloseTo(one === other ? 1 : 0, 3);
      }
    }
  },
);
