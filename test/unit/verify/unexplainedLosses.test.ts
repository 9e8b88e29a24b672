// Tests of touched files that vanish: the gate fails, unless the text shows that they were removed, renamed or skipped.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { gate } from '../../../server/src/core/verify/gates/tests/gate.ts';
import { parseTestCases } from '../../../server/src/core/verify/judge/testCases.ts';
import { answerOf } from './inMemory.ts';
import { edit } from './verifying.ts';

const PATH = 'test/clamp.test.js';
const NAMES = ['low', 'high', 'stays', 'pages', 'more', 'last'];
const caseOf = (name: string) => `test('${name}', () => { assert.equal(clamp('${name}'), 1); });\n`;
const OLD = `import test from 'node:test';\nfor (const n of [1, 2]) test(\`row \${n}\`, () => check(n));\n${NAMES.map(caseOf).join('')}`;
const RAN = ['row 1', 'row 2', ...NAMES];
const PYTHON = 'def test_half():\n    assert half(2) == 1\n\ndef test_more():\n    assert half(4) == 2\n';
const IN_GROUPS = ['First', 'Second']
  .map((title) => `describe('${title}', () => {\n  it('works', () => { assert.equal(clamp('${title}'), 1); });\n});\n`)
  .join('');

/** The answer of the gate if these tests run without and with the change; each as `name` or `file: name`. */
async function told(edits: readonly FileEdit[], now: readonly string[], before = RAN): Promise<string> {
  const tap = (names: readonly string[]) =>
    ['TAP version 13', ...names.map((name, index) => `ok ${index + 1} - ${name}`), `1..${names.length}\n`].join('\n');
  const { outcome, reason } = await answerOf(gate, {
    files: Object.fromEntries(edits.flatMap(({ path, before }) => (before === null ? [] : [[path, before]]))),
    edits,
    runsCandidateFirst: true,
    overrides: {
      settings: { testCommand: 'run-tests' },
      testCases: async (files) => files.flatMap(({ path, text }) => parseTestCases(path, text)),
      mayDisappear: () => true,
    },
    commands: {
      'run-tests': (texts) => {
        const isChanged = edits.every(({ path, after }) => (texts.get(path) ?? null) === after);
        return { stdout: tap(isChanged ? now : before), exitCode: 0 };
      },
    },
  });
  return `${outcome}: ${reason}`;
}

test.each<[string, FileEdit[], string[]]>([
  ['the file ends at once', [edit(PATH, OLD, `process.exit(0);\n${OLD}`)], [PATH]],
  ['the file moves', [edit(PATH, OLD, null), edit('spec/cases.js', null, OLD)], ['other']],
  ['no test is left', [edit(PATH, OLD, null), edit('spec/cases.js', null, OLD)], []],
  [
    'it moves, and all tests get other names',
    [edit(PATH, OLD, null), edit('spec/cases.js', null, OLD.replaceAll("test('", "test('it "))],
    ['other'],
  ],
])('failed: %s', async (_, edits, now) => {
  expect(await told(edits, now)).toBe(
    'failed: 8 tests of those that pass without the change do not run with it: row 1; row 2; low; high; stays; …',
  );
});

test('rows of a loop that vanish, and tests of Python that are still declared, are lost', async () => {
  const fewer = edit(PATH, OLD, OLD.replace('[1, 2]', '[1]'));
  expect(
    await told(
      [fewer],
      RAN.filter((name) => name !== 'row 2'),
    ),
  ).toMatch(/^failed: 1 test .+: row 2\.$/);
  const python = edit('tests/test_half.py', PYTHON, `import sys\n${PYTHON}`);
  expect(await told([python], ['test_half'], ['test_half', 'test_more'])).toMatch(/^failed: 1 test .+: test_more\.$/);
});

test.each<[string, FileEdit[], string[], string[]?]>([
  ['a case is removed', [edit(PATH, OLD, OLD.replace(caseOf('high'), ''))], RAN.filter((name) => name !== 'high')],
  [
    'a case gets another name',
    [edit(PATH, OLD, OLD.replace("test('high'", "test('above'"))],
    RAN.map((name) => name.replace('high', 'above')),
  ],
  [
    'a case is skipped',
    [edit(PATH, OLD, OLD.replace("test('high'", `test${'.'}skip('high'`))],
    RAN.map((name) => name.replace('high', 'high # SKIP')),
  ],
  ['rows get other values', [edit(PATH, OLD, OLD.replace('[1, 2]', '[3, 4]'))], ['row 3', 'row 4', ...NAMES]],
  ['the title of rows changes', [edit(PATH, OLD, OLD.replace('`row ', '`line '))], ['line 1', 'line 2', ...NAMES]],
  ['the file moves and runs', [edit(PATH, OLD, null), edit('spec/a.test.js', null, OLD)], RAN],
  ['the file is removed', [edit(PATH, OLD, null)], ['other']],
  [
    'a test of Python is removed',
    [edit('tests/test_half.py', PYTHON, PYTHON.split('\n\n')[0]!)],
    ['test_half'],
    ['test_half', 'test_more'],
  ],
  [
    'a test of Python gets a longer name',
    [edit('tests/test_half.py', PYTHON, PYTHON.replace('test_more', 'test_more_of_it'))],
    ['test_half', 'test_more_of_it'],
    ['test_half', 'test_more'],
  ],
  [
    'a test of Ruby is removed, and one whose title is longer stays',
    [edit('spec/half_spec.rb', "it 'adds' do\nend\nit 'adds many' do\nend\n", "it 'adds many' do\nend\n")],
    ['adds many'],
    ['adds', 'adds many'],
  ],
  [
    'one of two cases with the same title gets another one',
    [edit(PATH, IN_GROUPS, IN_GROUPS.replace("it('works'", "it('works on one'"))],
    ['First › works on one', 'Second › works'],
    ['First › works', 'Second › works'],
  ],
])('not lost: %s', async (_, edits, now, before) => {
  expect(await told(edits, now, before)).toMatch(/^passed: /);
});

test('a case with the title of another one that stops to run is lost', async () => {
  const now = ['First › works'];
  const ended = edit(
    PATH,
    IN_GROUPS,
    `${IN_GROUPS.replace("describe('Second'", "process.exit(0);\ndescribe('Second'")}`,
  );
  expect(await told([ended], now, [...now, 'Second › works'])).toMatch(/^failed: 1 test .+: Second › works\.$/);
});

test('a title with many filled-in values takes no time', async () => {
  const title = `x${'%s'.repeat(60)}z`;
  const text = (ends: string) => `${ends}test.each(rows)('${title}', () => check());\n`;
  const ran = `x${'a'.repeat(20_000)}`;
  const edits = [edit(PATH, text(''), text('process.exit(0);\n'))];
  expect(await told(edits, ['other'], ['other', ran])).toMatch(/^failed: 1 test /);
});
