// What a verification keeps and forgets, and what counts more: what a command says or what it did to its judges.

import { expect, test } from 'vitest';
import type { MemoryCommand } from '../../helpers/memorySandbox.ts';
import { verified, type Given } from './inMemory.ts';
import { edit, told } from './verifying.ts';

const edits = [edit('a.ts', 'export const a = 1;\n', 'export const a = 2;\n')];
const files = { 'a.ts': 'export const a = 1;\n', 'a.test.ts': 'old' };
const tap = (failed: boolean) => ({
  stdout: `TAP version 13\n${failed ? 'not ' : ''}ok 1 - x\n1..1`,
  exitCode: failed ? 1 : 0,
});

/** Verifies with these tests, and notes what is kept of which tree, and what becomes of the unfinished verification. */
async function kept(run: MemoryCommand, more: Partial<Given> = {}) {
  const trees: (string | null)[] = [];
  const steps: string[] = [];
  const verification = await verified({
    files,
    edits,
    commands: { 'run-tests': run },
    ...more,
    overrides: {
      settings: { testCommand: 'run-tests' },
      treeKey: (some) => (some.length === 0 ? 'base' : 'candidate'),
      baseline: {
        find: async () => undefined,
        keep: async (tree) => void trees.push(tree),
      },
      unfinished: async () => ({
        find: () => undefined,
        keep: async ({ gate }) => void steps.push(`keep ${gate}`),
        forget: async () => void steps.push('forget'),
      }),
      ...more.overrides,
    },
  });
  return { verification, trees, steps };
}

test('what passed is remembered of the tree with the change, and the unfinished verification is forgotten', async () => {
  const { verification, trees, steps } = await kept(() => tap(false));
  expect(verification.outcome).toBe('verified');
  expect(trees).toEqual(['base', 'candidate']);
  expect(steps).toEqual(['keep tests', 'forget']);
});

test('of a change that fails nothing is remembered, and the unfinished verification is forgotten', async () => {
  const { verification, trees, steps } = await kept((texts) => tap(texts.get('a.ts') === edits[0]!.after));
  expect(verification.outcome).toBe('refused');
  expect(trees).not.toContain('candidate');
  expect(steps).toEqual(['forget']);
});

test('tests are remembered of the tree with the change only if all of them pass', async () => {
  const unread = await kept(() => ({ stdout: 'fine' }));
  expect(unread.verification.verdicts.at(-1)).toMatchObject({ gate: 'tests', outcome: 'unknown' });
  expect(unread.trees).toEqual(['base']);
  const red = await kept(() => ({ stdout: 'TAP version 13\nok 1 - x\nnot ok 2 - y\n1..2', exitCode: 1 }));
  expect(told(red.verification).at(-1)).toContain('tests passed: Already failing');
  expect(red.trees).toEqual(['base']);
});

test('a run that was stopped is not remembered', async () => {
  const { trees } = await kept(() => ({ outcome: 'timedOut', exitCode: null, millis: 120_000 }));
  expect(trees).toEqual([]);
  const large = await kept(() => ({ exitCode: null, exceeded: 'more than 4 GB of memory' }));
  expect(large.trees).toEqual([]);
});

test('of a change whose tests are stopped, only what was measured without it is remembered', async () => {
  const { verification, trees } = await kept((texts) =>
    texts.get('a.ts') === edits[0]!.after
      ? { outcome: 'timedOut', exitCode: null, millis: 100_000 }
      : { ...tap(false), millis: 90_000 },
  );
  expect(told(verification).at(-1)).toBe(
    'tests unknown: The tests were ended after 100 s; without the change they take 90 s.',
  );
  expect(trees).toEqual(['base']);
});

const machine = { load: () => ({ running: 9, cores: 2 }) } as NonNullable<Given['overrides']>['machine'];

test('a verification that waits for a quiet machine is not forgotten', async () => {
  const stopped: MemoryCommand = () => ({ outcome: 'timedOut', exitCode: null, millis: 120_000 });
  const waiting = await kept(stopped, { overrides: { machine: machine! } });
  expect(waiting.verification).toMatchObject({ outcome: 'busy' });
  expect(waiting.steps).toEqual([]);
  const asked = await kept(stopped, { overrides: { machine: machine!, atOnce: true } });
  expect(asked.verification.outcome).not.toBe('busy');
  expect(asked.steps).toEqual(['forget']);
});

/** A command that rewrites this file of its tree. */
const rewriting =
  (path: string, text: (texts: ReadonlyMap<string, string>) => string, answer: ReturnType<typeof tap>): MemoryCommand =>
  (texts) => {
    (texts as Map<string, string>).set(path, text(texts));
    return answer;
  };
const onlyWithIt = (texts: ReadonlyMap<string, string>) => (texts.get('a.ts') === edits[0]!.after ? 'new' : 'old');

test.each<[string, MemoryCommand, string]>([
  ['a judge that is left alone', () => tap(false), 'tests passed: 1 test passed.'],
  [
    'a judge that is rewritten only with the change',
    rewriting('a.test.ts', onlyWithIt, tap(false)),
    'tests failed: With the change, `run-tests` rewrites a.test.ts while it runs: what judges the change was changed by it.',
  ],
  [
    'a judge that is always rewritten in the same way',
    rewriting('a.test.ts', () => 'new', tap(false)),
    'tests passed: 1 test passed.',
  ],
  [
    'a judge that is rewritten, and not in the same way',
    rewriting('a.test.ts', (texts) => `new ${texts.get('a.ts')}`, tap(false)),
    'tests unknown: `run-tests` rewrites a.test.ts while it runs, and writes something different with the change.',
  ],
  [
    'the edited file',
    rewriting('a.ts', () => 'mine', tap(false)),
    'tests unknown: `run-tests` rewrites a.ts, which the proposal edits: what was checked is not what would be applied.',
  ],
  [
    'a judge, by tests that are unknown and therefore fail',
    rewriting('a.test.ts', onlyWithIt, { stdout: 'fine', exitCode: 0 }),
    'tests failed: With the change, `run-tests` rewrites a.test.ts while it runs: what judges the change was changed by it.',
  ],
  [
    'a judge, by tests that are unknown in any case',
    rewriting('a.test.ts', (texts) => `new ${texts.get('a.ts')}`, { stdout: 'fine', exitCode: 0 }),
    'tests unknown: The tests ran, but no count could be read from their output.',
  ],
])('a command that touches %s', async (_what, run, expected) => {
  const { verification } = await kept(run);
  expect(told(verification).at(-1)).toBe(expected);
});
