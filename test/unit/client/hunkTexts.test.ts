// Which hunks a text holds, and where a line stands after an edit by hand.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findChosenHunks, readHunkTexts, findEditedLine } from '../../../client/src/review/hunkTexts.ts';
import { runs } from '../../helpers/properties.ts';
import { selectHunks } from '../../../server/src/core/propose/hunks.ts';
import type { Proposal } from '../../../server/src/core/model.ts';
import { toReview } from '../../../server/src/lsp/toProtocol.ts';
import { createPart } from '../../helpers/createPart.ts';

const proposal = createPart<Proposal>({
  id: 'p',
  title: '',
  rationale: '',
  status: 'verified',
  recipe: '',
  safety: 'additive',
  opportunity: { id: '', rule: '', path: '', symbol: null },
  verdicts: [],
  pointsBefore: null,
  pointsAfter: null,
  reason: null,
  checkpoint: null,
});
const fileOf = (before: string, after: string) =>
  toReview({ ...proposal, edits: [{ path: 'a.ts', before, after }] }, 'file:///r').files[0]!;

const lines = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a\r\n'), { maxLength: 14 })
  .map((all) => all.join(''));

test('property: the text with some hunks holds the text of exactly such hunks', () => {
  fc.assert(
    fc.property(lines, lines, fc.array(fc.boolean(), { minLength: 14, maxLength: 14 }), (before, after, picks) => {
      const file = fileOf(before, after);
      const wanted = file.hunks.map(({ index }) => index).filter((index) => picks[index]);
      const edits = [{ path: 'a.ts', before, after }];
      const text = wanted.length === 0 ? before : (selectHunks(edits, wanted)[0]?.after ?? before);
      const found = findChosenHunks(file, text);
      // Equal lines may make two choices look alike; what they write is the same.
      expect(found.length === 0 ? before : selectHunks(edits, found)[0]?.after).toBe(text);
    }),
    runs(100),
  );
});

test('property: replacing the lines of every hunk gives the new text', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
      for (const { firstLine, lineCount: count, after: text } of readHunkTexts(fileOf(before, after)).toReversed())
        old.splice(firstLine, count, text);
      expect(old.join('')).toBe(after);
    }),
    runs(100),
  );
});

test('a text that is no mixture holds none', () => {
  expect(findChosenHunks(fileOf('a\nb\n', 'a\nc\n'), 'a\nd\n')).toEqual([]);
});

test.each([
  ['above the edit', 'a\nb\nc\n', 'a\nb\nX\nc\n', 1, 1],
  ['below an added line', 'a\nb\nc\n', 'a\nX\nb\nc\n', 3, 4],
  ['below a removed line', 'a\nb\nc\nd\n', 'a\nc\nd\n', 4, 3],
  ['in an empty text', 'a\nb\n', '', 2, 1],
])('a line %s', (_, original, edited, line, expected) => {
  expect(findEditedLine(edited, original, line)).toBe(expected);
});
