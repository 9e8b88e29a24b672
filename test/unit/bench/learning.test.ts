// The bench of two nights: what a person demands of added lines, and the interval of a share.

import { expect, test } from 'vitest';
import { findRejection } from '../../bench/learning/judgeNights.ts';
import { computeWilsonInterval } from '../../bench/support/wilson.ts';

test('a change is rejected with the reason of the first demand that its lines break', () => {
  const demands = [
    { reason: 'Begin titles with should.', of: "^it\\('", every: "^it\\('should" },
    { reason: 'No snapshots.', none: 'Snapshot' },
  ];
  expect(findRejection(["it('should add', () => {", 'expect(add(1)).toBe(2);'], demands)).toBeNull();
  expect(findRejection(["it('adds', () => {", 'expect(add).toMatchSnapshot();'], demands)).toBe(
    'Begin titles with should.',
  );
  expect(findRejection(['expect(add).toMatchSnapshot();'], demands)).toBe('No snapshots.');
  expect(findRejection(["it('adds', () => {"], [])).toBeNull();
});

test('the interval holds the share, narrows with tries, and is everything without any', () => {
  expect(computeWilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
  // Known values, from Newcombe (1998), table I: 81 of 263.
  const { low, high } = computeWilsonInterval(81, 263);
  expect(low).toBeCloseTo(0.2553, 3);
  expect(high).toBeCloseTo(0.3662, 3);
  expect(computeWilsonInterval(5, 5)).toEqual({ low: expect.closeTo(0.5655, 3), high: 1 });
});
