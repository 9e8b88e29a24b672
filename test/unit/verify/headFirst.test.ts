// The tests of a judged change run with the change first, and then without it, whatever the texts of the tests say:
// each of these changes makes a test vanish in a way that no text of a test file shows.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { createBaselineCache } from '../../../server/src/core/verify/baseline.ts';
import { gate } from '../../../server/src/core/verify/gates/tests/gate.ts';
import type { MemoryCommand } from '../../helpers/memorySandbox.ts';
import { answerOf, type Result } from './inMemory.ts';
import { edit } from './verifying.ts';

const SPEC = "import test from 'ava';\nimport { parse } from './a.js';\ntest('a', (t) => t.is(parse(1), 1));\n";
const tap = (...lines: readonly string[]): Result => ({
  stdout: ['TAP version 13', ...lines, `1..${lines.length}`, ''].join('\n'),
  exitCode: lines.some((line) => line.startsWith('not ok')) ? 1 : 0,
});
const BOTH = tap('ok 1 - a', 'ok 2 - b');
const CODE = 'export const parse = (x) => 0 + x;\n';

/** The answer, and which sides ran in which order. */
async function judged({
  withIt = BOTH,
  edits = [],
  files = {},
  expectedTests = null,
}: {
  withIt?: Result;
  edits?: readonly FileEdit[];
  files?: Readonly<Record<string, string>>;
  expectedTests?: number | null;
} = {}) {
  const after = 'export const parse = (x) => x;\n';
  const sides = new Set<string>();
  const { outcome, reason } = await answerOf(gate, {
    files: { 'a.js': CODE, 'test.js': SPEC, ...files },
    edits: [edit('a.js', CODE, after), ...edits],
    runsCandidateFirst: true,
    overrides: {
      settings: { testCommand: 'run-tests' },
      setUp: { testCommand: null, services: [], values: {}, expectedTests },
      mayDisappear: (file) => file === 'test.js',
    },
    commands: {
      'run-tests': (texts) => {
        const isHead = texts.get('a.js') === after;
        sides.add(isHead ? 'head' : 'base');
        return isHead ? withIt : BOTH;
      },
    },
  });
  return { outcome, reason, sides: [...sides] };
}

test('the base runs after the head, even if all tests pass and their texts fix which there are', async () => {
  expect(await judged()).toEqual({ outcome: 'passed', reason: '2 tests passed.', sides: ['head', 'base'] });
});

test.each<[string, readonly FileEdit[], Readonly<Record<string, string>>?]>([
  [
    'a touched script that is no test by its name or imports',
    [edit('checks/b.mjs', "import { check } from '../run.mjs';\ncheck('b', () => {});\n", 'export {};\n')],
  ],
  ['a deleted script of that kind', [edit('checks/b.mjs', "globalThis.it('b', () => {});\n", null)]],
  ['`it` of a module of the repository', [], { 'b.test.js': "import { it } from './it.js';\nit('b', () => {});\n" }],
  [
    'subtests by a function',
    [],
    { 'b.test.js': "import test from 'ava';\nimport { each } from './each.js';\ntest('x', (t) => each(t));\n" },
  ],
  ['a module that declares tests when it is imported', [], { 'b.test.js': "import './contract.js';\n" }],
])('a test that vanishes is missed: %s', async (_what, edits, files = {}) => {
  expect(await judged({ withIt: tap('ok 1 - a'), edits, files })).toEqual({
    outcome: 'failed',
    reason: '1 test of those that pass without the change does not run with it: b.',
    sides: ['head', 'base'],
  });
});

test('far fewer tests than in the set-up are unknown', async () => {
  expect(await judged({ expectedTests: 40 })).toMatchObject({ outcome: 'unknown', sides: ['head', 'base'] });
});

test('tests that need a build run three times, and once if the base is known', async () => {
  const starts: string[] = [];
  const after = 'export const parse = (x) => x;\n';
  const needsBuild = tap('not ok 1 - a\n  ---\n  message: "Cannot find module dist/a.js"\n  ...', 'ok 2 - b');
  const baseline = createBaselineCache();
  const check = () =>
    answerOf(gate, {
      files: { 'a.js': CODE, 'package.json': JSON.stringify({ scripts: { build: 'make', test: 'run-tests' } }) },
      edits: [edit('a.js', CODE, after)],
      runsCandidateFirst: true,
      overrides: { baseline, treeKey: (edits) => String(edits.length) },
      commands: new Proxy<Record<string, MemoryCommand>>(
        {},
        {
          get:
            (_, line): MemoryCommand =>
            (texts) => {
              if (String(line).endsWith(' --version')) return { exitCode: 0 };
              const isBuilt = String(line).includes('make');
              starts.push(`${texts.get('a.js') === after ? 'head' : 'base'}${isBuilt ? ' built' : ''}`);
              return isBuilt ? BOTH : needsBuild;
            },
        },
      ),
    });
  expect((await check()).reason).toBe('2 tests passed.');
  expect(starts.splice(0)).toEqual(['head', 'head built', 'base built']);
  expect((await check()).reason).toBe('2 tests passed.');
  expect(starts).toEqual(['head built']);
});
