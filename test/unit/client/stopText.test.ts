// Stop says what would be lost before it ends anything, and asks nothing where nothing runs.

import { expect, test } from 'vitest';
import { composeStopQuestion } from '../../../client/src/stopText.ts';
import { fresh, full } from '../../webview/fixtures/states.ts';

const now = Date.now();
const [waiting] = full.pending;

test('where nothing runs nothing is asked', () => {
  expect(composeStopQuestion(full, now)).toBeNull();
  expect(composeStopQuestion({ ...full, activity: 'stopped' }, now)).toBeNull();
});

test('it names the change that is being checked and for how long', () => {
  const making = [{ ...waiting!, title: 'Remove an unneeded else in grade', createdAt: now - 5 * 60_000 }];
  const question = composeStopQuestion({ ...full, activity: 'verifying', making }, now);
  expect(question?.detail).toContain(
    '“Remove an unneeded else in grade” is being checked for 5 min now. What the checks have found so far is lost.',
  );
  expect(question?.detail).toContain('Until you press Resume');
});

test.each([
  [{ ...full, activity: 'verifying' } as const, 'Checks are running'],
  [{ ...full, activity: 'proposing' } as const, 'A proposal is being made'],
  [{ ...full, activity: 'applying' } as const, 'never between'],
  [{ ...full, activity: 'searching' } as const, 'A search runs your tests'],
  [fresh, '412 of 1,284). What was read so far is kept'],
])('what would be lost: %#', (state, expected) => {
  expect(composeStopQuestion(state, now)?.detail).toContain(expected);
});
