// Runs new tests with mutants and again without them, and other tests with a mutant that only the new tests notice.

import type { DetectedCommand } from '../detect/command.ts';
import type { GateInput } from '../gate.ts';
import {
  describeMutant,
  readReachedProbes,
  resetReachedProbes,
  testMutant,
  disableTypeCheck,
  type MutantStatus,
  type TextOf,
} from '../guard/mutantRuns.ts';
import type { Mutant, Probe } from '../guard/planMutants.ts';
import { insertProbes } from '../guard/probes.ts';
import type { ChosenTests } from '../testing/chosenTests.ts';
import type { TestRun } from '../testing/testRun.ts';
import { failed, unknown, type GateAnswer } from '../answer.ts';
import { listFailingKeys, type EarlierTests } from './earlierOutcomes.ts';
import { runOtherTestsWithMutant, type OtherTestsResult } from './missedByOthers.ts';
import type { QuietTests } from './testsWithoutMutant.ts';

/**
 * Number of confirmations of a noticed mutant, each with one run without it. A test that fails by chance also notices
 * mutants by chance. Even the best of such tests passes all confirmations in fewer than 2 of 1,000 cases, because a
 * single contradiction ends the search.
 */
const CONFIRMATION_COUNT = 3;
/**
 * Factor for the time limit of the other tests. Their run without a mutant may be a stored one from when the machine
 * was less busy. A mutant that they miss does not hang, so a higher limit costs nothing.
 */
const TIME_FACTOR_FOR_OTHERS = 2;

export interface NewTestRunContext {
  readonly run: GateInput;
  readonly chosen: ChosenTests;
  /** Runs the files with the new tests. */
  readonly command: DetectedCommand;
  /** Keys of the new tests. */
  readonly newTests: readonly string[];
  /** The earlier tests of these files, if some of them fail both with and without the new tests; otherwise null. */
  readonly earlierTests: EarlierTests | null;
  readonly textOf: TextOf;
  readonly signal: AbortSignal;
  /** Receives the runs of the new tests without a mutant that confirm the result. */
  onPlain(run: TestRun): void;
}

/**
 * Runs the new tests with the mutant. `baseline`: their run without it. If other tests in these files fail anyway, the
 * number of failures shows nothing, so one of the new tests itself has to fail.
 */
export async function runNewTestsWithMutant(
  { run, chosen, command, newTests, earlierTests, textOf, signal }: Omit<NewTestRunContext, 'onPlain'>,
  mutant: Mutant,
  baseline: TestRun,
  quiet?: QuietTests,
): Promise<MutantStatus> {
  let decisiveRun: TestRun | null = null;
  const keepRun = (result: TestRun) => void (decisiveRun = result);
  const events = { onNoticed: keepRun, onSurvived: keepRun };
  const status = await testMutant(run, textOf, mutant, command, chosen.commands, baseline, signal, events);
  const result = decisiveRun as TestRun | null;
  if (earlierTests === null) {
    if (status === 'noticed' && result) quiet?.recordRun(result);
    return status;
  }
  if (status !== 'noticed' && status !== 'survived') return status;
  if (!result) return 'unjudged';
  const failing = new Set(listFailingKeys(result));
  if (!newTests.some((key) => failing.has(key))) return 'survived';
  quiet?.recordRun(result);
  return 'noticed';
}

/** Tries further mutants while some new tests have noticed none. Returns the status of each tried mutant. */
export async function tryQuietTests(
  context: NewTestRunContext,
  quiet: QuietTests,
  attempt: { readonly others: readonly Mutant[]; readonly until: number; readonly baseline: TestRun },
): Promise<ReadonlyMap<Mutant, MutantStatus>> {
  const statuses = new Map<Mutant, MutantStatus>();
  for (const mutant of attempt.others) {
    if (quiet.size === 0 || context.run.context.clock.now() > attempt.until) break;
    statuses.set(mutant, await runNewTestsWithMutant(context, mutant, attempt.baseline, quiet));
  }
  return statuses;
}

/** True if the new tests pass in a run without the mutant and notice it in a run with it. */
export async function isNoticedAlone(context: NewTestRunContext, mutant: Mutant, baseline: TestRun): Promise<boolean> {
  if (!isUndisturbed(context, await runPlain(context))) return false;
  return (await runNewTestsWithMutant(context, mutant, baseline)) === 'noticed';
}

/**
 * Alternates runs without and with the mutant. Returns an answer if the results differ between the rounds, and
 * otherwise null.
 */
export async function findContradiction(
  context: NewTestRunContext,
  mutant: Mutant,
  baseline: TestRun,
): Promise<GateAnswer | null> {
  for (let time = 0; time < CONFIRMATION_COUNT; time += 1) {
    const plain = await runPlain(context);
    if (!isUndisturbed(context, plain))
      return failed('The tests in these files sometimes fail without any mistake in the code.');
    context.onPlain(plain);
    const status = await runNewTestsWithMutant(context, mutant, baseline);
    if (status === 'unjudged')
      return unknown(`The tests did not run while ${describeMutant(mutant)} was tried once more.`);
    if (status !== 'noticed')
      return failed(
        `The new tests notice a mistake in one run and not in another: ${describeMutant(mutant)}. They depend on chance.`,
      );
  }
  return null;
}

/**
 * True if all tests pass in this run without a mutant, except earlier tests that have the same outcome without the new
 * ones.
 */
function isUndisturbed({ earlierTests }: NewTestRunContext, plain: TestRun): boolean {
  if (plain.value === null) return false;
  return earlierTests === null ? plain.value.failed === 0 : earlierTests.haveSameOutcomes(plain);
}

function runPlain({ run, chosen, command, signal }: NewTestRunContext): Promise<TestRun> {
  return run.rerun('mutant', command, chosen.commands.parse, signal);
}

/**
 * Runs `work` while the work tree lacks the new tests. The edits of proposals that are checked together with this one
 * and come before it stay, because their tests count as other tests.
 */
export function runWithoutNewTests<T>(
  { without, worktree, edits, context, proposal }: GateInput,
  work: () => Promise<T>,
) {
  const members = context.together?.members ?? [];
  const memberIndex = members.findIndex(({ id }) => id === proposal.id);
  const earlierEdits = members.slice(0, Math.max(0, memberIndex)).flatMap((member) => member.edits);
  return without(edits, async (): Promise<T> => {
    await worktree.write(earlierEdits);
    try {
      return await work();
    } finally {
      await worktree.write(earlierEdits, { reverse: true });
    }
  });
}

/**
 * Runs all other tests with the mutant and with those of `probes` that are in its file. `reached`: the probes that the
 * tests reached. If tests fail, they run again without the probes, which may have caused the failure.
 */
export async function runOtherTests(
  context: Omit<NewTestRunContext, 'onPlain'>,
  probes: readonly Probe[],
  mutant: Mutant,
): Promise<{ readonly status: OtherTestsResult; readonly reached: ReadonlySet<number> }> {
  const { run, textOf, chosen } = context;
  const { base, commands } = chosen;
  const baseline = { ...base, answer: { ...base.answer, millis: base.answer.millis * TIME_FACTOR_FOR_OTHERS } };
  const command = { ...commands.allTests, env: disableTypeCheck(commands.allTests.env) };
  const shiftedProbes = probes.flatMap((probe) => shiftProbe(probe, mutant));
  return runWithoutNewTests(run, async () => {
    const logFile = await resetReachedProbes(run.worktree);
    const text = textOf(mutant.path);
    const mutated = `${text.slice(0, mutant.start)}${mutant.text}${text.slice(mutant.end)}`;
    const mutantWithProbes = {
      ...mutant,
      start: 0,
      end: text.length,
      text: insertProbes(mutant.path, mutated, shiftedProbes, logFile),
    };
    const status = await runOtherTestsWithMutant(context, mutantWithProbes, baseline, command);
    const reached = await readReachedProbes(run.worktree);
    if (status !== 'noticed' || shiftedProbes.length === 0) return { status, reached };
    return {
      status: (await runOtherTestsWithMutant(context, mutant, baseline, command)) === 'noticed' ? 'noticed' : 'open',
      reached,
    };
  });
}

/**
 * The probe at its offset in the text with the mutant; empty if the mutant replaces its code, or if it is in another
 * file.
 */
function shiftProbe(probe: Probe, mutant: Mutant): readonly Probe[] {
  const shift = (offset: number) => {
    if (offset <= mutant.start) return offset;
    return offset >= mutant.end ? offset + mutant.text.length - (mutant.end - mutant.start) : null;
  };
  const [at, end] = [shift(probe.at), probe.end === null ? null : shift(probe.end)];
  if (probe.path !== mutant.path || at === null || (probe.end !== null && end === null)) return [];
  return [{ ...probe, at, end }];
}
