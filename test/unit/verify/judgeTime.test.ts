// When the tests of a judged change run beside its other checks and beside those of the base, and what follows if they
// are slow there.

import { expect, test } from 'vitest';
import { judgeChange } from '../../../server/src/core/verify/judge/judgeChange.ts';
import type { Isolation } from '../../../server/src/core/ports/sandbox.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createMemorySandbox, type MemoryCommand } from '../../helpers/memorySandbox.ts';
import { contextOf, edit } from './verifying.ts';

const never = new AbortController().signal;
const GREEN = { stdout: 'TAP version 13\nok 1 - a\n1..1\n', exitCode: 0, millis: 10 };
const RED = { stdout: 'TAP version 13\nnot ok 1 - a\n1..1\n', exitCode: 1, millis: 10 };
const SLOW = { stdout: '', exitCode: null, outcome: 'timedOut', millis: 60_000 } as const;

/** Judges a change on so many cores. The type check ends when `release` is called. */
async function judged(
  cores: number,
  run: (isHead: boolean, release: () => void) => ReturnType<MemoryCommand>,
  kind: Isolation['kind'] = 'bubblewrap',
) {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const order: string[] = [];
  let hasBaseBegun = false;
  /** Gives everything that may run at the same time its turn. */
  const untilBaseBegins = async () => {
    for (let turn = 0; turn < 100 && !hasBaseBegun; turn++) await new Promise(setImmediate);
    return hasBaseBegun;
  };
  const commands: Record<string, MemoryCommand> = {
    'check-types': async () => {
      await released;
      order.push('types');
      return { stdout: '', exitCode: 0 };
    },
    'run-tests': async (texts) => {
      const isHead = texts.get('a.js') === 'export const a = 2;\n';
      if (!isHead) hasBaseBegun = true;
      order.push(!isHead ? 'base' : (await untilBaseBegins()) ? 'head beside or after base' : 'head alone');
      return run(isHead, release);
    },
  };
  const edits = [edit('a.js', 'export const a = 1;\n', 'export const a = 2;\n')];
  const sandbox = {
    ...createMemorySandbox(createMemoryFiles({ 'a.js': 'export const a = 1;\n' }), commands),
    isolation: async () => ({ kind, confined: kind !== 'none', tried: [] }),
  };
  if (cores < 2) release();
  const { verdicts } = await judgeChange(
    {
      ...contextOf(
        { sandbox },
        {
          settings: { testCommand: 'run-tests', typesCommand: 'check-types' },
          machine: { load: () => ({ running: 0, cores }) },
          treeKey: (changed) => String(changed.length),
        },
      ),
      testCases: async () => [],
      findHiddenFaults: async () => [],
      protectedPaths: async () => [],
      budget: { signal: never, seconds: null },
      checkFittingPackages: async () => ({ base: true, head: true }),
      thorough: false,
      names: { base: 'main', head: null },
    },
    { edits, bytes: [], binary: [], left: [], renamed: [] },
    never,
  );
  const tests = verdicts.filter(({ gate }) => gate === 'tests').map(({ outcome, reason }) => `${outcome}: ${reason}`);
  return { order, tests };
}

test('on one core, the tests run after the type check', async () => {
  expect(await judged(1, () => GREEN)).toEqual({
    order: ['types', 'head alone', 'base'],
    tests: ['passed: 1 test passed.'],
  });
});

test('on two cores, the tests with the change run beside the type check, and those without it after it', async () => {
  // The type check ends only once the tests with the change have run beside it.
  expect(await judged(2, (isHead, release) => (isHead && release(), GREEN))).toEqual({
    order: ['head alone', 'types', 'base'],
    tests: ['passed: 1 test passed.'],
  });
});

test.each([
  ['fail', RED],
  ['do not end', SLOW],
  // A test that fails although the runner ends with 0.
  ['fail unnoticed', { ...RED, exitCode: 0 }],
])('on two cores, tests that %s beside the type check run again alone, and only that counts', async (_how, first) => {
  let heads = 0;
  const answer = await judged(2, (isHead, release) => {
    if (!isHead) return GREEN;
    heads += 1;
    release();
    return heads === 1 ? first : GREEN;
  });
  expect(answer.order.slice(0, 3)).toEqual(['head alone', 'types', 'base']);
  // No test is called flaky.
  expect(answer.tests).toEqual(['passed: 1 test passed.']);
});

test('on two cores, a failure that is repeated alone counts', async () => {
  const { order, tests } = await judged(2, (isHead, release) => (isHead && release(), isHead ? RED : GREEN));
  // The third run repeats the failing test.
  expect(order.slice(0, 4)).toEqual(['head alone', 'types', 'base', 'head beside or after base']);
  expect(tests).toEqual(['failed: 1 test fails with the change and not without it: a.']);
});

test('on more cores both sides run beside it and each other; a side that is slow there runs again alone', async () => {
  let heads = 0;
  const answer = await judged(4, (isHead, release) => {
    if (isHead) heads += 1;
    // The type check ends only once the tests have run beside it.
    if (isHead) release();
    return isHead && heads === 1 ? SLOW : GREEN;
  });
  expect(answer).toEqual({
    order: ['base', 'head beside or after base', 'types', 'head beside or after base'],
    tests: ['passed: 1 test passed.'],
  });
});

test('where both sides would share a network, one runs after the other', async () => {
  const { order } = await judged(4, (_isHead, release) => (release(), GREEN), 'none');
  expect(order.filter((what) => what !== 'types')).toEqual(['head alone', 'base']);
});
