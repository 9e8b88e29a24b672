// The line that `selfware search` shows below a result.

import { expect, test } from 'vitest';
import { findBestLine } from '../../server/src/cli/writers/tellingLine.ts';

const text = [
  '/**',
  ' * Keeps a value.',
  ' */',
  'export function clamp(value, low, high) {',
  '  return low;',
  '}',
].join('\n');

test('the line with the most words of the query is shown, otherwise the first one that says something', () => {
  const all = { startLine: 1, endLine: 6 };
  expect(findBestLine(text, all, 'clamp value')).toEqual({
    number: 4,
    text: 'export function clamp(value, low, high) {',
  });
  expect(findBestLine(text, all, 'bounds')).toEqual({ number: 2, text: '* Keeps a value.' });
  expect(findBestLine(text, { startLine: 5, endLine: 6 }, 'clamp')).toEqual({ number: 5, text: 'return low;' });
});

test('lines of punctuation show nothing, and long lines are cut', () => {
  expect(findBestLine(text, { startLine: 6, endLine: 6 }, 'clamp')).toBeNull();
  expect(findBestLine('x'.repeat(300), { startLine: 1, endLine: 1 }, 'x')?.text).toBe(`${'x'.repeat(159)}…`);
});
