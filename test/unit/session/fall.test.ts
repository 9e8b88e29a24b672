// When points have fallen so far that a change in probation is rolled back.

import { expect, test } from 'vitest';
import { isFall } from '../../../server/src/core/session/apply/probation.ts';

test.each([
  // The same sum in two orders.
  [0.1 + 0.2 + 0.3 - (0.3 + 0.2 + 0.1), 0, false],
  [0.3 + 0.2 + 0.1 - (0.1 + 0.2 + 0.3), 0, false],
  [-0.001, 0, true],
  [0.001, 0, false],
  [-0.3, 0.1 + 0.2, false],
  [-0.3, 0.3, false],
  [-0.301, 0.3, true],
])('a change by %d points, of which %d are allowed: %s', (gain, allowed, expected) => {
  expect(isFall(gain, allowed)).toBe(expected);
});
