// Vectors of bytes against cosines worked out plainly, and thresholds against sorting.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNearVectors } from '../../../server/src/core/index/search/nearVectors.ts';
import { runs } from '../../helpers/properties.ts';
import { findNthLargest } from '../../../server/src/core/index/search/nthLargest.ts';

/** The same numbers each time, between -1 and 1. */
function unitVector(dimensions: number, seed: number): Float32Array {
  const values = Float32Array.from({ length: dimensions }, (_, at) => Math.sin((at + 1) * (seed + 1) * 12.9898) ** 3);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
}

test.each([3, 20, 96, 256, 4_096])('similarity is the cosine, to a hundredth, in %i dimensions', (dimensions) => {
  const near = createNearVectors(dimensions);
  const question = unitVector(dimensions, 0);
  const slots = [0, 1, 7, 1_023, 1_024, 5_000];
  for (const slot of slots) near.set(slot, unitVector(dimensions, slot));
  const similarity = near.similarities(question, Uint32Array.from(slots));
  slots.forEach((slot, at) =>
    expect(similarity[at]).toBeCloseTo(Math.max(0, cosine(question, unitVector(dimensions, slot))), 2),
  );
  expect(similarity[0]).toBeCloseTo(1, 3);
  expect([...near.similarities(question, Uint32Array.of(2, 4_999, 1_000_000))]).toEqual([0, 0, 0]);
});

test('products as large as they can be do not overflow', () => {
  const near = createNearVectors(4_096);
  const even = new Float32Array(4_096).fill(1 / 64);
  near.set(0, even);
  expect(near.similarities(even, Uint32Array.of(0))[0]).toBeCloseTo(1, 3);
});

test('more than are worked out at once', () => {
  const near = createNearVectors(16);
  const slots = Uint32Array.from({ length: 3_000 }, (_, slot) => slot);
  slots.forEach((slot) => near.set(slot, unitVector(16, slot)));
  const similarity = near.similarities(unitVector(16, 42), slots);
  for (const slot of [0, 42, 1_024, 2_999])
    expect(similarity[slot]).toBeCloseTo(Math.max(0, cosine(unitVector(16, 42), unitVector(16, slot))), 1);
});

test('the nearest are found wherever they lie; what is gone or too different is not', () => {
  const near = createNearVectors(64);
  const question = unitVector(64, 3);
  expect(near.nearest(question, 10, 0.2)).toEqual([]);
  const away = question.map((value) => -value);
  for (let slot = 0; slot < 4_000; slot++) near.set(slot, away);
  for (const slot of [5, 1_500, 3_999]) near.set(slot, question);
  expect(near.nearest(question, 10, 0.2)).toEqual([5, 1_500, 3_999]);
  near.set(1_500, null);
  near.set(5, new Float32Array(64));
  expect(near.nearest(question, 10, 0.2)).toEqual([3_999]);
  expect([near.bytesOf(5), near.bytesOf(1_500), near.bytesOf(9_999)]).toEqual([null, null, null]);
});

test('a vector may move to another set', () => {
  const [one, other] = [createNearVectors(20), createNearVectors(20)];
  one.set(7, unitVector(20, 1));
  other.copy(one, 7, 2_000);
  other.copy(one, 8, 0);
  expect(other.bytesOf(2_000)).toEqual(one.bytesOf(7));
  expect(other.bytesOf(0)).toBeNull();
});

// Scores: none is as small as the numbers that arithmetic rounds to 0.
test('the n-th largest is that of the sorted numbers', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constant(0), fc.nat(20), fc.double({ min: 1e-9, max: 5, noNaN: true })), { maxLength: 200 }),
      fc.integer({ min: 1, max: 12 }),
      (values, n) => {
        expect(findNthLargest(Float64Array.from(values), n)).toBe(values.toSorted((a, b) => b - a)[n - 1] ?? 0);
      },
    ),
    runs(100),
  );
});
