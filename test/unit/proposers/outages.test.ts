// Which task is given up because its questions are the reason of outages.

import { expect, test } from 'vitest';
import type { AskEvent } from '../../../server/src/core/proposers/accounts.ts';
import { causesOutages } from '../../../server/src/core/proposers/outages.ts';

const USAGE = { input: 1, output: 1, cached: 0, estimated: true };

/** Questions about tasks `a`, `b`…: one that is answered is a capital, and `!` follows one that may have been charged. */
function questions(words: string, run: (at: number) => string = () => 'r'): readonly AskEvent[] {
  return words.split(' ').flatMap((word, at) => {
    const task = { kind: 'request', id: word[0]!.toLowerCase(), opportunity: null, path: null } as const;
    const ask = `ask-${at}`;
    const isAnswered = word[0] !== task.id;
    const usage = isAnswered || word.endsWith('!') ? USAGE : null;
    const none = { proposal: null, model: null, format: null, rung: null, millis: 1, reason: 'HTTP 500.' };
    const outcome = isAnswered ? 'refused' : 'failed';
    const outage = isAnswered ? {} : { outage: { until: null } };
    const budget = { replyTokens: 1, seconds: 1 };
    return [
      { at, asked: { ask, run: run(at), task, proposer: 'p', promptTokens: 1, budget } },
      { at, answered: { ...none, ask, task, outcome, usage, ...outage } },
    ];
  });
}

test.each([
  ['three outages while another task is answered', 'a B a a', true],
  ['two of them', 'a B a', false],
  ['an answer before the outages', 'B a a a a a', false],
  ['the server is down for all', 'a b a b a b a b a b a b', false],
  ['the task was answered meanwhile', 'a B a A a', false],
  ['five that may have been charged', 'a! a! a! a! a!', true],
  ['four of them', 'a! a! a! a!', false],
  ['five, one of which cost nothing', 'a! a! a a! a!', false],
  ['no question', 'B', false],
])('%s: %s', (_what, words, isGivenUp) => {
  expect(causesOutages(questions(words), 'a')).toBe(isGivenUp);
});

test('outages of an earlier run do not count', () => {
  expect(
    causesOutages(
      questions('a B a a', (at) => (at < 3 ? 'earlier' : 'r')),
      'a',
    ),
  ).toBe(false);
});
