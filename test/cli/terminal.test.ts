// What comes from a repository or a request is shown on a terminal, and never obeyed by it.

import { expect, test } from 'vitest';
import { printable, visible } from '../../server/src/cli/writers/human.ts';

test.each([
  ['\u001b[2J', '\\u001b[2J'],
  ['a\rb\r\nc\td', 'a\\u000db\r\nc\td'],
  ['\u202eabc\u2069', '\\u202eabc\\u2069'],
  ['\u009b31m\u0007', '\\u009b31m\\u0007'],
  ['über 日本 👍🏽', 'über 日本 👍🏽'],
])('%j', (text, shown) => expect(visible(text)).toBe(shown));

test('our own colours stay, other orders do not', () => {
  expect(printable('\u001b[32mpassed\u001b[39m \u001b[2J\u001b]0;title\u0007')).toBe('\u001b[32mpassed\u001b[39m \\u001b[2J\\u001b]0;title\\u0007');
});
