// Singular vectors against matrices whose answer is known.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eigenvectors } from '../../../server/src/core/index/search/eigenvectors.ts';
import { runs } from '../../helpers/properties.ts';
import type { SparseMatrix } from '../../../server/src/core/index/search/svdSpace.ts';
import { truncatedSvd } from '../../../server/src/core/index/search/truncatedSvd.ts';

function sparse(rows: readonly (readonly number[])[]): SparseMatrix {
  const starts = [0];
  const columns: number[] = [];
  const values: number[] = [];
  for (const row of rows) {
    row.forEach((value, column) => value !== 0 && (columns.push(column), values.push(value)));
    starts.push(columns.length);
  }
  return { starts: Uint32Array.from(starts), columns: Uint32Array.from(columns), values: Float32Array.from(values), columnCount: rows[0]!.length };
}

test('a diagonal matrix has its entries as singular values and the axes as vectors', () => {
  const { vectors, singularValues, dimensions } = truncatedSvd(sparse([[0, 3, 0], [5, 0, 0], [0, 0, 1]]), 2);
  expect([...singularValues].map((value) => Math.round(value * 1e4) / 1e4)).toEqual([5, 3]);
  expect(dimensions).toBe(2);
  expect(Math.abs(vectors[0]!)).toBeCloseTo(1, 4);
  expect(Math.abs(vectors[1 * 2 + 1]!)).toBeCloseTo(1, 4);
});

test('a matrix of low rank is given back whole, one of zeros gives zeros', () => {
  const rows = Array.from({ length: 30 }, (_, row) => Array.from({ length: 20 }, (_, column) => (row % 3) * (column % 2) + (row % 2) * (column % 5)));
  const { vectors, dimensions } = truncatedSvd(sparse(rows), 2);
  for (const row of rows) {
    const places = [0, 1].map((index) => row.reduce((sum, value, column) => sum + value * vectors[column * dimensions + index]!, 0));
    row.forEach((value, column) => expect(places.reduce((sum, place, index) => sum + place * vectors[column * dimensions + index]!, 0)).toBeCloseTo(value, 2));
  }
  expect([...truncatedSvd(sparse([[0, 0], [0, 0]]), 2).vectors].every((value) => value === 0)).toBe(true);
});

test('eigenvectors solve their equation and come by size', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }).chain((size) => fc.tuple(fc.constant(size), fc.array(fc.integer({ min: -9, max: 9 }), { minLength: size * size, maxLength: size * size }))), ([size, raw]) => {
      const matrix = Float64Array.from({ length: size * size }, (_, at) => raw[at]! + raw[(at % size) * size + Math.floor(at / size)]!);
      const { values, vectors } = eigenvectors(matrix, size);
      expect([...values]).toEqual([...values].sort((a, b) => b - a));
      for (let vector = 0; vector < size; vector++) {
        for (let row = 0; row < size; row++) {
          let product = 0;
          for (let column = 0; column < size; column++) product += matrix[row * size + column]! * vectors[column * size + vector]!;
          expect(product).toBeCloseTo(values[vector]! * vectors[row * size + vector]!, 5);
        }
      }
    }),
    runs(100),
  );
});

test.each([[1, 1, 1], [3, 5, 2], [5, 3, 3], [7, 9, 7], [12, 10, 4], [20, 13, 13], [40, 30, 10]])('%i × %i, %i dimensions: vectors of length 1, and as much of the matrix as there is room for', (height, width, wanted) => {
  const rows = Array.from({ length: height }, (_, row) => Array.from({ length: width }, (_, column) => Math.sin((row + 1.3) * (column + 0.7) * (column + 0.7) * 12.9)));
  const { vectors, singularValues, dimensions } = truncatedSvd(sparse(rows), wanted);
  expect(dimensions).toBe(Math.min(wanted, height, width));
  const square = rows.flat().reduce((sum, value) => sum + value * value, 0);
  const kept = singularValues.reduce((sum, value) => sum + value * value, 0);
  if (dimensions === Math.min(height, width)) expect(kept).toBeCloseTo(square, 3);
  else expect(kept).toBeLessThan(square + 0.001);
  for (let one = 0; one < dimensions; one++) {
    for (let other = 0; other <= one; other++) {
      let product = 0;
      for (let column = 0; column < width; column++) product += vectors[column * dimensions + one]! * vectors[column * dimensions + other]!;
      expect(product).toBeCloseTo(one === other ? 1 : 0, 3);
    }
  }
});
