// The gates that need no command of the repository: each is shown to pass and to fail.

import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { chooseClaims, LINTER_FIX_RECIPE } from '../../../server/src/core/session/propose/claims.ts';
import { isNoSuchCheck } from '../../../server/src/core/verify/answer.ts';
import { checkLabel } from '../../../server/src/protocol/plainWords.ts';
import { WITHOUT_MANAGER } from '../../helpers/manifest.ts';
import { verifyingTexts } from './inMemory.ts';
import { edit, pointsOf, told, toldBy, verifying, type Overrides } from './verifying.ts';
import { thoroughTest } from '../../helpers/thorough.ts';

const quiet = [
  'types unknown: No type check was found: no package script, and no tsconfig.json.',
  'lint unknown: No linter was found.',
  'tests unknown: No tests were found.',
];
const GATES = 'applies syntax charter integrity score types lint tests'.split(' ');
const change = [edit('a.ts', 'export const a = 1;\n', 'export const a = 2;\n')];

test('a check that the repository does not have says so to programs, too', async () => {
  const { verdicts } = await verifyingTexts({ 'a.ts': change[0]!.before! }).verify(change);
  expect(verdicts.filter(isNoSuchCheck).map(({ gate }) => gate)).toEqual(['types', 'lint', 'tests']);
});

test('applies: edits fit the bytes that are there, and say something', async () => {
  await using given = await verifying({
    'a.ts': 'export const a = 1;\n',
    'bom.ts': '\uFEFFexport {};\r\n',
    'folder/x.ts': '',
  });
  await symlink('a.ts', join(given.repository.dir, 'link.ts'));
  const inMemory = verifyingTexts({ 'a.ts': 'export const a = 1;\n' });
  const check = async (edits: readonly FileEdit[], expected: string, by: Pick<typeof given, 'verify'> = inMemory) =>
    expect(told(await by.verify(edits))[0]).toBe(`applies ${expected}`);
  await check(change, 'passed: 1 file as expected.');
  await check(
    [edit('bom.ts', '\uFEFFexport {};\r\n', 'export {};\r\n'), edit('new.ts', null, ''), edit('folder/x.ts', '', null)],
    'passed: 3 files as expected.',
    given,
  );
  await check([], 'failed: The proposal has no edit.');
  await check(
    [edit('a.ts', 'export const a = 1;\n', 'export const a = 1;\n')],
    'failed: a.ts is not changed by its edit.',
  );
  await check([edit('gone.ts', null, null)], 'failed: gone.ts is not changed by its edit.');
  await check([...change, ...change], 'failed: a.ts is edited twice.');
  await check(
    [edit('a.ts', 'export const a = 1;\r\n', 'x')],
    'failed: a.ts has changed since the proposal was made.',
    given,
  );
  await check(
    [edit('bom.ts', 'export {};\r\n', 'x')],
    'failed: bom.ts has changed since the proposal was made.',
    given,
  );
  await check([edit('missing.ts', 'x', 'y')], 'failed: missing.ts no longer exists.', given);
  await check([edit('a.ts', null, 'x')], 'failed: a.ts is there already.');
  await check([edit('folder', null, 'x')], 'failed: folder is there already.', given);
  await check(
    [edit('link.ts', 'export const a = 1;\n', 'x')],
    'failed: link.ts is a link; it is not written through.',
    given,
  );
  await check([edit('../outside.ts', null, 'x')], 'failed: ../outside.ts is not a file of the repository.', given);
});

test('applies: uncommitted work is part of the base', async () => {
  await using given = await verifying({ 'a.ts': 'committed\n' });
  await given.repository.write('a.ts', 'export const uncommitted = 1;\n');
  expect(
    told(await given.verify([edit('a.ts', 'export const uncommitted = 1;\n', 'export const better = 1;\n')]))[0],
  ).toBe('applies passed: 1 file as expected.');
});

test('syntax: what parsed still parses; what did not may stay as it was', async () => {
  const broken = 'const = 1;\nexport {};\n';
  const given = verifyingTexts({ 'a.ts': 'export {};\n', 'broken.ts': broken, 'b.md': '# b\n' });
  const check = async (edits: readonly FileEdit[], expected: RegExp) =>
    expect(told(await given.verify(edits))[1]).toMatch(expected);
  await check([edit('a.ts', 'export {};\n', 'export const a = 1;\n')], /^syntax passed/);
  await check(
    [edit('a.ts', 'export {};\n', 'export const = 1;\n')],
    /^syntax failed: \d new syntax problems?: a.ts: line 1: /,
  );
  await check([edit('new.ts', null, 'function (\n')], /^syntax failed/);
  await check([edit('broken.ts', broken, `// moved\n${broken}`)], /^syntax passed/);
  await check([edit('broken.ts', broken, `${broken}const = 2;\n`)], /^syntax failed: \d new/);
  await check([edit('a.ts', 'export {};\n', null)], /^syntax passed/);
  await check([edit('b.md', '# b\n', 'const =')], /^syntax passed/);
});

test('syntax: data is parsed, too, and what nothing can parse is said to be unknown', async () => {
  const files = {
    'a.json': '{ "a": 1 }\n',
    'ci.yml': 'on: push\n',
    'x.toml': 'a = 1\n',
    'page.css': 'a { color: red }\n',
    'a.ts': 'export {};\n',
  };
  const given = verifyingTexts(files);
  const check = async (path: keyof typeof files, after: string) =>
    told(await given.verify([edit(path, files[path], after)]))[1];
  expect(await check('a.json', '{ "a": 1 ')).toMatch(
    /^syntax failed: 1 new syntax problem: a\.json: It is not valid JSON: /,
  );
  expect(await check('a.json', '{ "a": 2 }\n')).toBe('syntax passed: The edited texts parse as before.');
  expect(await check('ci.yml', 'on: [push\n')).toMatch(/^syntax failed: .*ci\.yml: It is not valid YAML: /);
  expect(await check('x.toml', 'a = \n')).toMatch(/^syntax failed: .*x\.toml: It is not valid TOML: /);
  expect(await check('page.css', 'a { color: blue\n')).toBe('syntax unknown: Nothing here can parse page.css.');
  const both = await given.verify([
    edit('a.ts', files['a.ts'], 'export const a = 1;\n'),
    edit('page.css', files['page.css'], 'a {}\n'),
  ]);
  expect(told(both)[1]).toBe('syntax unknown: Nothing here can parse page.css.');
});

test('charter: what it forbids is refused, with its reason', async () => {
  const given = verifyingTexts({ 'a.ts': 'export const a = 1;\n' });
  const seen: FileEdit[][] = [];
  const refused = await given.verify(change, {
    checkCharter: async (edits) => (seen.push([...edits]), { allowed: false, reason: 'a.ts is protected.' }),
  });
  expect(told(refused)).toEqual([
    'applies passed: 1 file as expected.',
    'syntax passed: The edited texts parse as before.',
    'charter failed: a.ts is protected.',
  ]);
  expect(refused).toMatchObject({
    outcome: 'refused',
    reason: 'charter: a.ts is protected.',
    pointsBefore: null,
    pointsAfter: null,
  });
  expect(seen).toEqual([change]);
});

test('score: only a strict rise of what is known is a success', async () => {
  const given = verifyingTexts({ 'a.ts': 'export const a = 1;\n' });
  const check = async (
    before: ReturnType<typeof pointsOf>,
    after: ReturnType<typeof pointsOf>,
    outcome: 'verified' | 'refused',
    expected: string,
  ) => {
    const verification = await given.verify(change, { score: async () => ({ before, after }) });
    expect(verification.outcome).toBe(outcome);
    expect(told(verification).slice(4, 8)).toEqual([`score ${expected}`, ...(outcome === 'verified' ? quiet : [])]);
    expect([verification.pointsBefore, verification.pointsAfter]).toEqual([before, after]);
  };
  await check(
    pointsOf({ codeQuality: 10 }),
    pointsOf({ codeQuality: 10.0001 }),
    'verified',
    'passed: 10 → 10.0001 points.',
  );
  await check(
    pointsOf({ codeQuality: 10, safety: 5 }),
    pointsOf({ codeQuality: 12, safety: 4 }),
    'verified',
    'passed: 15 → 16 points.',
  );
  await check(
    pointsOf({ codeQuality: 10 }),
    pointsOf({ codeQuality: 10 }),
    'refused',
    'failed: The score does not rise: 10 → 10 points.',
  );
  await check(
    pointsOf({ codeQuality: 0.1 + 0.2 }),
    pointsOf({ codeQuality: 0.3 + 1e-12 }),
    'refused',
    'failed: The score does not rise: 0.3 → 0.3 points.',
  );
  await check(
    pointsOf({ codeQuality: 10 }),
    pointsOf({ codeQuality: 9 }),
    'refused',
    'failed: The score falls: 10 → 9 points.',
  );
  await check(
    pointsOf({ codeQuality: 10 }),
    pointsOf({ codeQuality: 10, safety: 5 }),
    'refused',
    'failed: The score does not rise: 10 → 15 points.',
  );
  await check(
    pointsOf({ codeQuality: 10, safety: 1 }),
    pointsOf({ codeQuality: 19 }),
    'refused',
    'failed: What was known before is unknown after the change: safety.',
  );
  const known = {
    before: pointsOf({ codeQuality: 10 }),
    after: pointsOf({ codeQuality: 11 }),
    withheld: ['There are fewer tests.'],
  };
  expect(told(await given.verify(change, { score: async () => known })).at(-1)).toBe(
    'score failed: The gain does not count. There are fewer tests.',
  );
  await check(pointsOf({}), pointsOf({}), 'refused', 'unknown: Nothing of the score is known, so no gain is shown.');
  await check(
    pointsOf({ codeQuality: 1 }),
    pointsOf({ codeQuality: 2 }, 'another'),
    'refused',
    'failed: The ruler itself differs before and after.',
  );
});

test('a gain that no ruler can judge is left to a person, unless a recipe of the product made the change', async () => {
  const given = verifyingTexts({ 'a.ts': 'export const a = 1;\n' });
  const asking = {
    before: pointsOf({ codeQuality: 10 }),
    after: pointsOf({ codeQuality: 11 }),
    asks: ['Nobody can tell.'],
  };
  const stranger = await given.verify(change, { score: async () => asking, isBuiltInRecipe: () => false });
  expect(stranger.outcome).toBe('verified');
  const said = 'score unknown: 10 → 11 points. A person judges whether that is a gain. Nobody can tell.';
  expect(toldBy('score', stranger)).toBe(said);
  expect(
    toldBy('score', await given.verify(change, { score: async () => asking, isBuiltInRecipe: () => true })),
  ).toMatch(/^score passed/);
});

test('progress names each gate; evidence and time are in the verdicts', async () => {
  const given = verifyingTexts({ 'a.ts': 'export const a = 1;\n' });
  const messages: string[] = [];
  const overrides: Overrides = {
    report: ({ stage, done, total, message }) => messages.push(`${stage} ${done}/${total} ${message}`),
  };
  const verification = await given.verify(change, overrides);
  expect(messages).toEqual([
    `verifying 0/${GATES.length} Opening a sandbox`,
    ...GATES.map((gate, index) => `verifying ${index}/${GATES.length} ${checkLabel(gate)}`),
  ]);
  expect(verification.verdicts[4]).toMatchObject({ gate: 'score', evidence: { before: 10, after: 11, gain: 1 } });
  expect(verification.verdicts.every(({ millis }) => millis >= 0)).toBe(true);
});

const suite = {
  'package.json': JSON.stringify({ scripts: { test: 'node --test' }, ...WITHOUT_MANAGER }),
  'a.js': 'exports.one = 1;\n',
  'a.test.js': "require('node:test')('one', () => {});\n",
};
const same = { score: async () => ({ before: pointsOf({ codeQuality: 10 }), after: pointsOf({ codeQuality: 10 }) }) };
const more =
  "const { test } = require('node:test');\nconst assert = require('node:assert');\ntest('is 1', () => {\n  assert.equal(require('./a').one, 1);\n});\n";

thoroughTest(
  'gain: a recipe may tidy tests up where the score stays and as many of them pass, and a person is asked',
  async () => {
    const before =
      "const { test } = require('node:test');\nconst unused = require('node:path');\ntest('one', () => {});\ntest('two', () => {});\n";
    const files = { ...suite, 'a.test.js': before };
    await using given = await verifying(files);
    const check = async (after: string, recipe: string, path = 'a.test.js', by: Pick<typeof given, 'verify'> = given) =>
      by.verify([edit(path, path === 'a.test.js' ? before : suite['a.js'], after)], {
        claimsOf: (_, edits) => chooseClaims({ recipe }, edits),
        ...same,
      });
    const tidy = before.replace(/const unused.*\n/, '');
    const tidied = await check(tidy, 'remove-unused');
    expect(tidied.outcome).toBe('verified');
    expect(toldBy('score', tidied)).toMatch(
      /^score unknown: The score stays: 10 → 10 points\. It only tidies up tests/,
    );
    expect(toldBy('integrity', tidied)).toMatch(/^integrity unknown: It edits 1 file that changes are judged by/);
    expect(toldBy('tests', tidied)).toMatch(/^tests passed: 2 tests passed/);
    // Whoever else edits tests, and whatever else stays the same, is judged by points.
    const inMemory = verifyingTexts(files);
    expect(await check(tidy, 'a-model', 'a.test.js', inMemory)).toMatchObject({
      outcome: 'refused',
      reason: 'score: The score does not rise: 10 → 10 points.',
    });
    expect(await check('exports.one = 1 + 0;\n', 'remove-unused', 'a.js', inMemory)).toMatchObject({
      outcome: 'refused',
      reason: 'score: The score does not rise: 10 → 10 points.',
    });
    for (const worse of [
      tidy.replace("test('two', () => {});\n", ''),
      tidy.replace('() => {});\n', "() => { throw new Error('x'); });\n"),
      tidy.replace("test('two', ", "test('two', { skip: true }, "),
    ])
      expect((await check(worse, 'remove-unused')).outcome).toBe('refused');
  },
);

test("gain: the linter's own fix may hold less code, and earns nothing by it; a person's or a model's may not", async () => {
  const given = verifyingTexts({ ...suite, 'a.js': 'exports.one = [1].length;\n' });
  const [points, none] = [pointsOf({ codeQuality: 10 }), pointsOf({})];
  const check = async (
    recipe: string,
    score: { readonly before: typeof points; readonly after: typeof points; readonly withheld?: readonly string[] },
  ) =>
    given.verify([edit('a.js', 'exports.one = [1].length;\n', 'exports.one = 1;\n')], {
      claimsOf: (_, edits) => chooseClaims({ recipe }, edits),
      score: async () => score,
    });
  const less = {
    before: points,
    after: pointsOf({ codeQuality: 11 }),
    withheld: ['The measured code no longer holds `length`.'],
  };
  expect(toldBy('score', await check(LINTER_FIX_RECIPE, less))).toMatch(
    /^score unknown: No gain is counted: 10 → 11 points\. The measured code no longer holds `length`\. What it fixes is not on the ruler/,
  );
  expect(toldBy('score', await check('a-model', less))).toMatch(/^score failed: The gain does not count\./);
  expect(toldBy('score', await check(LINTER_FIX_RECIPE, { ...less, after: pointsOf({ codeQuality: 9 }) }))).toMatch(
    /^score failed: The score falls/,
  );
  // Whether the linter finds less is asked where nothing else is known, too; here no linter is known of.
  const unknown = await check(LINTER_FIX_RECIPE, { before: none, after: none });
  expect(unknown).toMatchObject({ outcome: 'refused', reason: expect.stringMatching(/^lint: /) });
  expect(toldBy('score', unknown)).toMatch(
    /^score unknown: Nothing of the score is known, so no gain is shown\. What it fixes/,
  );
});

test('gain: a proposal of new tests keeps the score, and more tests have to pass', async () => {
  await using given = await verifying(suite);
  const check = async (edits: readonly FileEdit[], overrides: Overrides = same) =>
    given.verify(edits, { claimsOf: chooseClaims, ...overrides });
  const added = await check([edit('b.test.js', null, more)]);
  expect(added).toMatchObject({ outcome: 'verified', pointsBefore: { total: 10 }, pointsAfter: { total: 10 } });
  expect(toldBy('score', added)).toMatch(/^score unknown: The score stays: 10 → 10 points\. It only adds tests/);
  expect(toldBy('integrity', added)).toMatch(
    /^integrity unknown: It edits 1 file that changes are judged by: tests, snapshots or settings \(b\.test\.js\)/,
  );
  expect(await check([edit('b.test.js', null, 'const nothing = 1;\n')])).toMatchObject({
    outcome: 'refused',
    reason: 'score: The new tests assert nothing, as far as can be read from them.',
  });
  expect(await check([edit('b.test.js', null, more.replace(', 1)', ', 7)'))])).toMatchObject({
    outcome: 'refused',
    reason: expect.stringMatching(/^tests: 1 test fails/),
  });
  // A score that falls, an edit of a test that is there, or of anything else, is judged by points.
  expect(
    await check([edit('b.test.js', null, more)], {
      score: async () => ({ before: pointsOf({ codeQuality: 10 }), after: pointsOf({ codeQuality: 9 }) }),
    }),
  ).toMatchObject({ outcome: 'refused', reason: 'score: The score falls: 10 → 9 points.' });
  // Test cases may be added to a file that is there, which loses nothing, and they assert something themselves.
  const appended = async (text: string) => check([edit('a.test.js', suite['a.test.js'], suite['a.test.js'] + text)]);
  expect((await appended(more)).outcome).toBe('verified');
  expect(await appended("require('node:test').test('two', () => {});\n")).toMatchObject({
    outcome: 'refused',
    reason: 'score: The new tests assert nothing, as far as can be read from them.',
  });
  expect(await check([edit('a.test.js', suite['a.test.js'], more)])).toMatchObject({
    outcome: 'refused',
    reason: 'score: The score does not rise: 10 → 10 points.',
  });
  expect(await check([edit('b.test.js', null, more), edit('b.js', null, '')])).toMatchObject({
    outcome: 'refused',
    reason: expect.stringMatching(/^claim: The tests that it brings pass without the change, too/),
  });
});
