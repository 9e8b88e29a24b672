// Finds mistakes that no test notices: tries mutants of files of the current repository with its tests.

import { formatCount } from '../../../util/counted.ts';
import { isRootTest, isTest } from '../../paths/tests.ts';
import type { VerifyContext } from '../context.ts';
import type { DetectedCommand } from '../detect/command.ts';
import { detectRunner } from '../detect/testRunner.ts';
import { estimateSeconds } from '../testing/chosenTests.ts';
import { explainNoTestPasses } from '../testing/noTestPasses.ts';
import { withUnchangedTests, type TestsUnavailable, type UnchangedTests } from '../testing/unchangedTests.ts';
import { runsInProcess, tryInProcess } from './inProcess.ts';
import { selectEditsForRunner } from './editsForRunner.ts';
import {
  testMutant,
  runProbed,
  type InProcessResult,
  type MutantStatus,
  type MutantRun,
  type TextOf,
} from './mutantRuns.ts';
import type { Mutant, MutantPlan } from './planMutants.ts';

/** A file of the repository with its current text. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** The results for the mutants of one file. */
export interface Survivors {
  /** The mutants that no test notices, in the order of the file. */
  readonly missed: readonly Mutant[];
  /** Number of mutants whose status is known, without those that do not compile and those for which no test ran. */
  readonly judged: number;
  /** Test files that reach the file, nearest first. */
  readonly testFiles: readonly string[];
}

/** Maximum number of mutants of one file. They are spread over the file. */
const MAX_MUTANTS = 60;

/**
 * Tries the mutants of the file with the tests that reach it, until `seconds` have passed: in one run if the runner
 * supports that, and otherwise in one run for each mutant. Refused with a sentence if mutants are switched off, if the
 * file has none, if no test can judge them, or if the time is up before one is judged. Throws `cancelled` and the
 * errors of the ports.
 */
export async function determineSurvivors(
  context: VerifyContext,
  source: SourceText,
  seconds: number,
  signal: AbortSignal,
): Promise<Survivors | TestsUnavailable> {
  const { proof } = context;
  if (!proof || seconds === 0) return { refused: 'Mutants are switched off here (`selfware.verify.guardSeconds`).' };
  const edit = { path: source.path, before: '', after: source.text };
  const plan = await proof.planMutants([edit], MAX_MUTANTS);
  if (plan.mutants.length === 0)
    return {
      refused: `No mistake can be put into ${source.path}: it holds no TypeScript, JavaScript, Python or Go that runs.`,
    };
  const message = `Looking for mistakes in ${source.path} that no test notices`;
  const testFiles = (await context.reachingTests([source.path])) ?? [];
  const tryOnUnchanged = async (tests: UnchangedTests): Promise<Survivors | TestsUnavailable> => {
    const runner = detectRunner(tests.chosen.command, tests.project)?.name ?? null;
    if (selectEditsForRunner(runner, [edit]).length === 0)
      return { refused: `The tests that run here are not written for the language of ${source.path}.` };
    const statuses = await determineStatuses({ context, tests, testFiles, sources: [source], plan }, seconds, signal);
    if (!statuses) {
      const reason = explainNoTestPasses(tests.chosen.base);
      return {
        refused: `The tests of this repository do not run here, so they can notice nothing.${reason === null ? '' : ` ${reason}`}`,
      };
    }
    const judgedCount = [...statuses.values()].filter((status) => status !== 'invalid' && status !== 'unjudged').length;
    // A mutant without a status was not tried, because the time was up.
    if (judgedCount === 0 && plan.mutants.some((mutant) => !statuses.has(mutant)))
      return {
        refused:
          `No mistake in ${source.path} was tried, because the tests take longer than ` +
          `\`selfware.verify.guardSeconds\` (${formatCount(seconds, 'second')}).`,
      };
    if (judgedCount === 0)
      return {
        refused:
          `No planted mistake could be run in ${source.path}: with each of them, the code does not compile or no test ` +
          'reports a result. Check that the tests that use this file also run on their own, or name another file.',
      };
    const isMissed = (mutant: Mutant) => ['survived', 'unreached'].includes(statuses.get(mutant) ?? '');
    return {
      missed: plan.mutants.filter(isMissed).toSorted((a, b) => a.start - b.start),
      judged: judgedCount,
      testFiles,
    };
  };
  return withUnchangedTests(context, message, signal, tryOnUnchanged, testFiles);
}

/** The input for trying mutants of some files. */
export interface MutantTrial {
  readonly context: VerifyContext;
  readonly tests: UnchangedTests;
  /** Test files that reach the sources. */
  readonly testFiles: readonly string[];
  readonly sources: readonly SourceText[];
  readonly plan: MutantPlan;
  /** True if no mutant gets a separate run. A mutant that the joint run cannot judge is then `unjudged`. */
  readonly onlyInOneRun?: boolean;
  /** The mutants to try, in this order; all if absent. */
  readonly chosenMutants?: ReadonlySet<Mutant>;
  /** True if the runner is known to be unable to judge several mutants in one run. */
  readonly needsSeparateRuns?: boolean;
  /** When this signal is aborted, the trial stops, and the mutants judged so far are the result. */
  readonly stop?: AbortSignal;
  /** Called when the runner turns out to be unable to judge several mutants in one run. */
  onNeedsSeparateRuns?(): void;
}

/**
 * The command that runs only these test files and, for Python, the examples in documentation that pytest runs.
 * `onFiles` is null if the runner cannot run single files.
 */
export function createCommandForFiles({ base, commands }: UnchangedTests['chosen'], testFiles: readonly string[]) {
  const ranFiles = new Set((base.value?.cases ?? []).flatMap(({ file }) => (file === null ? [] : [file])));
  // Some reports name no files.
  const runnableFiles = testFiles.filter((file) =>
    ranFiles.size > 0 ? ranFiles.has(file) : isTest(file) || isRootTest(file),
  );
  const examples =
    runnableFiles.length === 0 ? [] : [...ranFiles].filter((file) => file.endsWith('.py') && !isTest(file));
  return { onFiles: commands.onFiles([...runnableFiles, ...examples]), namesFiles: ranFiles.size > 0 };
}

/**
 * The statuses that were determined within `seconds`, or until the trial was stopped; null if no test passes without a
 * mutant.
 */
export async function determineStatuses(
  trial: MutantTrial,
  seconds: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<Mutant, MutantStatus> | null> {
  const statuses = new Map<Mutant, MutantStatus>();
  try {
    return await fillStatuses(statuses, trial, seconds, signal);
  } catch (error) {
    if (trial.stop?.aborted) return statuses;
    throw error;
  }
}

/** Adds statuses to `statuses` as they become known, and returns them; null if no test passes without a mutant. */
async function fillStatuses(
  statuses: Map<Mutant, MutantStatus>,
  trial: MutantTrial,
  seconds: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<Mutant, MutantStatus> | null> {
  const { context, testFiles, sources, plan, onlyInOneRun, chosenMutants } = trial;
  const { worktree, commands, project, chosen } = trial.tests;
  const { clock } = context;
  const run: MutantRun = { context, worktree, rerun: commands.rerun, ...(trial.stop && { stop: trial.stop }) };
  const textOf: TextOf = (path) => sources.find((source) => source.path === path)?.text ?? '';
  const { onFiles, namesFiles } = createCommandForFiles(chosen, testFiles);
  const endAt = clock.now() + seconds * 1000;
  const mutantsToTry = [...(chosenMutants ?? plan.mutants)];
  const isOpen = (mutant: Mutant) => !statuses.has(mutant);
  const runner = detectRunner(chosen.command, project)?.name;
  const tryInOneRun = async (command: DetectedCommand, baseMillis: number): Promise<InProcessResult> => {
    if (trial.needsSeparateRuns) return { statuses: new Map(), runs: 0 };
    const result = await tryInProcess(
      run,
      plan,
      textOf,
      {
        ...{ command, commands: chosen.commands, runner, baseMillis },
        ...{ preload: context.proof?.inTests ?? null, millis: endAt - clock.now() },
        chosenMutants: mutantsToTry.filter(isOpen),
      },
      signal,
    );
    for (const [mutant, status] of result.statuses) statuses.set(mutant, status);
    return result;
  };
  let command = onFiles ?? chosen.commands.allTests;
  // The process that tries the mutants also records what the tests reach, so that no run with probes is needed.
  const isQuick = runsInProcess(runner ?? null) && !trial.needsSeparateRuns && (!onFiles || namesFiles);
  // The tests run once before the first mutant is tried. A run that is stopped before that would show nothing.
  if (isQuick && estimateSeconds(chosen, onFiles ? testFiles : []) > seconds) return statuses;
  const earlyResult = isQuick ? await tryInOneRun(command, chosen.base.answer.millis) : null;
  if (earlyResult && (clock.now() > endAt || !mutantsToTry.some(isOpen))) return statuses;
  let { probed, reached } = await runProbed(run, textOf, plan, command, chosen.commands, signal);
  // If the report names no files, it is unknown whether the runner runs these files.
  if (onFiles && !namesFiles && !probed.value?.passed) {
    command = chosen.commands.allTests;
    ({ probed, reached } = await runProbed(run, textOf, plan, command, chosen.commands, signal));
  }
  if (probed.value === null || probed.value.passed === 0) return null;
  // Probes may keep a test from running, or its file from loading, so what it reaches is unknown.
  const haveProbesDisturbed = probed.value.failed > (chosen.base.value?.failed ?? 0);
  for (const mutant of haveProbesDisturbed ? [] : mutantsToTry)
    if (isOpen(mutant) && mutant.probe !== null && !reached.has(mutant.probe)) statuses.set(mutant, 'unreached');
  const jointResult = earlyResult ?? (await tryInOneRun(command, probed.answer.millis));
  if (onlyInOneRun && jointResult.statuses.size > 0) {
    for (const mutant of jointResult.own ?? []) statuses.set(mutant, 'unjudged');
    return statuses;
  }
  if (jointResult.statuses.size === 0 && mutantsToTry.some(isOpen)) trial.onNeedsSeparateRuns?.();
  const baseline =
    haveProbesDisturbed && mutantsToTry.some(isOpen)
      ? await run.rerun('mutant', command, chosen.commands.parse, signal)
      : probed;
  for (const mutant of mutantsToTry) {
    if (statuses.has(mutant)) continue;
    if (clock.now() + baseline.answer.millis > endAt) break;
    statuses.set(mutant, await testMutant(run, textOf, mutant, command, chosen.commands, baseline, signal));
  }
  return statuses;
}
