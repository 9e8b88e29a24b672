// How the end of a run is written.

import { expect, test } from 'vitest';
import { formatLaterClockTime } from '../../../server/src/protocol/endTimes.ts';

test('an end has a date if the clock shows the same time before', () => {
  const now = new Date(2026, 10, 28, 22, 30, 20).getTime();
  const at = (day: number, hours: number, minutes: number) => new Date(2026, 10, day, hours, minutes).getTime();
  expect(formatLaterClockTime(at(29, 7, 0), now)).toBe('07:00');
  expect(formatLaterClockTime(at(29, 22, 30), now)).toBe('22:30');
  expect(formatLaterClockTime(at(29, 22, 31), now)).toBe('2026-11-29 22:31');
  expect(formatLaterClockTime(at(30, 4, 0), now)).toBe('2026-11-30 04:00');
  // A time that is over, such as that of an event.
  expect(formatLaterClockTime(now, now)).toBe('22:30');
});
