// The number of mistakes in a verdict about new tests is that of the proposal’s title.

import { expect, test } from 'vitest';
import { describeNoticedMistakes } from '../../../server/src/core/verify/claims/noticedMistakes.ts';

const shown = 'a.js:2 - → +';

test('all mistakes for which the tests were written are counted', () => {
  expect(describeNoticedMistakes(shown, ['noticed', 'noticed', 'noticed'], 3)).toEqual({
    noticed: 3,
    text: `3 mistakes that no other test notices, such as ${shown}`,
  });
});

test('what was not tried is not claimed', () => {
  expect(describeNoticedMistakes(shown, [], 1).text).toBe(`a mistake that no other test notices: ${shown}`);
  expect(describeNoticedMistakes(shown, [], 3)).toEqual({
    noticed: 1,
    text: `a mistake that no other test notices, 1 of the 3 that they are for: ${shown}`,
  });
  expect(describeNoticedMistakes(shown, ['noticed', 'noticed', 'survived'], 3).text).toBe(
    `2 mistakes that no other test notices, 2 of the 3 that they are for: ${shown}`,
  );
});

test('mistakes that only the tests nearby were seen to miss are not claimed once all tests have run', () => {
  const requested = ['noticed', 'noticed', 'noticed'] as const;
  expect(describeNoticedMistakes(shown, requested, 3, { isNearby: true })).toEqual({
    noticed: 1,
    text: `a mistake that no other test notices, 1 of the 3 that they are for: ${shown}`,
  });
  expect(describeNoticedMistakes(shown, requested, 3, { isNearby: true, isPart: true }).text).toBe(
    `3 mistakes that no other test that ran notices, such as ${shown}`,
  );
});
