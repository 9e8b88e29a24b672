// What a person is told while typing a new wish, and what they can do with one that waits.

import { expect, test } from 'vitest';
import { explainWishProblem, listWishActions } from '../../../client/src/nights/wishText.ts';
import { MAX_WISH_LENGTH as LIMIT } from '../../../server/src/core/run/wishChanges.ts';
import { MAX_WISH_LENGTH, type WaitingWish } from '../../../server/src/protocol/nights.ts';

test('a wish that is too long or waits already is wrong', () => {
  const waiting: WaitingWish = { id: 'w', words: 'Round up.', test: 'open', tries: 0, lastReason: null };
  expect(explainWishProblem(' Round up. ', [waiting])).toContain('in the queue already');
  expect(explainWishProblem('Round down.', [waiting])).toBeNull();
  expect(MAX_WISH_LENGTH).toBe(LIMIT);
  expect(explainWishProblem('', [waiting])).toBeNull();
  expect(explainWishProblem('x'.repeat(MAX_WISH_LENGTH), [])).toBeNull();
  expect(explainWishProblem('x'.repeat(MAX_WISH_LENGTH + 1), [])).toContain(`has ${MAX_WISH_LENGTH + 1}`);
});

test('a wish can be moved wherever it is not yet', () => {
  const changes = (at: number, count: number) =>
    listWishActions({ id: 'w' }, at, count).flatMap(({ change }) => Object.keys(change));
  expect(changes(0, 1)).toEqual(['drop']);
  expect([changes(0, 2), changes(1, 2)]).toEqual([
    ['down', 'drop'],
    ['first', 'drop'],
  ]);
  expect(changes(2, 5)).toEqual(['first', 'up', 'down', 'last', 'drop']);
});
