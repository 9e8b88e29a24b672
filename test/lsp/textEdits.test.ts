// Minimal edits: applying them gives exactly the other text.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { computeTextEdits } from '../../server/src/lsp/textEdits.ts';
import { runs } from '../helpers/properties.ts';

test.each([
  { name: 'equal', before: 'a\n', after: 'a\n', count: 0 },
  { name: 'from nothing', before: '', after: 'a\n', count: 1 },
  { name: 'to nothing', before: 'a\nb', after: '', count: 1 },
  { name: 'a line in the middle', before: 'a\nb\nc\n', after: 'a\nB\nc\n', count: 1 },
  { name: 'two places', before: 'a\nb\nc\nd\n', after: 'A\nb\nc\nD\n', count: 2 },
  { name: 'a last line without an end', before: 'a\nb', after: 'a\nb\n', count: 1 },
  { name: 'line ends of Windows', before: 'a\r\nb\r\n', after: 'a\r\nc\r\n', count: 1 },
  { name: 'mixed line ends', before: 'a\r\nb\nc\r', after: 'a\nb\nc\rd', count: 2 },
  { name: 'beyond the basic plane', before: '😀 a\n😀\n', after: '😀 a\n😀😀\n', count: 1 },
])('$name', ({ before, after, count }) => {
  const edits = computeTextEdits(before, after);
  expect(TextDocument.applyEdits(TextDocument.create('', '', 0, before), edits)).toBe(after);
  expect(edits).toHaveLength(count);
});

test('any text becomes any other', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '😀', '', 'a b'), { maxLength: 8 })
    .chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => lines.join(end)));
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(TextDocument.applyEdits(TextDocument.create('', '', 0, before), computeTextEdits(before, after))).toBe(
        after,
      );
    }),
    runs(500),
  );
});

test('a large text that shares nothing is replaced within seconds', () => {
  const before = Array.from({ length: 20_000 }, (_, line) => `before ${line}`).join('\n');
  const after = Array.from({ length: 20_000 }, (_, line) => `after ${line}`).join('\n');
  expect(TextDocument.applyEdits(TextDocument.create('', '', 0, before), computeTextEdits(before, after))).toBe(after);
});
