// Checks with mutants whether the tests would notice a mistake in the touched lines. This gate never fails a change; it
// shows how far the tests can be trusted.

import { detectRunner, type RunnerName } from '../../detect/testRunner.ts';
import type { DetectedCommand } from '../../detect/command.ts';
import type { Gate, GateInput } from '../../gate.ts';
import type { Mutant, MutantPlan } from '../../guard/planMutants.ts';
import type { Operator } from '../../guard/mutators.ts';
import { tryInProcess } from '../../guard/inProcess.ts';
import { selectEditsForRunner } from '../../guard/editsForRunner.ts';
import { describeMutant, testMutant, runProbed, type MutantStatus, type TextOf } from '../../guard/mutantRuns.ts';
import type { ProofContext } from '../../proof.ts';
import { chooseTests, type ChosenTests } from '../../testing/chosenTests.ts';
import { chooseOnlyTests } from '../../testing/chooseOnlyTests.ts';
import { estimateLeastSeconds, chooseReachingCommand, computeTestSeconds } from '../../testing/reachingCommand.ts';
import { compareTests, passesAllTests, type TestRun } from '../../testing/testRun.ts';
import { markTimeDependent, nullIfTimedOut } from '../../busyMachine.ts';
import { describeTimeLeft } from '../../judge/timeLeft.ts';
import { MISSED_PLACES, UNREACHED_LINES } from '../../../model/evidence.ts';
import { FEW_MUTANTS, UNNOTICED_KEY, UNPROVEN_KEY } from '../../../model/proofs.ts';
import { formatCount, passed, unknown, type GateAnswer } from '../../answer.ts';
import { stopAtFailure } from './stopAtFailure.ts';
import { answerIfNeedless } from './needless.ts';
import {
  answerIfNoneReached,
  countUnreachedLines,
  findUnreached,
  describeUnreached,
  type Unreached,
} from './unreached.ts';

/**
 * Minimum number of judged mutants. Fewer are weak evidence: they count only if there are no more, and are never
 * strong.
 */
const MIN_JUDGED = 5;
/** Mutants that remove a whole condition, call or statement. */
const REMOVING_OPERATORS: ReadonlySet<Operator> = new Set([
  'conditional',
  'block',
  'method',
  'statement',
  'jump',
  'default',
]);
/** The reason why few judged mutants prove nothing, as a clause. */
const FEW_TEXT = 'so few mutants are a sign and no proof';
/** The reason why mutants of a change that may be incomplete prove nothing, as a clause. */
const LEFT_OUT_TEXT = 'mutants change only lines that are there, so they do not show what the change leaves out';
/** Maximum number of mutants or places that a sentence lists. */
const MAX_LISTED = 3;

/**
 * Passes if the tests notice enough mutants. This is no proof (`UNPROVEN_KEY`) if fewer than five were judged, or if
 * the change is not wholly by a built-in recipe, because it may omit something. Otherwise unknown, for example if the
 * tests have shown nothing, if no test reaches a mutant in the touched lines, or if too few mutants can be tried in
 * time.
 */
export const gate: Gate = async (run, signal) => {
  const answer = await tryMutants(run, signal);
  // A whole change by a built-in recipe omits nothing, by construction. For other changes, mutants cannot show that
  // nothing is missing.
  const { recipe, partOf, restOf, isCorrected } = run.proposal;
  const isWhole = partOf === undefined && restOf === undefined && !isCorrected;
  const isWholeBuiltIn = isWhole && (run.context.isBuiltInRecipe?.(recipe) ?? false);
  const isFew = answer.evidence[FEW_MUTANTS] !== undefined;
  return answer.outcome !== 'passed' || (isWholeBuiltIn && !isFew)
    ? answer
    : { ...answer, evidence: { ...answer.evidence, [UNPROVEN_KEY]: isWholeBuiltIn ? FEW_TEXT : LEFT_OUT_TEXT } };
};

async function tryMutants(run: GateInput, signal: AbortSignal): Promise<GateAnswer> {
  const { proof, trusted, clock } = run.context;
  if (!trusted) return unknown('Not run: the workspace is not trusted.');
  if (!proof || proof.settings.guardSeconds === 0)
    return unknown('Not run: it is switched off (`selfware.verify.guardSeconds`).');
  const answer = answerIfNeedless(run.verdicts, run.context);
  if (answer) return answer;
  if (!run.verdicts.some(({ gate, outcome }) => gate === 'tests' && outcome === 'passed'))
    return unknown('Weak: the tests have shown nothing.');
  const allTests = await chooseTests(run, signal);
  if (!allTests) return unknown('Weak: no tests were found.');
  const project = await run.project();
  const foundRunner = detectRunner(allTests.command, project)?.name;
  const judgeableEdits = selectEditsForRunner(foundRunner ?? null, run.edits);
  const otherEdits = run.edits.filter((edit) => !judgeableEdits.includes(edit));
  const otherMutants = otherEdits.length === 0 ? [] : (await nullIfTimedOut(proof.planMutants(otherEdits, 1)))?.mutants;
  if (otherMutants?.[0])
    return unknown(`Weak: the tests of ${foundRunner} can notice no mistake in ${otherMutants[0].path}.`);
  const plan = otherMutants && (await nullIfTimedOut(proof.planMutants(judgeableEdits, proof.settings.guardMutants)));
  if (!plan) return markTimeDependent(unknown('Not measured: the mutants could not be planned in time.'));
  if (plan.mutants.length === 0) return unknown('No mutant can be made of the touched lines.', { possible: 0 });
  const minSeconds =
    foundRunner === 'go' ? computeTestSeconds(allTests.base) : await estimateLeastSeconds(run, allTests);
  const createTooSlowAnswer = (seconds: number) =>
    markTimeDependent(
      unknown(
        `Not measured: the tests that reach the touched lines take ${Math.round(seconds)} s or more, ` +
          `too long for a mutant in ${describeLimit(proof.settings)}.`,
      ),
    );
  if (2 * minSeconds > proof.settings.guardSeconds) return createTooSlowAnswer(minSeconds);

  const chosenTests = await chooseOnlyTests(run, allTests, signal);
  const runner = detectRunner(chosenTests.command, project)?.name;
  const endAt = clock.now() + proof.settings.guardSeconds * 1000;
  const reachingCommand = await chooseReachingCommand(run, chosenTests);
  // All tests run without a mutant first. For Go, this run is part of the time for building.
  const secondsOfAll =
    runner !== 'go' && reachingCommand === chosenTests.commands.allTests ? chosenTests.base.answer.millis / 1000 : 0;
  if (secondsOfAll > proof.settings.guardSeconds) return createTooSlowAnswer(secondsOfAll);
  const inProcessResult = await tryInProcess(
    run,
    plan,
    createTextOf(run),
    {
      command: reachingCommand,
      commands: chosenTests.commands,
      runner,
      preload: proof.inTests ?? null,
      millis: endAt - clock.now(),
      baseMillis: chosenTests.base.answer.millis,
    },
    signal,
  );
  const statuses = new Map<Mutant, MutantStatus>(inProcessResult.statuses);
  const { guardStrength: strength, guardSeconds: seconds } = proof.settings;
  const wasReached = (mutant: Mutant) => !['unreached', 'invalid', undefined].includes(statuses.get(mutant));
  const reached = new Set(plan.mutants.filter(wasReached));
  const unreachedAnswer = answerIfNoneReached(plan, statuses, createTextOf(run));
  if (unreachedAnswer) return unreachedAnswer;
  if (isStrong(plan, statuses, strength) || plan.mutants.every((mutant) => statuses.has(mutant)))
    return judgeStatuses(plan, { statuses, reached }, createTextOf(run), strength, seconds);
  const earlyAnswer = await tryOneByOne({
    run,
    plan,
    reaching: reachingCommand,
    runner,
    chosen: chosenTests,
    statuses,
    reached,
    endAt,
    minSeconds,
    strength,
    signal,
  });
  return (
    earlyAnswer ??
    answerIfNoneReached(plan, statuses, createTextOf(run)) ??
    judgeStatuses(plan, { statuses, reached }, createTextOf(run), strength, seconds)
  );
}

/**
 * Runs the tests for each mutant without a status, until the time is up or enough mutants are noticed. Adds the
 * statuses to `statuses`, and the mutants that the tests run to `reached`. Returns an answer if no mutant can be
 * judged; otherwise null.
 */
async function tryOneByOne({
  run,
  plan,
  reaching,
  runner,
  chosen,
  statuses,
  reached,
  endAt,
  minSeconds,
  strength,
  signal,
}: {
  readonly run: GateInput;
  readonly plan: MutantPlan;
  readonly reaching: DetectedCommand;
  readonly runner: RunnerName | undefined;
  readonly chosen: ChosenTests;
  /** Filled by this function. */
  readonly statuses: Map<Mutant, MutantStatus>;
  /** Filled by this function. */
  readonly reached: Set<Mutant>;
  readonly endAt: number;
  /** Minimum number of seconds that one run takes. */
  readonly minSeconds: number;
  readonly strength: number;
  readonly signal: AbortSignal;
}): Promise<GateAnswer | null> {
  const { clock } = run.context;
  // If tests fail without a mutant, the first failure shows nothing, so the run must not stop there.
  const command = passesAllTests(chosen.base) ? stopAtFailure(reaching, runner) : reaching;
  // One run without a mutant comes first.
  if (clock.now() + 2_000 * minSeconds > endAt) return null;
  const { baseline, probes } = await probeRun(run, plan, command, chosen, signal);
  if (!baseline)
    return statuses.size > 0
      ? null
      : unknown('The tests give different results in two runs, so no mutant can be judged.');
  const openMutants = plan.mutants.filter((mutant) => !statuses.has(mutant));
  for (const mutant of openMutants) {
    if (!probes || mutant.probe === null) continue;
    if (probes.has(mutant.probe)) reached.add(mutant);
    else statuses.set(mutant, 'unreached');
  }
  if (answerIfNoneReached(plan, statuses, createTextOf(run))) return null;
  for (const mutant of openMutants) {
    if (statuses.has(mutant)) continue;
    if (clock.now() + baseline.answer.millis > endAt || isStrong(plan, statuses, strength)) break;
    statuses.set(mutant, await testMutant(run, createTextOf(run), mutant, command, chosen.commands, baseline, signal));
  }
  return null;
}

/** True if enough mutants were noticed, regardless of the status of the remaining ones. */
function isStrong(plan: MutantPlan, statuses: ReadonlyMap<Mutant, MutantStatus>, strength: number): boolean {
  const judgedCount = [...statuses.values()].filter((status) => status !== 'invalid' && status !== 'unjudged').length;
  const noticedCount = [...statuses.values()].filter((status) => status === 'noticed').length;
  return (
    judgedCount >= Math.min(MIN_JUDGED, plan.mutants.length) &&
    noticedCount * 100 >= strength * (judgedCount + plan.mutants.length - statuses.size)
  );
}

/**
 * Runs the tests on the candidate without a mutant, and records which probes they reach; null if the probes did not
 * work.
 */
async function probeRun(
  run: GateInput,
  plan: MutantPlan,
  command: DetectedCommand,
  { commands, base }: ChosenTests,
  signal: AbortSignal,
): Promise<{ readonly baseline: TestRun | null; readonly probes: ReadonlySet<number> | null }> {
  const { probed, reached } = await runProbed(run, createTextOf(run), plan, command, commands, signal);
  if (areProbesHarmless(probed, base)) return { baseline: probed, probes: reached };
  const plain = await run.rerun('mutant', command, commands.parse, signal);
  return { baseline: plain.answer.outcome === 'exited' && plain.value !== null ? plain : null, probes: null };
}

/**
 * True if the tests pass, or if the tests that ran fail only as they do without the change, so that the probes did not
 * affect them.
 */
function areProbesHarmless(probed: TestRun, base: TestRun): boolean {
  const { answer, value } = probed;
  if (answer.outcome !== 'exited' || !value || value.passed === 0) return false;
  if (passesAllTests(probed) || !base.value?.cases) return passesAllTests(probed);
  const ranFiles = new Set(value.cases?.map(({ file }) => file));
  const changes = compareTests(
    { ...base.value, cases: base.value.cases.filter(({ file }) => ranFiles.has(file)) },
    value,
  );
  return changes !== null && changes.failing.length + changes.missing.length === 0;
}

/** Returns a function that gives the text of a file in the candidate. */
function createTextOf({ edits }: GateInput): TextOf {
  return (path) => edits.find((edit) => edit.path === path)?.after ?? '';
}

/**
 * The answer for these statuses. Strong if the tests notice at least `strength` percent of the judged mutants. Unknown
 * if they notice fewer, if no test reaches some mutant of the touched lines, or if too few mutants could be judged.
 * `reached`: the mutants that tests run. `seconds`: the time limit, for the sentence.
 */
function judgeStatuses(
  plan: MutantPlan,
  { statuses, reached }: { statuses: ReadonlyMap<Mutant, MutantStatus>; reached: ReadonlySet<Mutant> },
  textOf: TextOf,
  strength: number,
  seconds: number,
): GateAnswer {
  const selectByStatus = (wantedStatus: MutantStatus) =>
    [...statuses].filter(([, mutantStatus]) => mutantStatus === wantedStatus).map(([mutant]) => mutant);
  const countTouched = (...wanted: readonly MutantStatus[]) =>
    wanted.flatMap(selectByStatus).filter(({ touched }) => touched).length;
  const stopped = selectByStatus('stopped').length;
  const noticed = selectByStatus('noticed').length + stopped;
  const survived = selectByStatus('survived');
  const missedMutants = [...survived, ...selectByStatus('unreached')];
  const unnoticedChange = missedMutants.find(({ touched, operator }) => touched && REMOVING_OPERATORS.has(operator));
  const unreached = findUnreached(plan, statuses, reached, textOf);
  const unreachedLines = countUnreachedLines(unreached);
  const places = listMissedPlaces(unreached, missedMutants);
  const unreachedText = describeUnreached(unreached);
  const judgedCount = noticed + missedMutants.length;
  const unjudged = selectByStatus('unjudged').length;
  const untried = plan.mutants.length - statuses.size;
  const evidence = {
    mutants: plan.mutants.length,
    more: plan.omittedCount,
    ...(untried > 0 ? { untried } : {}),
    noticed,
    ...(stopped > 0 ? { stopped } : {}),
    survived: survived.length,
    unreached: selectByStatus('unreached').length,
    ...(plan.mutants.some((mutant) => mutant.touched && statuses.get(mutant) !== 'invalid')
      ? {
          touchedNoticed: countTouched('noticed', 'stopped'),
          touchedJudged: countTouched('noticed', 'stopped', 'survived', 'unreached'),
          touchedStopped: countTouched('stopped'),
        }
      : {}),
    ...(unreachedLines > 0 ? { [UNREACHED_LINES]: unreachedLines } : {}),
    invalid: selectByStatus('invalid').length,
    ...(unjudged > 0 ? { unjudged } : {}),
    strength,
    ...(missedMutants.length > 0 ? { missed: missedMutants.slice(0, 20).map(describeMutant).join('\n') } : {}),
    ...(places.length > 0 ? { [MISSED_PLACES]: places.join('\n') } : {}),
    ...(judgedCount < MIN_JUDGED ? { [FEW_MUTANTS]: 1 } : {}),
    ...(unnoticedChange ? { [UNNOTICED_KEY]: describeMutant(unnoticedChange) } : {}),
  };
  const share = `${noticed} of ${formatCount(judgedCount, 'mutant')} of the touched lines and the functions around them`;
  const untriedText = untried === 0 ? '' : ` ${untried} more ${untried === 1 ? 'was' : 'were'} not tried.`;
  // With more time, the untried mutants may show more.
  const markIfUntried = untried > 0 ? markTimeDependent : (answer: GateAnswer) => answer;
  if (unreachedText !== '')
    return markIfUntried(
      unknown(
        `Weak: ${unreachedText}. The tests notice ${share}.${describeUnnoticed(survived)}${untriedText}`,
        evidence,
      ),
    );
  const minJudged = Math.min(MIN_JUDGED, plan.mutants.length - selectByStatus('invalid').length);
  if (judgedCount === 0 || judgedCount < minJudged)
    return markTimeDependent(
      unknown(
        `Only ${formatCount(judgedCount, 'mutant')} of the touched lines could be judged in ${seconds} s.${untriedText}`,
        evidence,
      ),
    );
  // On a busy machine, any run may have been stopped by the time limit.
  const markIfStopped =
    (noticed - stopped) * 100 < strength * judgedCount ? markTimeDependent : (answer: GateAnswer) => answer;
  if (noticed * 100 >= strength * judgedCount)
    return markIfStopped(
      passed(
        `${judgedCount < MIN_JUDGED ? describeFewNoticed(noticed, judgedCount) : `Strong: the tests notice ${share}`}.${untriedText}`,
        evidence,
      ),
    );
  return markIfUntried(
    unknown(`Weak: the tests notice ${share}.${describeUnnoticed(missedMutants)}${untriedText}`, evidence),
  );
}

/** Touched places where the tests notice no mistake, as `path:line`. Places that no test runs come first. */
function listMissedPlaces({ lines, parts }: Unreached, missedMutants: readonly Mutant[]): readonly string[] {
  const mutantPlaces = missedMutants.filter(({ touched }) => touched).map(({ path, line }) => `${path}:${line}`);
  return [...new Set([...lines, ...parts.map(({ place }) => place), ...mutantPlaces])];
}

function describeUnnoticed(missedMutants: readonly Mutant[]): string {
  if (missedMutants.length === 0) return '';
  const listed = missedMutants.slice(0, MAX_LISTED).map(describeMutant).join('; ');
  return ` Not noticed: ${listed}${missedMutants.length > MAX_LISTED ? '; …' : '.'}`;
}

/** The clause about so few mutants that the tests cannot be called strong. */
function describeFewNoticed(noticedCount: number, judgedCount: number): string {
  if (judgedCount === 1) return 'The tests notice the only mutant that could be judged';
  return `The tests notice ${noticedCount === judgedCount ? 'all' : `${noticedCount} of`} ${judgedCount} mutants that could be judged`;
}

/** The time limit for mutants, and what determines it. */
function describeLimit({ guardSeconds, guardCut, budgetCut }: ProofContext['settings']): string {
  if (!guardCut) return `${guardSeconds} s (\`selfware.verify.guardSeconds\`)`;
  return describeTimeLeft(guardSeconds, budgetCut, '`--thorough`, or a policy that demands mutants,');
}
