// When an unattended run ends, as a person says it.

import { expect, test } from 'vitest';
import { computeRunEnd } from '../../../server/src/cli/runUntil.ts';

const at = (hours: number, minutes = 0) => new Date(2026, 10, 25, hours, minutes).getTime();
const HOUR = 3_600_000;

test('a time of day is the next one that the clock shows: today, or tomorrow if it has passed', () => {
  expect(computeRunEnd({ until: '23:30' }, at(22))).toBe(at(23, 30));
  expect(computeRunEnd({ until: '7:00' }, at(22))).toBe(at(24 + 7));
  expect(computeRunEnd({ until: '22:00' }, at(22))).toBe(at(24 + 22));
  expect(computeRunEnd({}, at(22))).toBe(at(24 + 7));
});

test.each([
  ['8h', 8 * HOUR],
  ['90m', 1.5 * HOUR],
  ['1h30m', 1.5 * HOUR],
  ['1h 30m', 1.5 * HOUR],
  ['0.5h', 0.5 * HOUR],
  ['20s', 20_000],
  ['999h', 24 * 24 * HOUR],
])('%s is a duration', (duration, millis) => {
  expect(computeRunEnd({ for: duration }, 5)).toBe(5 + millis);
});

test.each(['', '8', 'h', '8d', '-1h', '0h', '8h!', '1h30'])('%j is no duration', (duration) => {
  expect(() => computeRunEnd({ for: duration }, 0)).toThrow('--for takes a duration');
});

test.each(['24:00', '7', 'noon', '07:60'])('%s is no time of day', (until) => {
  expect(() => computeRunEnd({ until }, 0)).toThrow('--until takes a time of day');
});

test('both at once contradict each other', () => {
  expect(() => computeRunEnd({ until: '07:00', for: '8h' }, 0)).toThrow('cannot be combined');
});
