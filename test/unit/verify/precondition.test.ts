// What a function says that it expects, and what is made of a call that may break it.

import { ts } from 'ts-morph';
import { expect, test } from 'vitest';
import { createCounterexampleOpportunity } from '../../../server/src/core/session/analyse/storedCounterexamples.ts';
import type { CheckedCounterexample } from '../../../server/src/core/verify/counterexamples/plan.ts';
import { findPrecondition } from '../../../server/src/core/verify/counterexamples/precondition.ts';
import { createPart } from '../../helpers/createPart.ts';

const preconditionOf = (comment: string) => {
  const code = `/** ${comment} */\nexport function half(count: number) { return count / 2; }\n`;
  return findPrecondition(ts.createSourceFile('a.ts', code, ts.ScriptTarget.Latest, true).statements[0]!);
};

test.each([
  ['Halves. The count must be even.', 'The count must be even.'],
  ['Expects a sorted list.', 'Expects a sorted list.'],
  ['Halves.\n * @param count - a positive number', 'count: a positive number'],
  ['Halves.\n * @param count a non-empty list', 'count: a non-empty list'],
  ['Halves.\n * @returns a positive number', null],
  ['Must the show go on? Returns half of it.', null],
  ['Counts the non-empty lines of a count.', null],
  ['Returns a positive number for a count.', null],
  ['Never throws; requires no network.', null],
  ['Returns whether the count must be even.', null],
  ['Finds the valid values.', null],
  ['Works for any count; nothing has to be escaped.', null],
  ['Tells whether the count must be quoted.', null],
  ['The server must be running.', null],
  ['Halves a valid number.', null],
  ['Requires a login.', 'Requires a login.'],
  ['Returns -1 if the count is negative.', null],
])('%j states %j', (comment, expected) => {
  expect(preconditionOf(comment)).toBe(expected);
});

test('a call of such a function is a note, which quotes the sentence', () => {
  const find = createPart<CheckedCounterexample>({
    ...{ kind: 'engineError', path: 'a.ts', name: 'half', call: 'half([])', expected: 'should not throw' },
    ...{ observed: 'throws TypeError', unlikely: true, precondition: 'The list must not be empty.' },
    range: { startLine: 1, startColumn: 1, endLine: 2, endColumn: 1 },
    nameRange: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 5 },
    test: { refused: 'none' },
  });
  expect(createCounterexampleOpportunity(find)).toMatchObject({
    severity: 'hint',
    message: '`half([])` throws TypeError; it should not throw (its comment says “The list must not be empty.”).',
  });
});
