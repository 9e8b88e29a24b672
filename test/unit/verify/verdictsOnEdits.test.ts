// What the gates answer that look at the edits alone, row by row.

import { describe, expect, test } from 'vitest';
import { gate as applies } from '../../../server/src/core/verify/gates/applies/gate.ts';
import { gate as integrity } from '../../../server/src/core/verify/gates/integrity/gate.ts';
import { gate as score } from '../../../server/src/core/verify/gates/score/gate.ts';
import { gate as syntax } from '../../../server/src/core/verify/gates/syntax/gate.ts';
import type { ScoredChange } from '../../../server/src/core/verify/context.ts';
import { FACTS_BY_CLAIM, type ClaimKind } from '../../../server/src/core/model/claims.ts';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { answerOf, spoken } from './inMemory.ts';
import { edit, pointsOf } from './verifying.ts';

describe('applies', () => {
  test.each<[string, readonly FileEdit[], string]>([
    ['a file as expected', [edit('a.ts', 'abc', 'abd')], 'passed: 1 file as expected.'],
    ['a new file', [edit('b.ts', null, 'x')], 'passed: 1 file as expected.'],
    ['no edit', [], 'failed: The proposal has no edit.'],
    [
      'another text of the same length',
      [edit('a.ts', 'abd', 'x')],
      'failed: a.ts has changed since the proposal was made.',
    ],
    ['a shorter text', [edit('a.ts', 'ab', 'x')], 'failed: a.ts has changed since the proposal was made.'],
    ['a longer text', [edit('a.ts', 'abcd', 'x')], 'failed: a.ts has changed since the proposal was made.'],
    ['a text that stays', [edit('a.ts', 'abc', 'abc')], 'failed: a.ts is not changed by its edit.'],
    ['a file that is gone', [edit('b.ts', 'x', 'y')], 'failed: b.ts no longer exists.'],
    ['a file that is there', [edit('a.ts', null, 'x')], 'failed: a.ts is there already.'],
    ['a folder that is there', [edit('src', null, 'x')], 'failed: src is there already.'],
    ['one twice', [edit('a.ts', 'abc', 'x'), edit('a.ts', 'abc', 'y')], 'failed: a.ts is edited twice.'],
  ])('%s', async (_what, edits, expected) => {
    expect(spoken(await answerOf(applies, { files: { 'a.ts': 'abc', 'src/b.ts': '' }, edits }, false))).toBe(expected);
  });
});

describe('syntax', () => {
  /** A `!` in a text is a problem, `!2` one of another kind; nothing reads what ends in `.bin`. */
  const syntaxProblems = async (path: string, text: string) =>
    path.endsWith('.bin')
      ? null
      : [...text.matchAll(/!(\d?)/g)].map(([, code = '']) => ({ code, message: `line ${text.length}: odd` }));
  test.each<[string, readonly FileEdit[], string]>([
    ['all parses', [edit('a', 'x', 'y'), edit('b', null, 'y')], 'passed: The edited texts parse as before.'],
    ['a file that goes', [edit('a', 'x!', null)], 'passed: The edited texts parse as before.'],
    ['what was there before', [edit('a', 'x!', 'xx!')], 'passed: The edited texts parse as before.'],
    ['one more of a kind', [edit('a', 'x!', 'x!!')], 'failed: 1 new syntax problem: a: line 3: odd'],
    ['one of another kind', [edit('a', 'x!', 'x!2')], 'failed: 1 new syntax problem: a: line 3: odd'],
    ['a new file', [edit('a', null, '!')], 'failed: 1 new syntax problem: a: line 1: odd'],
    [
      'four of them',
      [edit('a', '', '!!!!')],
      `failed: 4 new syntax problems: ${Array(3).fill('a: line 4: odd').join('; ')}`,
    ],
    ['what nothing reads', [edit('a.bin', 'x', 'y')], 'unknown: Nothing here can parse a.bin.'],
    [
      'more that nothing reads',
      ['a', 'b', 'c', 'd', 'e'].map((name) => edit(`${name}.bin`, 'x', 'y')),
      'unknown: Nothing here can parse a.bin, b.bin, c.bin, and 2 more.',
    ],
    [
      'a problem beside what nothing reads',
      [edit('a.bin', 'x', 'y'), edit('b', '', '!')],
      'failed: 1 new syntax problem: b: line 1: odd',
    ],
  ])('%s', async (_what, edits, expected) => {
    expect(spoken(await answerOf(syntax, { edits, overrides: { syntaxProblems } }))).toBe(expected);
  });

  test('what nothing reads is named in the evidence, and only that', async () => {
    const evidence = async (...edits: FileEdit[]) =>
      (await answerOf(syntax, { edits, overrides: { syntaxProblems } })).evidence;
    expect(await evidence(edit('a', 'x', 'y'))).toEqual({ files: 1 });
    expect(await evidence(edit('a', 'x', 'y'), edit('b.bin', 'x', 'y'))).toEqual({ files: 2, notParsed: 'b.bin' });
    expect(await evidence(edit('a', 'x', '!'))).toEqual({ files: 1, problems: 1 });
  });
});

describe('integrity', () => {
  const source = 'export const a = 1;\n';
  const reaching = 'export const a = process.argv;\n';
  const reach =
    'It reaches for `process` in a.ts, and did not so often before: by that, code can tell that it is being tested.';
  const judge = 'It edits 1 file that changes are judged by: tests, snapshots or settings (a.test.ts).';
  test.each<[string, readonly FileEdit[], string]>([
    [
      'sources',
      [edit('a.ts', source, '')],
      'passed: No test, snapshot or setting that judges a change is edited, and nothing silences a check.',
    ],
    ['a test', [edit('a.test.ts', '', source)], `unknown: ${judge} A person has to look at it.`],
    [
      'four of them, and three are named',
      ['a', 'b', 'c', 'd'].map((name) => edit(`${name}.test.ts`, '', source)),
      'unknown: It edits 4 files that changes are judged by: tests, snapshots or settings (a.test.ts, ' +
        'b.test.ts, c.test.ts, …). A person has to look at it.',
    ],
    ['a source that reaches out', [edit('a.ts', source, reaching)], `unknown: A person has to look at it. ${reach}`],
    [
      'a test that reaches out',
      [edit('a.test.ts', source, reaching)],
      `unknown: ${judge} A person has to look at it. ${reach.replace('a.ts', 'a.test.ts')}`,
    ],
    [
      'what is silenced',
      [edit('a.ts', source, `// @ts-ignore\n${source}`)],
      'failed: A check is weakened. a.ts has a new `@ts-ignore`.',
    ],
    [
      'four things that are silenced, and three are told',
      [edit('a.ts', source, `// @ts-ignore @ts-nocheck NOSONAR biome-ignore\n${source}`)],
      'failed: A check is weakened. a.ts has a new `@ts-ignore`. a.ts has a new `@ts-nocheck`. a.ts has a new `biome-ignore`. …',
    ],
  ])('%s', async (_what, edits, expected) => {
    expect(spoken(await answerOf(integrity, { edits }))).toBe(expected);
  });

  test('what no import reaches asks a person', async () => {
    const unreached = async () => [{ path: 'a.ts', reason: 'Nothing imports a.ts.' }];
    expect(
      spoken(
        await answerOf(integrity, { edits: [edit('a.ts', source, '')], overrides: { findUnreachedFiles: unreached } }),
      ),
    ).toBe('unknown: A person has to look at it. Nothing imports a.ts.');
  });

  test('a name in escapes is a name', async () => {
    const escaped = "export const a = globals['\\u0070rocess'];\n";
    expect((await answerOf(integrity, { edits: [edit('a.ts', source, escaped)] })).reason).toContain(
      'a name in escapes',
    );
    expect((await answerOf(integrity, { edits: [edit('a.ts', source, reaching)] })).reason).not.toContain('escapes');
    expect((await answerOf(integrity, { edits: [edit('a.ts', escaped, escaped)] })).outcome).toBe('passed');
  });
});

describe('score', () => {
  const nesting = (before: number, after: number): Pick<ScoredChange, 'before' | 'after'> => {
    const side = (total: number, points: number) => {
      const made = pointsOf({ codeQuality: total });
      const { codeQuality } = made.categories;
      const inputs = [{ name: 'nesting', points, max: 60 }];
      return { ...made, categories: { ...made.categories, codeQuality: { ...codeQuality, inputs } } };
    };
    return { before: side(10, before), after: side(9, after) };
  };
  const points = (before: number | null, after: number | null, rest: Partial<ScoredChange> = {}): ScoredChange => ({
    before: pointsOf(before === null ? {} : { codeQuality: before }),
    after: pointsOf(after === null ? {} : { codeQuality: after }),
    ...rest,
  });
  const gone = ['Something is gone.'];
  test.each<[string, ClaimKind, ScoredChange, string]>([
    ['it rises', 'points', points(10, 11), 'passed: 10 → 11 points.'],
    ['it rises a little', 'points', points(10, 10.0001), 'passed: 10 → 10.0001 points.'],
    ['it stays', 'points', points(10, 10), 'failed: The score does not rise: 10 → 10 points.'],
    ['only its rounding differs', 'points', points(10, 10 + 1e-12), 'failed: The score does not rise: 10 → 10 points.'],
    ['it falls', 'points', points(10, 9), 'failed: The score falls: 10 → 9 points.'],
    [
      'it rises, and something is gone',
      'points',
      points(10, 11, { withheld: gone }),
      'failed: The gain does not count. Something is gone.',
    ],
    [
      'it stays, and something is gone',
      'points',
      points(10, 10, { withheld: gone }),
      'failed: The score does not rise: 10 → 10 points. Something is gone.',
    ],
    ['nothing is known', 'points', points(null, null), 'unknown: Nothing of the score is known, so no gain is shown.'],
    [
      'something is no longer known',
      'points',
      points(10, null),
      'failed: What was known before is unknown after the change: codeQuality.',
    ],
    [
      'another ruler',
      'points',
      { before: pointsOf({ codeQuality: 1 }), after: pointsOf({ codeQuality: 2 }, 'other') },
      'failed: The ruler itself differs before and after.',
    ],
    [
      'it rises, and a person judges that',
      'points',
      points(10, 11, { asks: ['Is it true?'] }),
      'unknown: 10 → 11 points. A person judges whether that is a gain. Is it true?',
    ],
    [
      'it stays, and a person would judge a gain',
      'points',
      points(10, 10, { asks: ['Is it true?'] }),
      'failed: The score does not rise: 10 → 10 points.',
    ],
    ['a linter is content, and it falls', 'findings', points(10, 9), 'failed: The score falls: 10 → 9 points.'],
    [
      'a linter is content, it falls, and something is gone',
      'findings',
      points(10, 9, { withheld: gone }),
      'failed: The score falls: 10 → 9 points. Something is gone.',
    ],
    [
      'it is a fix, and it falls further than as many lines cost',
      'fix',
      points(10, 9, { price: 0.5 }),
      'failed: The score falls: 10 → 9 points. Code of this length may cost 0.5 points: one guard, and what ' +
        'the other lines cost on average here. With as many lines, it has to cost 0.5 points less.',
    ],
    [
      'it says what costs the points, and how many lines are new',
      'fix',
      { ...points(10, 9, { price: 0.5, newLines: 12 }), ...nesting(8, 7) },
      'failed: The score falls: 10 → 9 points. Its 12 new lines of code may cost 0.5 points: one guard, and ' +
        'what the other lines cost on average here. With as many lines, it has to cost 0.5 points less. It costs: nesting 1.',
    ],
    [
      'types are made exact, and it falls',
      'types',
      points(10, 9, { price: 5, typeHoles: { before: 2, after: 1 } }),
      'failed: The score falls: 10 → 9 points.',
    ],
    [
      'types are made exact, and no fewer are not',
      'types',
      points(10, 10, { typeHoles: { before: 2, after: 2 } }),
      'failed: The score does not rise: 10 → 10 points.',
    ],
    ['tests are tidied, and it falls', 'upkeep', points(10, 9), 'failed: The score falls: 10 → 9 points.'],
    [
      'tests are tidied, it stays, and something is gone',
      'upkeep',
      points(10, 10, { withheld: gone }),
      'failed: The score does not rise: 10 → 10 points. Something is gone.',
    ],
  ])('%s', async (_what, gain, scored, expected) => {
    const overrides = { score: async () => scored, claimsOf: () => [gain] };
    expect(spoken(await answerOf(score, { edits: [edit('a.ts', 'x', 'y')], overrides }))).toBe(expected);
  });

  test.each<[ClaimKind, string, ScoredChange, string]>([
    ['findings', 'it stays', points(10, 10), 'The score stays: 10 → 10 points. What it fixes is not on the ruler'],
    ['upkeep', 'it stays', points(10, 10), 'The score stays: 10 → 10 points. It only tidies up tests'],
    [
      'findings',
      'it stays, and something is gone',
      points(10, 10, { withheld: gone }),
      'No gain is counted: 10 → 10 points. Something is gone. What it fixes',
    ],
    [
      'findings',
      'it rises, and something is gone',
      points(10, 11, { withheld: gone }),
      'No gain is counted: 10 → 11 points. Something is gone. What it fixes',
    ],
    ['fix', 'it falls by no more', points(10, 9, { price: 1 }), 'The score falls: 10 → 9 points. Code of this length'],
    ['fix', 'a gain does not count', points(10, 11, { withheld: gone }), 'No gain is counted: 10 → 11 points.'],
    ['request', 'it stays', points(10, 10), 'Its tests have to show that it does what was asked for.'],
    ['types', 'fewer are open', points(10, 10, { typeHoles: { before: 2, after: 1 } }), 'only types change'],
    ['findings', 'nothing is known', points(null, null), 'Nothing of the score is known, so no gain is shown. What it'],
  ])('another judge tells whether %s are a gain where %s', async (gain, _what, scored, expected) => {
    const overrides = { score: async () => scored, claimsOf: () => [gain] };
    const { outcome, reason, evidence } = await answerOf(score, { edits: [edit('a.ts', 'x', 'y')], overrides });
    expect(outcome).toBe('unknown');
    expect(reason).toContain(expected);
    expect(evidence).toMatchObject({ tried: gain, judgedBy: FACTS_BY_CLAIM[gain].shownBy });
  });

  test('a gain of a recipe of the product is not for a person to judge', async () => {
    const overrides = { score: async () => points(10, 11, { asks: ['Is it true?'] }), isBuiltInRecipe: () => true };
    expect(spoken(await answerOf(score, { edits: [edit('a.ts', 'x', 'y')], overrides }))).toBe(
      'passed: 10 → 11 points.',
    );
  });

  test.each([
    ["test('a', () => { expect(f()).toBe(1); });\n", 'unknown: The score stays'],
    ["test('a', () => { f(); });\n", 'failed: The new tests assert nothing'],
    ['export const helper = () => { expect(f()).toBe(1); };\n', 'failed: The new tests assert nothing'],
    ['', 'failed: The new tests assert nothing'],
  ])('new tests have to assert something: %j', async (text, expected) => {
    const overrides = { score: async () => points(10, 10), claimsOf: () => ['tests' as const] };
    const framed = text && `import { expect, test } from 'vitest';\n${text}`;
    const answer = await answerOf(score, { edits: [edit('a.test.ts', null, framed)], overrides });
    expect(spoken(answer)).toContain(expected);
  });

  test.each([
    ['        (2, 3),\n', 'unknown: The score stays'],
    ['        # (2, 3),\n', 'failed: The new tests assert nothing'],
  ])('rows of a Python table count as tests that assert: %j', async (row, expected) => {
    const table = (rows: string) =>
      `import pytest\n\n\n@pytest.mark.parametrize(\n    "a, b",\n    [\n        (1, 2),\n${rows}    ],\n)\n` +
      'def test_f(a, b):\n    assert f(a) == b\n';
    const overrides = { score: async () => points(10, 10), claimsOf: () => ['tests' as const] };
    const edits = [edit('tests/test_f.py', table(''), table(row))];
    expect(spoken(await answerOf(score, { edits, overrides }))).toContain(expected);
  });

  test('what adds no test is not asked whether it asserts anything', async () => {
    const overrides = { score: async () => points(10, 11), claimsOf: () => ['points' as const] };
    expect((await answerOf(score, { edits: [edit('a.ts', 'x', 'y')], overrides })).outcome).toBe('passed');
  });
});
