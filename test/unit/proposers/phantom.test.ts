// A reply that announces a change and makes none is recognised by two signs: words of intent, and no edit.

import { expect, test } from 'vitest';
import { announcesChange } from '../../../server/src/core/proposers/reply/phantom.ts';
import { readReply } from '../../../server/src/core/proposers/reply/read.ts';

test.each([
  'I will now update src/rate.ts so that it divides.',
  "I'll fix the rounding in `rate`.",
  'Let me edit the file first.',
  "I've added the missing check.",
  'I have now replaced the loop.',
])('%j announces a change', (text) => {
  expect(announcesChange(text)).toBe(true);
  expect(readReply(text, true)).toMatchObject({
    phantom: true,
    refused: expect.stringContaining('only announces one'),
  });
});

test.each([
  'I do not know.',
  'The function divides by 100. Nothing has to change.',
  'You could edit the file by hand.',
  'Use `I will update it` as the label.',
  '```\nLet me write this down\n```',
])('%j announces none', (text) => {
  expect(announcesChange(text)).toBe(false);
  const read = readReply(text, true);
  expect('phantom' in read).toBe(false);
});

test('with an edit, the same words are no phantom', () => {
  const edit = JSON.stringify({ description: 'x', edits: [{ file: 'a.ts', search: 'a', replace: 'b' }] });
  expect(readReply(`I will now edit the file.\n${edit}`, true)).toMatchObject({ format: 'json' });
});
