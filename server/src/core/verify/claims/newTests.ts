// Checks that new tests prove something: they pass five times, and notice a mutant that no other test notices.

import type { DetectedCommand } from '../detect/command.ts';
import type { GateRun } from '../gate.ts';
import { detectRunner } from '../detect/testRunner.ts';
import { tryInProcess } from '../guard/inProcess.ts';
import { describeMutant, testMutant, runProbed, type MutantStatus, type TextOf } from '../guard/mutantRuns.ts';
import type { Mutant, MutantPlan } from '../guard/planMutants.ts';
import { chooseTests, type ChosenTests } from '../testing/chosenTests.ts';
import { testsAlone } from '../testing/testsAlone.ts';
import { testKey, type TestRun } from '../testing/testRun.ts';
import { markTimeDependent } from '../busyMachine.ts';
import { counted, failed, passed, unknown, type GateAnswer } from '../answer.ts';
import { explainConditionalTest } from './addedTests.ts';
import { testsThatAlwaysPass, RUN_COUNT } from './fix.ts';
import { measureEarnedPoints, addEarnedPoints } from './earnedPoints.ts';
import { describeNoticedMistakes } from './noticedMistakes.ts';
import { findOutsideEffect } from './outsideEffects.ts';
import { createQuietTests, type QuietTests } from './testsWithoutMutant.ts';
import { isMissed, isMissedTwice, ranAsBefore } from './missedByOthers.ts';
import { NOTICED_MISTAKES, OUTSIDE_KEY, QUIET_TESTS } from '../../model/evidence.ts';
import { isTestEdit } from '../../paths/testEdits.ts';

/** Maximum number of files with mutants, nearest first; probes show which of them the tests really run. */
const MAX_MUTATED_FILES = 40;
/** Maximum number of planned mutants. Their probes are cheap, because all of them run at once. */
const MAX_MUTANTS = 2_000;
/**
 * Number of confirmations of a noticed mutant, each with a run without it. A test that fails by chance notices any
 * mutant by chance; even the best of such tests passes all of these in fewer than 2 of 1,000 cases, because a single
 * contradiction ends the search.
 */
const CONFIRMATION_COUNT = 3;
/**
 * Number of mutants that are tried even if the time is up: on a busy machine, the runs before them may take all of it.
 */
const MIN_TRIED_MUTANTS = 2;
/** Time for mutants in further lines that no test ran before; each needs runs of its own. Milliseconds. */
const EXTRA_TIME_FOR_NEW_LINES_MS = 20_000;
/** Time for further mutants while some new tests have noticed none. Milliseconds. */
const EXTRA_TIME_FOR_QUIET_TESTS_MS = 15_000;

/**
 * The answer for the claim `tests`. Passes if the new tests pass every time, and notice a mutant that all other tests
 * miss. Fails if they do not pass every time, if whether they assert depends on a condition, if they run none of the
 * code that they import, or if no such mutant was found among all that were planned. Unknown if they cannot be run or
 * distinguished, if there are no mutants, or no time for them.
 */
export async function checkNewTests(run: GateRun, signal: AbortSignal): Promise<GateAnswer> {
  const { proof, testedSources } = run.context;
  const condition = explainConditionalTest(run.edits);
  if (condition !== null) return failed(condition);
  const allTests = await chooseTests(run, signal);
  if (!allTests) return unknown('No tests were found, so nothing can run the new ones.');
  const chosen = await testsAlone(run, allTests, signal);
  const command = chosen.commands.onFiles(run.edits.map(({ path }) => path));
  if (!command) return unknown('The test command of this repository cannot be told to run single files.');
  const repeat = async (times: number) => {
    const runs: TestRun[] = [];
    while (runs.length < times) runs.push(await run.again('candidate', command, chosen.commands.parse, signal));
    return runs;
  };
  const first = await repeat(1);
  const steadyResult = findSteadyTests(first, chosen.base, run);
  if ('outcome' in steadyResult) return steadyResult;
  if (!proof || !testedSources || proof.settings.guardSeconds === 0)
    return unknown(
      'Mutants are switched off (`selfware.verify.guardSeconds`), so nobody can say what the new tests notice.',
    );
  const reached = await testedSources(run.edits);
  const sources = reached
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
    ...{ run, chosen, command, plan, textOf, signal },
    newTests: steadyResult.newTests,
    onPlain: (unmutatedRun) => confirmingRuns.push(unmutatedRun),
  });
  if (answer.outcome !== 'passed') return answer;
  const isMeasured = run.context.isMeasured?.(run.proposal) ?? false;
  const isScript = !run.edits.every(({ path }) => /\.(?:py|go)$/.test(path));
  // In scripts, only what packages do is known from the calls: the harness refuses most access outside, but not all.
  const outsideEffect = isMeasured && !isScript ? null : findOutsideEffect(reached, isMeasured);
  const withWarning = outsideEffect === null ? answer : addOutsideWarning(answer, outsideEffect);
  // The search has run the tests without a mutant as well.
  const remaining = Math.max(1, RUN_COUNT - first.length - confirmingRuns.length);
  const repeatedResult = findSteadyTests([...first, ...confirmingRuns, ...(await repeat(remaining))], chosen.base, run);
  return 'outcome' in repeatedResult ? repeatedResult : withWarning;
}

/** Keys of the new tests that pass every time, or why they prove nothing. */
function findSteadyTests(
  runs: readonly TestRun[],
  base: TestRun,
  run: GateRun,
): { readonly newTests: readonly string[] } | GateAnswer {
  const always = testsThatAlwaysPass(runs);
  const newTestKeys = always && newKeys(always, base, run);
  if (!newTestKeys)
    return unknown('The new tests do not name their cases, so they cannot be distinguished from the others.');
  if (newTestKeys.length === 0) return failed('No new test passes.');
  if (runs.some(({ value }) => (value?.failed ?? 0) > 0))
    return failed(`Not all tests in these files pass ${RUN_COUNT} times in a row.`, { tests: newTestKeys.length });
  return { newTests: newTestKeys };
}

/** The input of a search for mutants that only the new tests notice. */
interface MutantSearch {
  readonly run: GateRun;
  readonly chosen: ChosenTests;
  /** Runs the files with the new tests. */
  readonly command: DetectedCommand;
  readonly plan: MutantPlan;
  readonly textOf: TextOf;
  /** Keys of the new tests. */
  readonly newTests: readonly string[];
  readonly signal: AbortSignal;
  /** Receives the runs of the new tests without a mutant that confirm the result. */
  onPlain(run: TestRun): void;
}

type MutantRunContext = Pick<MutantSearch, 'run' | 'chosen' | 'command' | 'textOf' | 'signal' | 'onPlain'>;
type NewTestRunContext = Omit<MutantRunContext, 'chosen' | 'onPlain'> & Pick<ChosenTests, 'commands'>;

/**
 * The answer for the new tests: a single mutant that only they notice is enough. Mutants that the tests were requested
 * to notice are tried first, then those that no other test reaches, because one run each decides them.
 */
async function findUnnoticedMutant({
  run,
  chosen,
  command,
  plan,
  textOf,
  newTests,
  signal,
  onPlain,
}: MutantSearch): Promise<GateAnswer> {
  const tests = newTests.length;
  const quiet = createQuietTests(newTests);
  const { clock, proof } = run.context;
  const seconds = proof?.settings.guardSeconds ?? 0;
  const endAt = clock.now() + seconds * 1000;
  const { commands } = chosen;
  const newRun = await runProbed(run, textOf, plan, command, commands, signal);
  // Code that runs when the module is loaded has no probe.
  const reached = plan.mutants.filter(({ probe }) => probe === null || newRun.reached.has(probe));
  if (reached.length === 0) return failed('The new tests run none of the code that they import.', { tests });
  const otherRun = await run.without(run.edits, () =>
    runProbed(run, textOf, plan, chosen.commands.allTests, commands, signal),
  );
  // Some tests fail with probes, such as those that run without Node's own modules, as in the runtime of a browser.
  // Then it is not known what the tests reach, and each mutant needs a run of them.
  const othersRunWithProbes = ranAsBefore(otherRun.probed, chosen.base);
  const unknownToOthers = ({ probe }: Mutant) => othersRunWithProbes && probe !== null && !otherRun.reached.has(probe);
  const requested = new Set(run.proposal.addresses);
  const priority = (mutant: Mutant) =>
    (requested.has(describeMutant(mutant)) ? 2 : 0) + (unknownToOthers(mutant) ? 1 : 0);
  const ordered = reached.toSorted((a, b) => priority(b) - priority(a));
  // A mutant that the new tests miss in a joint run is not tried again.
  const tryInOneRun = async (mutantsToTry: readonly Mutant[]) =>
    tryInProcess(
      run,
      plan,
      textOf,
      {
        command,
        commands,
        runner: detectRunner(chosen.command, await run.project())?.name,
        preload: proof?.inTests ?? null,
        millis: (seconds * 1000) / 2,
        baseMillis: newRun.probed.answer.millis,
        chosenMutants: mutantsToTry,
      },
      signal,
    );
  // The requested ones are few. Usually they show the tests, so that the others need no run.
  const requestedMutants = ordered.filter((mutant) => requested.has(describeMutant(mutant)));
  const requestedFates =
    requestedMutants.length > 0 ? (await tryInOneRun(requestedMutants)).fates : new Map<Mutant, MutantStatus>();
  const isProvenByRequested = [...requestedFates.values()].includes('noticed');
  const others = isProvenByRequested
    ? new Map<Mutant, MutantStatus>()
    : (await tryInOneRun(ordered.filter((candidate) => !requestedFates.has(candidate)))).fates;
  const fates = new Map<Mutant, MutantStatus>([...requestedFates, ...others]);
  const missed = ordered.filter((mutant) => fates.get(mutant) === 'survived' || fates.get(mutant) === 'unreached');
  const noticedTogether = ordered.filter((mutant) => fates.get(mutant) === 'noticed');
  const undecided = ordered.filter((mutant) => !fates.has(mutant) || fates.get(mutant) === 'stopped');
  let triedCount = missed.length;
  let noticed = 0;
  // Mutants that the joint run noticed, but their own run did not: the joint run does not count for them.
  const refuted = new Map<Mutant, MutantStatus>();
  const promising = [...noticedTogether, ...undecided];
  for (const [index, mutant] of promising.entries()) {
    if (clock.now() > endAt && index >= MIN_TRIED_MUTANTS) break;
    triedCount += 1;
    const fate = await testMutant(run, textOf, mutant, command, commands, newRun.probed, signal, {
      onNoticed: quiet.see,
    });
    if (fate !== 'noticed') {
      refuted.set(mutant, fate);
      continue;
    }
    noticed += 1;
    const isMissedByOthers =
      unknownToOthers(mutant) ||
      (await run.without(run.edits, () =>
        othersRunWithProbes
          ? isMissed({ run, chosen, textOf, signal }, mutant, otherRun.probed)
          : isMissedTwice({ run, chosen, textOf, signal }, mutant),
      ));
    if (!isMissedByOthers) continue;
    const contradicted = await findContradiction(
      { run, chosen, command, textOf, signal, onPlain },
      mutant,
      newRun.probed,
    );
    if (contradicted !== null)
      return { ...contradicted, evidence: { ...contradicted.evidence, tests, mutants: triedCount } };
    const others = promising.slice(index + 1);
    const until = Math.min(endAt, clock.now() + EXTRA_TIME_FOR_QUIET_TESTS_MS);
    const alone = await tryQuietTests({ run, command, commands, textOf, signal }, quiet, {
      others,
      until,
      baseline: newRun.probed,
    });
    const isRequested = requested.has(describeMutant(mutant));
    // A runner that cannot try the mutants in one run leaves the requested ones open: then their own runs count.
    const statuses = new Map([...requestedFates, ...refuted, ...alone, [mutant, fate] as const]);
    const { text, noticed: mistakes } = describeNoticedMistakes(
      describeMutant(mutant),
      isRequested ? requestedMutants.flatMap((candidate) => statuses.get(candidate) ?? []) : [],
      isRequested ? requested.size : 1,
      { isPart: chosen.isPart, isNearby: run.proposal.nearby },
    );
    return addEarnedPoints(
      passed(
        `${counted(tests, 'new test passes', 'new tests pass')} ${RUN_COUNT} times, and ` +
          `${tests === 1 ? 'notices' : 'notice'} ${text}.${quiet.sentence}`,
        {
          tests,
          [NOTICED_MISTAKES]: mistakes,
          mutant: describeMutant(mutant),
          mutants: triedCount,
          ...(quiet.size === 0 ? {} : { [QUIET_TESTS]: quiet.size }),
        },
      ),
      await measureEarnedPoints(run, chosen.base, {
        confirmed: unknownToOthers(mutant) ? mutant : null,
        unconfirmed: promising.filter((candidate) => unknownToOthers(candidate) && !refuted.has(candidate)),
        until: Math.min(endAt, clock.now() + EXTRA_TIME_FOR_NEW_LINES_MS),
        isNoticed: (candidate) => isNoticedAlone({ run, command, commands, textOf, signal }, candidate, newRun.probed),
      }),
    );
  }
  const evidence = { tests, mutants: triedCount, noticed };
  // If the other tests break down with any change of the code, they seem to notice everything.
  if (!othersRunWithProbes)
    return markTimeDependent(
      unknown(
        'The other tests do not run as they did before, so nobody can say what only the new ones notice.',
        evidence,
      ),
    );
  if (triedCount < ordered.length)
    return markTimeDependent(
      unknown(
        `Within ${seconds} s no mistake was found that only the new tests notice (${triedCount} of ${ordered.length} mutants tried).`,
        evidence,
      ),
    );
  return failed(
    noticed === 0
      ? `The new tests notice none of ${counted(triedCount, 'mutant')} of the code that they run.`
      : noticed === 1
        ? 'The one mutant that the new tests notice is noticed by other tests already.'
        : `Each of the ${counted(noticed, 'mutant')} that the new tests notice is noticed by other tests already.`,
    evidence,
  );
}

/** Tries further mutants, as long as there are new tests that have noticed none. Returns what came of each one. */
async function tryQuietTests(
  { run, command, commands, textOf, signal }: NewTestRunContext,
  quiet: QuietTests,
  attempt: { readonly others: readonly Mutant[]; readonly until: number; readonly baseline: TestRun },
): Promise<ReadonlyMap<Mutant, MutantStatus>> {
  const statuses = new Map<Mutant, MutantStatus>();
  for (const mutant of attempt.others) {
    if (quiet.size === 0 || run.context.clock.now() > attempt.until) break;
    const options = { onNoticed: quiet.see };
    statuses.set(mutant, await testMutant(run, textOf, mutant, command, commands, attempt.baseline, signal, options));
  }
  return statuses;
}

/** True if the new tests pass in a run without the mutant, and notice it in a run with it. */
async function isNoticedAlone(
  { run, command, commands, textOf, signal }: NewTestRunContext,
  mutant: Mutant,
  baseline: TestRun,
): Promise<boolean> {
  const plain = await run.again('mutant', command, commands.parse, signal);
  if (plain.value === null || plain.value.failed > 0) return false;
  return (await testMutant(run, textOf, mutant, command, commands, baseline, signal)) === 'noticed';
}

/**
 * Alternates runs without and with the mutant. Returns an answer if their results are not the same each time, otherwise
 * null.
 */
async function findContradiction(
  { run, chosen, command, textOf, signal, onPlain }: MutantRunContext,
  mutant: Mutant,
  baseline: TestRun,
): Promise<GateAnswer | null> {
  const { commands } = chosen;
  for (let time = 0; time < CONFIRMATION_COUNT; time += 1) {
    const plain = await run.again('mutant', command, commands.parse, signal);
    if (plain.value === null || plain.value.failed > 0)
      return failed('The tests in these files sometimes fail without any mistake in the code.');
    onPlain(plain);
    const fate = await testMutant(run, textOf, mutant, command, commands, baseline, signal);
    if (fate === 'unjudged')
      return unknown(`The tests did not run while ${describeMutant(mutant)} was tried once more.`);
    if (fate !== 'noticed')
      return failed(
        `The new tests notice a mistake in one run and not in another: ${describeMutant(mutant)}. They depend on chance.`,
      );
  }
  return null;
}

/** Adds the warning that code which the tests reach may have effects outside the program. */
function addOutsideWarning(answer: GateAnswer, outside: string): GateAnswer {
  const reason = `${answer.reason} The code that they lead to may act outside the program (${outside}).`;
  return { ...answer, reason, evidence: { ...answer.evidence, [OUTSIDE_KEY]: outside } };
}

/**
 * Keys of the new tests among those that always pass. Null if the base does not name its tests, and tests were added to
 * an existing file.
 */
function newKeys(always: ReadonlySet<string>, base: TestRun, { edits }: GateRun): readonly string[] | null {
  const cases = base.value?.cases;
  if (!cases) return edits.every(({ before }) => before === null) ? [...always] : null;
  const oldKeys = new Set(cases.map(testKey));
  return [...always].filter((key) => !oldKeys.has(key));
}
