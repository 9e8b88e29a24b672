// Opens a sandbox of a repository in which mutants are judged, either all in one run of the tests or in a run each.

import { createSandbox } from '../../../server/src/adapters/sandbox/sandbox.ts';
import { createIds, systemClock } from '../../../server/src/adapters/system/system.ts';
import { locateHarness } from '../../../server/src/app/programPaths.ts';
import { createBaselineCache } from '../../../server/src/core/verify/baseline.ts';
import { createCommands } from '../../../server/src/core/verify/commands.ts';
import { readProject } from '../../../server/src/core/verify/detect/project.ts';
import { detectTests } from '../../../server/src/core/verify/detect/testCommand.ts';
import { detectRunner } from '../../../server/src/core/verify/detect/testRunner.ts';
import type { GateInput } from '../../../server/src/core/verify/gate.ts';
import { tryInProcess } from '../../../server/src/core/verify/guard/inProcess.ts';
import { testMutant, type MutantStatus } from '../../../server/src/core/verify/guard/mutantRuns.ts';
import type { Mutant, MutantPlan } from '../../../server/src/core/verify/guard/planMutants.ts';
import { stopAtFailure } from '../../../server/src/core/verify/gates/guard/stopAtFailure.ts';
import { passesAllTests, createTestCommands } from '../../../server/src/core/verify/testing/testRun.ts';
import { createPart } from '../../helpers/createPart.ts';

/** The results: for each judged mutant, whether the tests notice it. */
interface Judged {
  readonly answers: ReadonlyMap<Mutant, boolean>;
  readonly seconds: number;
}

/** The sandbox. */
export interface Ground {
  /** Tries all mutants of the plan in one run of the tests. `text`: the text of the file. */
  tryTogether(plan: MutantPlan, text: string, signal: AbortSignal): Promise<Judged & { readonly runs: number }>;
  /** Runs the tests for each mutant of the plan, up to the first failure. */
  tryApart(plan: MutantPlan, text: string, signal: AbortSignal): Promise<Judged>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Milliseconds after which a command is ended. */
const LIMIT_MS = 600_000;

/** Opens the sandbox of the checkout `dir`. Throws if no tests are found. */
export async function openGround(dir: string, stateDir: string, signal: AbortSignal): Promise<Ground> {
  const { folders, inTests } = locateHarness(false);
  const sandbox = createSandbox(dir, stateDir, {
    clock: systemClock,
    ids: createIds(systemClock),
    log: { write: () => undefined },
    shownFolders: [...folders],
  });
  const worktree = await sandbox.open(signal);
  const commands = createCommands(worktree, {
    sandbox,
    baseline: createBaselineCache(),
    treeKey: () => null,
    isJudge: () => false,
    edits: [],
    timeoutMs: LIMIT_MS,
  });
  const project = await readProject(worktree);
  const command = detectTests(project, '');
  if (!command) throw new Error(`No tests were found in ${dir}.`);
  const runner = detectRunner(command, project)?.name;
  const tests = createTestCommands(command, project);
  const run = createPart<GateInput>({ ...commands, worktree, edits: [], context: { clock: systemClock } });
  const base = await commands.rerun('mutant', tests.allTests, tests.parse, signal);
  const testCommand = passesAllTests(base) ? stopAtFailure(tests.allTests, runner) : tests.allTests;
  return {
    async tryTogether(plan, text, within) {
      const startedAt = performance.now();
      const { statuses, runs } = await tryInProcess(
        run,
        plan,
        () => text,
        {
          command: tests.allTests,
          commands: tests,
          runner,
          preload: inTests,
          millis: LIMIT_MS,
          baseMillis: base.answer.millis,
        },
        within,
      );
      return { answers: toAnswers(statuses), seconds: (performance.now() - startedAt) / 1000, runs };
    },
    async tryApart(plan, text, within) {
      const startedAt = performance.now();
      const baseline = await commands.rerun('mutant', testCommand, tests.parse, within);
      const statuses = new Map<Mutant, MutantStatus>();
      for (const mutant of plan.mutants)
        statuses.set(mutant, await testMutant(run, () => text, mutant, testCommand, tests, baseline, within));
      return { answers: toAnswers(statuses), seconds: (performance.now() - startedAt) / 1000 };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([commands.dispose(), worktree.dispose()]);
      await sandbox.close();
    },
  };
}

function toAnswers(statuses: ReadonlyMap<Mutant, MutantStatus>): ReadonlyMap<Mutant, boolean> {
  const answers = new Map<Mutant, boolean>();
  for (const [mutant, status] of statuses)
    if (status === 'noticed' || status === 'stopped') answers.set(mutant, true);
    else if (status === 'survived' || status === 'unreached') answers.set(mutant, false);
  return answers;
}
