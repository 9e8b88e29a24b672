// What answers to agents may hold: bounded, whole, and unable to break out of their quotes.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { truncate, condenseToTokens, toOneLine, cutPage, toCodeBlock } from '../../../server/src/tools/bounds.ts';
import { runs } from '../../helpers/properties.ts';
import { isInPath } from '../../../server/src/tools/paths.ts';
import { estimateTokens } from '../../../server/src/util/tokens.ts';

test('pages hold every row once, in order, within their bounds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 200 }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 300 }),
      (rows, limit, tokens) => {
        const seen: string[] = [];
        for (let offset: number | null = 0; offset !== null; ) {
          const page: ReturnType<typeof cutPage<string>> = cutPage(rows, offset, limit, tokens);
          expect(page.total).toBe(rows.length);
          expect(page.rows.length).toBeLessThanOrEqual(limit);
          if (page.rows.length > 1)
            expect(page.rows.reduce((sum, row) => sum + estimateTokens(JSON.stringify(row)), 0)).toBeLessThanOrEqual(
              tokens,
            );
          seen.push(...page.rows);
          offset = page.nextOffset;
        }
        expect(seen).toEqual(rows);
      },
    ),
    runs(100),
  );
});

test('a page beyond the end is empty, and the last', () => {
  expect(cutPage([1, 2], 5, 10)).toEqual({ rows: [], total: 2, nextOffset: null });
});

test('what is cut says so, and no character is torn apart', () => {
  expect(truncate('short', 10)).toBe('short');
  expect(truncate('😀'.repeat(100), 2.5)).toMatch(/^😀… \(198 more characters\)$/u);
  expect(condenseToTokens(`${'line\n'.repeat(3)}end`, 2)).toMatch(/^line/);
  expect(condenseToTokens('😀'.repeat(100), 3)).not.toMatch(/[\uD800-\uDFFF]/u);
});

test('a sentence of ours that quotes stays one line without anything that cannot be seen', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 60 }),
      (text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\n]/u.test(toOneLine(text)),
    ),
    runs(100),
  );
  expect(toOneLine(' one\r\n\ttwo\u202e\u200bthree ')).toBe('one two three');
  expect(toOneLine('x'.repeat(300)).length).toBe(201);
});

test('a quote is closed by its own fence alone', () => {
  const piece = fc.constantFrom('`', '```', '`````', '\n', 'text', '~~~');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      const lines = toCodeBlock(text).split('\n');
      const [fence = ''] = lines;
      expect(fence).toMatch(/^`{3,}$/);
      expect(text).not.toContain(fence);
      expect(lines.at(-1)).toBe(fence);
    }),
    runs(100),
  );
});

test.each([
  ['src/a.ts', 'src', true],
  ['src/a.ts', './src/', true],
  ['src/a.ts', 'src\\a.ts', true],
  ['src/a.ts', '.', true],
  ['src/a.ts', '', true],
  ['srcs/a.ts', 'src', false],
  ['a.ts', 'src', false],
])('%s is within %s: %s', (path, wanted, expected) => expect(isInPath(path, wanted)).toBe(expected));
