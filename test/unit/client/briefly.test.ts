// A notice says what fits, whole sentences first; nothing of the message is lost.

import { expect, test } from 'vitest';
import { shortenMessage } from '../../../client/src/shortenMessage.ts';

test('a short message stays as it is', () => {
  const message = 'Applied: a change. The rest (2 hunks) keeps waiting and is checked again.';
  expect(shortenMessage(message)).toEqual({ notice: message, remainingText: '' });
});

test('of a long one, the sentences that fit are shown, and the others are kept for more', () => {
  const first = 'Commit first: Improve leaves alone what you have not committed, version 1.5 of it included.';
  const others = 'Or name a place in the sidebar. It is improved although its file has changes that are not committed.';
  const { notice, remainingText } = shortenMessage(`${first} ${others}`);
  expect(notice).toBe(`${first} Or name a place in the sidebar.`);
  expect(`${notice} ${remainingText}`).toBe(`${first} ${others}`);
});

test('a first sentence that is too long is cut at a word, and all of it is kept', () => {
  const message = `gradeOf: refused. ${'The tests fail with the change, '.repeat(8)}and pass without it.`;
  expect(shortenMessage(message).notice).toBe('gradeOf: refused.');
  const sentence = `Nothing is proposed because ${'this place was turned down before and '.repeat(6)}nothing else is left.`;
  const { notice, remainingText } = shortenMessage(sentence);
  expect(notice.length).toBeLessThanOrEqual(150);
  expect(notice).toMatch(/\w…$/);
  expect(remainingText).toBe(sentence);
  expect(shortenMessage('x'.repeat(400)).notice).toHaveLength(150);
});
