// Lines by number are those that splitting the text gives.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitWithoutLineEnds } from '../../../server/src/core/index/parse/lines.ts';

const piece = fc.constantFrom(
  '\n',
  '\n\n',
  '\r\n',
  ' ',
  '\t',
  ' ',
  '\uFEFF',
  'a',
  'word',
  '{',
  'é',
  '😀',
  '\u2028',
  '',
);

test('places, lengths, texts and white space are as split, slice and trim tell them', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('');
      const split = text.split('\n');
      const lines = splitWithoutLineEnds(text);
      expect(lines.count).toBe(split.length);
      let from = 0;
      for (const [at, line] of split.entries()) {
        expect([
          lines.startOf(at + 1),
          lines.lengthOf(at + 1),
          lines.textOf(at + 1),
          lines.isBlank(at + 1),
          lines.isIndented(at + 1),
        ]).toEqual([from, line.length, line, line.trim() === '', /^\s/.test(line)]);
        from += line.length + 1;
      }
      expect(lines.startOf(split.length + 1)).toBe(from);
    }),
    { numRuns: 500 },
  );
});

test('many short lines have room', () => {
  const lines = splitWithoutLineEnds('\n'.repeat(10_000));
  expect([lines.count, lines.startOf(10_001), lines.startOf(10_002)]).toEqual([10_001, 10_000, 10_001]);
});
