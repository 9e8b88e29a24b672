// Feedback is looked at each hour, and less often while nothing new is found.

import { expect, test } from 'vitest';
import { computeNextFeedbackAnalysis } from '../../../server/src/core/learn/nextFeedbackAnalysis.ts';

const HOUR = 3_600_000;
const looks = (...digests: readonly string[]) => digests.map((digest, at) => ({ digest, at: at * HOUR }));

test.each([
  { what: 'never looked', all: [], hours: 0 },
  { what: 'the first look', all: looks('a'), hours: 1 },
  { what: 'something new', all: looks('a', 'a', 'b'), hours: 2 + 1 },
  { what: 'once without news', all: looks('a', 'a'), hours: 1 + 4 },
  { what: 'twice without news', all: looks('b', 'a', 'a', 'a'), hours: 3 + 12 },
  { what: 'three times without news', all: looks('a', 'a', 'a', 'a'), hours: 3 + 24 },
  { what: 'many times without news', all: looks('a', 'a', 'a', 'a', 'a', 'a'), hours: 5 + 24 },
])('$what', ({ all, hours }) => {
  expect(computeNextFeedbackAnalysis(all)).toBe(hours * HOUR);
});
