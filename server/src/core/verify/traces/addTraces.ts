// Compares the calls of the tests if generated inputs could not decide whether old and new code have the same
// behaviour.

import { MENDED_CALL } from '../../model/evidence.ts';
import { TRACED_CALLS } from '../../model/proofs.ts';
import { formatCount, failed, passed, unknown, type GateAnswer } from '../answer.ts';
import { DEPENDS_ON_TIME, markTimeDependent, nullIfTimedOut } from '../busyMachine.ts';
import { detectRunner } from '../detect/testRunner.ts';
import type { GateInput } from '../gate.ts';
import type { ProofContext } from '../proof.ts';
import { chooseTests } from '../testing/chosenTests.ts';
import { estimateLeastSeconds, chooseReachingCommand } from '../testing/reachingCommand.ts';
import { chooseOnlyTests } from '../testing/chooseOnlyTests.ts';
import type { TraceComparison, TraceDifference } from './compareTraces.ts';
import type { TracePlan } from './planTraces.ts';
import { FIRST_SHARE, traceBothSides, TRACED_RUNNERS, type ComparedTraces } from './traceRuns.ts';

/**
 * Adds the calls of the tests to an answer. `answer`: the result of the comparison with generated inputs. It is
 * returned with a note about the missing evidence, unless the calls of the tests show that the behaviour is the same or
 * differs.
 */
export async function addTraces(run: GateInput, answer: GateAnswer, signal: AbortSignal): Promise<GateAnswer> {
  const { proof } = run.context;
  const seconds = proof?.settings.differentialSeconds === 0 ? 0 : (proof?.settings.traceSeconds ?? 0);
  if (!proof?.planTraces || seconds === 0 || !mayTrace(run, answer)) return answer;
  const { preload, planTraces } = { preload: proof.inTests ?? null, planTraces: proof.planTraces };
  if (preload === null) return answer;
  const tracedResult = await traceTests(run, { planTraces, preload, seconds }, signal);
  return 'reason' in tracedResult
    ? addMissingEvidence(answer, tracedResult.reason, tracedResult.isOutOfTime)
    : judgeTraces(answer, tracedResult);
}

/** True if the tests passed and no difference was found so far. */
function mayTrace({ verdicts }: GateInput, { outcome, evidence }: GateAnswer): boolean {
  const isDifferent = evidence['call'] !== undefined || evidence[MENDED_CALL] !== undefined;
  const areTestsPassed = verdicts.some((verdict) => verdict.gate === 'tests' && verdict.outcome === 'passed');
  return outcome === 'unknown' && !isDifferent && areTestsPassed;
}

/** The result if the traces are no evidence. `isOutOfTime`: true if there was not enough time. */
interface MissingTraces {
  /** The reason why the calls of the tests are no evidence, as a sentence. */
  readonly reason: string;
  readonly isOutOfTime: boolean;
}

/** The compared traces, with their plan. */
interface FoundTraces {
  readonly plan: TracePlan;
  readonly traces: ComparedTraces;
}

/** Compares the calls of the tests on both sides, or says why they are no evidence. */
async function traceTests(
  run: GateInput,
  parts: {
    readonly planTraces: NonNullable<ProofContext['planTraces']>;
    readonly preload: string;
    readonly seconds: number;
  },
  signal: AbortSignal,
): Promise<FoundTraces | MissingTraces> {
  const createMissingTraces = (lacking: string, isTimedOut = false): MissingTraces => ({
    reason: lacking,
    isOutOfTime: isTimedOut,
  });
  const allTests = await chooseTests(run, signal);
  const chosenTests = allTests && (await chooseOnlyTests(run, allTests, signal));
  const runner = chosenTests && detectRunner(chosenTests.command, await run.project())?.name;
  if (!chosenTests || !runner || !TRACED_RUNNERS.has(runner))
    return createMissingTraces(
      'The calls of the tests can be recorded with AVA, Jest, Mocha, Vitest and `node --test` only.',
    );
  const plan = await nullIfTimedOut(parts.planTraces(run.edits));
  if (!plan) return createMissingTraces('Recording the calls of the tests could not be planned in time.', true);
  const [gap] = plan.gaps;
  if (gap !== undefined) return createMissingTraces(gap);
  const createLateResult = () =>
    createMissingTraces(
      `The calls of the tests could not be compared in ${parts.seconds} s. \`selfware.verify.traceSeconds\` allows more.`,
      true,
    );
  if ((await estimateLeastSeconds(run, chosenTests)) > parts.seconds * FIRST_SHARE) return createLateResult();
  const until = run.context.clock.now() + parts.seconds * 1000;
  const command = await chooseReachingCommand(run, chosenTests);
  const traces = await traceBothSides(
    run,
    plan,
    { command, commands: chosenTests.commands, preload: parts.preload, until },
    signal,
  );
  if (traces.outcome === 'compared') return { plan, traces };
  if (traces.outcome === 'late') return createLateResult();
  return createMissingTraces('No test has reported its calls.');
}

/** Returns the answer with a note that the calls of the tests are no evidence, and the reason. */
function addMissingEvidence(answer: GateAnswer, lacking: string, isLate: boolean): GateAnswer {
  const markedAnswer = { ...answer, evidence: { ...answer.evidence, traces: lacking } };
  return isLate ? markTimeDependent(markedAnswer) : markedAnswer;
}

/** Returns the answer with the result of the compared calls. `answer`: the answer of the generated inputs. */
export function judgeTraces(answer: GateAnswer, { plan, traces }: FoundTraces): GateAnswer {
  const { comparison, isReproducible, isOutOfTime } = traces;
  const { differences, tests, compared, unrecorded } = comparison;
  const calls = [...compared.values()].reduce((sum, count) => sum + count, 0);
  const countsText = `${formatCount(calls, 'call')} in ${formatCount(tests.size, 'test')}, ${formatCount(compared.size, 'function')}`;
  const evidence: GateAnswer['evidence'] = {
    ...answer.evidence,
    tracesCompared: countsText,
    ...(unrecorded > 0 ? { tracesNotRecorded: unrecorded } : {}),
  };
  const difference =
    differences.find(({ traced: number }) => plan.functions[number]!.visible) ?? differences.find(() => true);
  if (difference !== undefined) {
    const { visible, name } = plan.functions[difference.traced]!;
    const reason = describeDifference(difference, name);
    const tracedEvidence = { ...evidence, tracedTest: difference.title, tracedDifference: reason };
    const doubt = isOutOfTime ? 'There was no time to see it twice.' : 'It does so only in some runs.';
    if (!isReproducible)
      return addMissingEvidence({ ...answer, evidence: tracedEvidence }, `${reason} ${doubt}`, isOutOfTime);
    return visible
      ? failed(reason, tracedEvidence)
      : unknown(`${reason} Only code of the same file can call it by its name.`, tracedEvidence);
  }
  const doubt = explainDoubt(plan, comparison);
  if (doubt !== null)
    return addMissingEvidence({ ...answer, reason: `${answer.reason} ${doubt}`, evidence }, doubt, false);
  const { [DEPENDS_ON_TIME]: _late, ...lasting } = evidence;
  return passed(
    `The calls that the tests make end as before: ${countsText}. Other calls were not compared: ${answer.reason}`,
    { ...lasting, [TRACED_CALLS]: calls },
  );
}

/** The sentence about a difference between two calls. */
function describeDifference({ title, call, part, ends }: TraceDifference, name: string): string {
  const where = `In the test “${title}”, call ${call} of \`${name}\``;
  return ends === null
    ? `${where} leaves another \`${part}\` than before.`
    : `${where} ${ends.before} before, and with the change it ${ends.after}.`;
}

/** The reason why calls without a difference do not show that the behaviour is the same; null if they do. */
function explainDoubt(plan: TracePlan, comparison: TraceComparison): string | null {
  const { called, calledOtherwise, compared, unreached } = comparison;
  for (const [number, { name }] of plan.functions.entries()) {
    if (!called.has(number)) return `No test calls \`${name}\`.`;
    if (calledOtherwise.has(number)) return `The tests call \`${name}\` otherwise with the change.`;
    if (!compared.has(number)) return `No call of \`${name}\` that the tests make can be compared.`;
  }
  const [place] = unreached;
  return place ? `No call that could be compared reaches ${place.path}:${place.line} \`${place.text}\`.` : null;
}
