// Checks that new tests prove something: they pass five times, and they notice a mutant that no other test notices.

import type { DetectedCommand } from '../detect/command.ts';
import type { GateInput } from '../gate.ts';
import type { TextOf } from '../guard/mutantRuns.ts';
import { chooseTests, type ChosenTests } from '../testing/chosenTests.ts';
import { chooseOnlyTests } from '../testing/chooseOnlyTests.ts';
import type { TestRun } from '../testing/testRun.ts';
import { failed, unknown, type GateAnswer } from '../answer.ts';
import { explainConditionalTest } from './addedTests.ts';
import {
  collectKeys,
  createEarlierTests,
  explainChangedOutcome,
  failOnlyEarlierTests,
  passesNow,
  type EarlierTests,
} from './earlierOutcomes.ts';
import { findAlwaysPassingTests, RUN_COUNT } from './fix.ts';
import { findOutsideEffect } from './outsideEffects.ts';
import { putLikelySourcesFirst } from './likelySources.ts';
import { findUnnoticedMutant } from './unnoticedMutant.ts';
import { OUTSIDE_KEY } from '../../model/evidence.ts';
import { isTestEdit } from '../../paths/testEdits.ts';

/** Maximum number of files with mutants, the likeliest first. Probes show which of these files the tests really run. */
const MAX_MUTATED_FILES = 40;
/** Maximum number of planned mutants. Probes for them cost little, because one run records all of them. */
const MAX_MUTANTS = 2_000;
/**
 * Checks the claim `tests`. Passes if the new tests pass every time, and notice a mutant that all other tests miss.
 * Fails if they do not pass every time, if they change the outcome of a test that was there before, if they run only
 * under conditions, if they run none of the code that they import, or if none of the planned mutants is such a mutant.
 * Unknown if the tests cannot be run or distinguished from others, if there are no mutants, or if there is no time for
 * them.
 */
export async function checkNewTests(run: GateInput, signal: AbortSignal): Promise<GateAnswer> {
  const { proof, testedSources } = run.context;
  const conditionProblem = explainConditionalTest(run.edits);
  if (conditionProblem !== null) return failed(conditionProblem);
  const allTests = await chooseTests(run, signal);
  if (!allTests) return unknown('No tests were found, so nothing can run the new ones.');
  const chosenTests = await chooseOnlyTests(run, allTests, signal);
  const command = chosenTests.commands.onFiles(run.edits.map(({ path }) => path));
  if (!command) return unknown('The test command of this repository cannot be told to run single files.');
  const steadyRuns = createSteadyRuns(run, chosenTests, command, signal);
  const firstRuns = await steadyRuns.repeat(1);
  const steadyResult = await findSteadyTests(firstRuns, chosenTests.base, run, steadyRuns);
  if ('outcome' in steadyResult) return steadyResult;
  if (!proof || !testedSources || proof.settings.guardSeconds === 0)
    return unknown(
      'Mutants are switched off (`selfware.verify.guardSeconds`), so nobody can say what the new tests notice.',
    );
  const reachedSources = await testedSources(run.edits);
  const sources = putLikelySourcesFirst(reachedSources, run.proposal, run.edits)
    .flatMap(({ path, text }) => (text && !isTestEdit({ path, before: text, after: text }) ? [{ path, text }] : []))
    .slice(0, MAX_MUTATED_FILES);
  const plan = await proof.planMutants(
    sources.map(({ path, text }) => ({ path, before: '', after: text })),
    MAX_MUTANTS,
  );
  if (plan.mutants.length === 0)
    return unknown(
      'No TypeScript, JavaScript, Python or Go was found that the new tests import, so there are no mutants for them.',
    );
  const textOf: TextOf = (path) => sources.find((source) => source.path === path)?.text ?? '';
  const confirmingRuns: TestRun[] = [];
  const answer = await findUnnoticedMutant({
    ...{ run, chosen: chosenTests, command, plan, textOf, signal },
    newTests: steadyResult.newTests,
    earlierTests: steadyResult.earlierTests,
    first: firstRuns[0]!,
    onPlain: (unmutatedRun) => confirmingRuns.push(unmutatedRun),
  });
  if (answer.outcome !== 'passed') return answer;
  const isMeasured = run.context.isMeasured?.(run.proposal) ?? false;
  const isScript = !run.edits.every(({ path }) => /\.(?:py|go)$/.test(path));
  // In scripts, measured calls show only that packages do not act outside. The other code is still examined, because
  // the harness refuses most access outside of the program, but not all of it.
  const outsideEffect = isMeasured && !isScript ? null : findOutsideEffect(reachedSources, isMeasured);
  const withWarning = outsideEffect === null ? answer : addOutsideWarning(answer, outsideEffect);
  // The search has also run the new tests without a mutant.
  const remaining = Math.max(1, RUN_COUNT - firstRuns.length - confirmingRuns.length);
  const repeatedResult = await findSteadyTests(
    [...firstRuns, ...confirmingRuns, ...(await steadyRuns.repeat(remaining))],
    chosenTests.base,
    run,
    steadyRuns,
  );
  return 'outcome' in repeatedResult ? repeatedResult : withWarning;
}

/** Runs of the files that contain new tests. */
interface RepeatedRuns {
  /** Runs the files `times` times with the new tests. */
  repeat(times: number): Promise<readonly TestRun[]>;
  /**
   * Runs the files without the new tests, on the first call only, and returns these runs. Null if none of the files
   * existed before.
   */
  runWithout(): Promise<readonly TestRun[]> | null;
}

function createSteadyRuns(
  run: GateInput,
  { commands }: ChosenTests,
  command: DetectedCommand,
  signal: AbortSignal,
): RepeatedRuns {
  const runTimes = async (side: 'candidate' | 'base', commandOfSide: DetectedCommand, times: number) => {
    const runs: TestRun[] = [];
    while (runs.length < times) runs.push(await run.rerun(side, commandOfSide, commands.parse, signal));
    return runs;
  };
  const commandBefore = commands.onFiles(run.edits.flatMap(({ path, before }) => (before === null ? [] : [path])));
  let runsWithout: Promise<readonly TestRun[]> | undefined;
  return {
    repeat: (times) => runTimes('candidate', command, times),
    runWithout: () => commandBefore && (runsWithout ??= runTimes('base', commandBefore, RUN_COUNT)),
  };
}

/** New tests that pass every time. */
interface SteadyTests {
  /** The keys of these tests. */
  readonly newTests: readonly string[];
  /** The earlier tests of these files, if some of them fail both with and without the new tests; otherwise null. */
  readonly earlierTests: EarlierTests | null;
}

/** The new tests that pass every time, or why they prove nothing. */
async function findSteadyTests(
  runs: readonly TestRun[],
  base: TestRun,
  run: GateInput,
  { repeat, runWithout }: RepeatedRuns,
): Promise<SteadyTests | GateAnswer> {
  const alwaysPassingKeys = findAlwaysPassingTests(runs);
  const newTestKeys = alwaysPassingKeys && selectNewKeys(alwaysPassingKeys, [base], run);
  if (!newTestKeys)
    return unknown('The new tests do not name their cases, so they cannot be distinguished from the others.');
  if (newTestKeys.length === 0) return failed('No new test passes.');
  const hasFailures = runs.some(({ value }) => (value?.failed ?? 0) > 0);
  if (!hasFailures && !passesNow(runs, base)) return { newTests: newTestKeys, earlierTests: null };
  const mayCompare = !hasFailures || failOnlyEarlierTests(runs, collectKeys([base]));
  const runsWithout = mayCompare ? await runWithout() : null;
  if (!runsWithout?.every(({ value }) => value?.cases))
    return hasFailures
      ? failed(`Not all tests in these files pass ${RUN_COUNT} times in a row.`, { tests: newTestKeys.length })
      : { newTests: newTestKeys, earlierTests: null };
  // One run with the new tests may differ by chance.
  const hasEnoughRuns = runs.length >= RUN_COUNT || explainChangedOutcome(runsWithout, runs) === null;
  const allRuns = hasEnoughRuns ? runs : [...runs, ...(await repeat(RUN_COUNT - runs.length))];
  const change = explainChangedOutcome(runsWithout, allRuns);
  if (change !== null) return { ...change, evidence: { ...change.evidence, tests: newTestKeys.length } };
  const steadyKeys = selectNewKeys(findAlwaysPassingTests(allRuns) ?? new Set(), [base, ...runsWithout], run) ?? [];
  if (steadyKeys.length === 0) return failed('No new test passes.');
  return { newTests: steadyKeys, earlierTests: hasFailures ? createEarlierTests(runsWithout) : null };
}

/** Adds the warning that the code under test may have effects outside of the program. */
function addOutsideWarning(answer: GateAnswer, outside: string): GateAnswer {
  const reason = `${answer.reason} The code that they lead to may act outside the program (${outside}).`;
  return { ...answer, reason, evidence: { ...answer.evidence, [OUTSIDE_KEY]: outside } };
}

/**
 * Keys of the new tests among those that always pass: the keys that are in no run without the new tests. Null if these
 * runs do not name their tests, and tests were added to an existing file.
 */
function selectNewKeys(
  alwaysPassingKeys: ReadonlySet<string>,
  runsWithout: readonly TestRun[],
  { edits }: GateInput,
): readonly string[] | null {
  if (runsWithout.some(({ value }) => !value?.cases))
    return edits.every(({ before }) => before === null) ? [...alwaysPassingKeys] : null;
  const oldKeys = collectKeys(runsWithout);
  return [...alwaysPassingKeys].filter((key) => !oldKeys.has(key));
}
