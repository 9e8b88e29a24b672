// What a judgement begins before its turn, and what it ends because the answer is known.

import { expect, test } from 'vitest';
import type { DifferentialPlan } from '../../../server/src/core/verify/differential/plan.ts';
import type { Mutant } from '../../../server/src/core/verify/guard/planMutants.ts';
import { judgeChange } from '../../../server/src/core/verify/judge/judgeChange.ts';
import type { ProofContext } from '../../../server/src/core/verify/proof.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createMemorySandbox, type MemoryCommand } from '../../helpers/memorySandbox.ts';
import { contextOf, edit } from './verifying.ts';
import { createPart } from '../../helpers/createPart.ts';

const never = new AbortController().signal;
const GREEN = { stdout: 'TAP version 13\nok 1 - a\n1..1\n', exitCode: 0 };
const SAME: DifferentialPlan = createPart<DifferentialPlan>({
  ...{
    identical: ['a.js'],
    restructured: [],
    unexported: [],
    files: [],
    created: [],
    targets: [],
    gaps: [],
    platform: [],
  },
  ...{ shapes: {}, constants: { strings: [], numbers: [] }, emit: { compiler: {}, paths: {}, baseUrl: null } },
});
const MUTANT = createPart<Mutant>({
  ...{ path: 'a.js', operator: 'number', line: 1, touched: true, start: 17, end: 18, text: '3' },
  ...{ shown: '2 → 3', probe: null },
});

/** The verdict about mutants, and what was asked for in its order. */
async function judged(
  tests: MemoryCommand,
  planDifferential: ProofContext['planDifferential'],
): Promise<{ readonly guard: string | undefined; readonly asked: readonly string[]; readonly ran: readonly string[] }> {
  const asked: string[] = [];
  const commands: Record<string, MemoryCommand> = {
    'check-types': async () => {
      // Whatever may begin meanwhile has its turn.
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      asked.push('types');
      return { exitCode: 0 };
    },
    'node --version': () => {
      asked.push('version');
      return { stdout: 'v24\n' };
    },
    'run-tests': tests,
  };
  const sandbox = createMemorySandbox(createMemoryFiles({ 'a.js': 'export const a = 1;\n' }), commands);
  const settings = { guardSeconds: 60, guardMutants: 5, guardStrength: 80, differentialSeconds: 10 };
  const { verdicts } = await judgeChange(
    {
      ...contextOf(
        { sandbox },
        {
          settings: { testCommand: 'run-tests', typesCommand: 'check-types' },
          treeKey: (changed) => String(changed.length),
          proof: {
            settings,
            harness: null,
            planDifferential: (edits) => {
              asked.push('plan');
              return planDifferential(edits);
            },
            planMutants: async () => ({
              ...{ mutants: [MUTANT], omittedCount: 0, probes: [], schemata: { files: [], switched: [] } },
            }),
            changesBehavior: () => true,
            checksImporters: () => false,
          },
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
    {
      edits: [edit('a.js', 'export const a = 1;\n', 'export const a = 2;\n')],
      ...{ bytes: [], binary: [], left: [], renamed: [] },
    },
    never,
  );
  const guard = verdicts.find(({ gate }) => gate === 'guard')?.reason;
  return { guard, asked, ran: sandbox.ran };
}

test('the comparison is planned once, while the checks run, and versions are asked for once', async () => {
  const { asked } = await judged(
    () => GREEN,
    async () => SAME,
  );
  expect(asked).toEqual(['plan', 'version', 'types']);
});

test('mutants end when the comparison has shown more', async () => {
  let runs = 0;
  let tellBegun = () => {};
  const begun = new Promise<void>((resolve) => (tellBegun = resolve));
  const { guard } = await judged(
    async (_texts, signal) => {
      runs += 1;
      // The change, the base, and then a run for mutants, which does not end by itself.
      if (runs < 3) return GREEN;
      tellBegun();
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { outcome: 'cancelled', exitCode: null };
    },
    async () => {
      await begun;
      return SAME;
    },
  );
  expect(guard).toBe('Not needed: the comparison of the old and the new code has shown more.');
});

test('no mutant is tried if all tests take longer than the time for mutants', async () => {
  const { guard, ran } = await judged(
    () => ({ ...GREEN, millis: 61_000 }),
    async () => ({ ...SAME, identical: [], gaps: ['Nothing to compare.'] }),
  );
  expect(guard).toMatch(/^Not measured: the tests that reach the touched lines take 61 s or more, too long for/);
  expect(ran.filter((line) => line === 'run-tests')).toHaveLength(2);
});
