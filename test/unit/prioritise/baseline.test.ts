// The baseline file: what it looks like, what it still holds after edits, and what becomes of a damaged one.

import { describe, expect, test } from 'vitest';
import type { Opportunity } from '../../../server/src/core/model.ts';
import { createBaselineEntry, readBaseline, formatBaseline } from '../../../server/src/core/prioritise/baselineFile.ts';
import { matchBaseline, refreshBaseline } from '../../../server/src/core/prioritise/matchBaseline.ts';

const place = { startLine: 1, startColumn: 1, endLine: 1, endColumn: 9 };
const opportunity = (id: string, rest: Partial<Opportunity> = {}): Opportunity => ({
  id,
  rule: 'cognitive-complexity',
  path: 'src/a.ts',
  range: place,
  nameRange: place,
  symbol: 'parse',
  severity: 'hint',
  impact: 40,
  confidence: 0.7,
  message: `complexity ${rest.evidence?.cognitive ?? 20}`,
  evidence: { cognitive: 20 },
  recipe: null,
  ...rest,
});
const figureOf = ({ evidence }: Opportunity) => (typeof evidence.cognitive === 'number' ? evidence.cognitive : null);
const made = (...all: Opportunity[]) =>
  readBaseline(formatBaseline(all.map((one) => createBaselineEntry(one, figureOf))));
/** Ids that are held, then ids of entries that are fixed. */
function outcome(
  before: readonly Opportunity[],
  now: readonly Opportunity[],
  exists: (path: string) => boolean = () => true,
) {
  const { entryByHiddenId, fixed } = matchBaseline(made(...before), now, exists, figureOf);
  return [[...entryByHiddenId.keys()].join(' '), fixed.map(({ id }) => id).join(' ')];
}

test('one sorted line an entry, and the same text from any order', () => {
  const all = [
    opportunity('b', { path: 'src/b.ts' }),
    opportunity('z', { symbol: null, message: 'large: 1,204 lines', evidence: {} }),
    opportunity('a'),
  ];
  const text = formatBaseline(all.map((one) => createBaselineEntry(one, figureOf)));
  expect(text).toBe(`{
  "version": 1,
  "opportunities": [
    {"path":"src/a.ts","rule":"cognitive-complexity","about":"large: # lines","id":"z"},
    {"path":"src/a.ts","rule":"cognitive-complexity","symbol":"parse","figure":20,"id":"a"},
    {"path":"src/b.ts","rule":"cognitive-complexity","symbol":"parse","figure":20,"id":"b"}
  ]
}
`);
  expect(formatBaseline([...readBaseline(text)].reverse())).toBe(text);
  expect(formatBaseline([])).toBe('{\n  "version": 1,\n  "opportunities": []\n}\n');
  expect(readBaseline(formatBaseline([]))).toEqual([]);
});

const loose = (id: string, message: string) => opportunity(id, { symbol: null, message, evidence: {} });
describe('what it holds', () => {
  test.each<readonly [string, readonly Opportunity[], readonly Opportunity[], string, string]>([
    ['the same', [opportunity('a')], [opportunity('a', { range: { ...place, startLine: 90 } })], 'a', ''],
    ['an edited definition', [opportunity('a')], [opportunity('a2')], 'a2', ''],
    [
      'a definition that became a little worse',
      [opportunity('a')],
      [opportunity('a2', { evidence: { cognitive: 22 } })],
      'a2',
      '',
    ],
    [
      'not one that became much worse',
      [opportunity('a')],
      [opportunity('a2', { evidence: { cognitive: 23 } })],
      '',
      'a',
    ],
    ['not even under the same id', [opportunity('a')], [opportunity('a', { evidence: { cognitive: 60 } })], '', 'a'],
    ['not another definition', [opportunity('a')], [opportunity('b', { symbol: 'print' })], '', 'a'],
    ['not another rule', [opportunity('a')], [opportunity('b', { rule: 'long-function' })], '', 'a'],
    ['not a second one', [opportunity('a')], [opportunity('a'), opportunity('b')], 'a', ''],
    [
      'outside of definitions what says the same',
      [loose('a', '`x` of 3 is unused')],
      [loose('b', '`x` of 4 is unused'), loose('c', '`y` of 4 is unused')],
      'b',
      '',
    ],
    [
      'the larger for the larger',
      [opportunity('a', { evidence: { cognitive: 60 } }), opportunity('b')],
      [opportunity('c'), opportunity('d', { evidence: { cognitive: 60 } })],
      'c d',
      '',
    ],
    [
      'exact ones before similar ones',
      [opportunity('a'), opportunity('b')],
      [opportunity('c'), opportunity('a')],
      'a c',
      '',
    ],
    ['nothing when nothing is left', [opportunity('a'), opportunity('b')], [], '', 'a b'],
  ])('%s', (_, before, now, held, fixed) => {
    expect(outcome(before, now)).toEqual([held, fixed]);
  });

  test('each opportunity gets its own entry: by its id first, then by its place, then by the name of its file', () => {
    const gone = (path: string) => path !== 'old/a.ts';
    const entries = made(opportunity('moved', { path: 'old/a.ts' }), opportunity('a'), opportunity('b'));
    const now = [opportunity('c'), opportunity('b'), opportunity('d', { path: 'lib/a.ts' })];
    const { entryByHiddenId } = matchBaseline(entries, now, gone, figureOf);
    expect([...entryByHiddenId].map(([id, entry]) => `${id} by ${entry.id}`)).toEqual([
      'b by b',
      'c by a',
      'd by moved',
    ]);
  });

  test('an entry of a file that is gone does not take the place of one that is still there', () => {
    const entries = made(opportunity('moved', { path: 'old/a.ts' }), opportunity('a'));
    const { entryByHiddenId, fixed } = matchBaseline(
      entries,
      [opportunity('c')],
      (path) => path !== 'old/a.ts',
      figureOf,
    );
    expect([...entryByHiddenId].map(([id, entry]) => `${id} by ${entry.id}`)).toEqual(['c by a']);
    expect(fixed.map(({ id }) => id)).toEqual(['moved']);
  });

  test('files that were moved, but not copies', () => {
    const moved = [opportunity('b', { path: 'lib/deep/a.ts' })];
    expect(outcome([opportunity('a')], moved, (path) => path !== 'src/a.ts')).toEqual(['b', '']);
    expect(outcome([opportunity('a')], moved)).toEqual(['', 'a']);
  });
});

test('an update takes what is fixed away, follows edits, and never allows more', () => {
  const before = made(
    opportunity('a', { evidence: { cognitive: 30 } }),
    opportunity('b', { symbol: 'print' }),
    opportunity('gone', { path: 'src/z.ts' }),
  );
  const now = [
    opportunity('a2', { evidence: { cognitive: 25 } }),
    opportunity('b', { symbol: 'print', evidence: { cognitive: 21 } }),
    opportunity('new', { symbol: 'more' }),
  ];
  const updated = refreshBaseline(
    matchBaseline(before, now, () => true, figureOf),
    now,
    figureOf,
  );
  expect(updated.map(({ id, figure }) => `${id} ${figure}`)).toEqual(['a2 25', 'b 20']);
});

test.each<readonly [string, string, RegExp]>([
  ['no JSON', '{"version": 1, "opportunities": [', /is not JSON/],
  ['nothing', '', /is not JSON/],
  ['a merge conflict', '{\n<<<<<<< HEAD\n  "version": 1,\n=======\n>>>>>>> theirs\n', /merge conflict/],
  ['a newer version', '{"version": 2, "opportunities": []}', /newer version/],
  ['another document', '[]', /no list/],
  ['no entries', '{"version": 1, "opportunities": [{"path": "a"}]}', /entry 1 lacks/],
])('a baseline of %s is told, not guessed', (_, text, message) => {
  expect(() => readBaseline(text)).toThrow(message);
  expect(() => readBaseline(text)).toThrow(expect.objectContaining({ reason: 'damaged' }));
});
