// Rules that say nearly the same are found, and rules that say the opposite are not.

import { expect, test } from 'vitest';
import { findDuplicates } from '../../../../server/src/core/learn/inbox/duplicates.ts';
import type { WrittenRule } from '../../../../server/src/core/learn/ruleBook.ts';

const rule = (id: string, text: string, more: Partial<WrittenRule> = {}): WrittenRule => ({
  id,
  file: 'CODE',
  text,
  by: 'person',
  state: 'on',
  decided: true,
  dates: [0],
  events: [],
  place: null,
  template: null,
  words: [text],
  onSince: 1,
  broken: [],
  trial: null,
  ...more,
});
const sequences = new Map([
  ['r1', 4],
  ['r2', 7],
]);

test('the newer of two rules that say nearly the same is to go, with the events that wrote them', () => {
  const found = findDuplicates(
    [
      rule('r1', 'Return early instead of nesting conditions.'),
      rule('r2', 'Return early, instead of nesting the conditions'),
    ],
    sequences,
  );
  expect(found).toEqual([
    expect.objectContaining({ kind: 'skill', text: '', file: 'CODE', replaces: ['r2'], events: [4, 7] }),
  ]);
});

test.each([
  ['another subject', rule('r2', 'Name constants in capitals.')],
  ['the opposite', rule('r2', 'Do not return early instead of nesting conditions.')],
  ['another file', rule('r2', 'Return early instead of nesting conditions.', { file: 'SOUL' })],
  ['a rule that is off', rule('r2', 'Return early instead of nesting conditions.', { state: 'off' })],
])('%s is not a duplicate', (_, other) => {
  expect(findDuplicates([rule('r1', 'Return early instead of nesting conditions.'), other], sequences)).toEqual([]);
});
