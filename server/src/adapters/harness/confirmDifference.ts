// Repeats a difference in fresh processes. A difference that is not reproducible, or that the old code also shows
// against itself, proves nothing.

import type { BehaviourChange, ComparedTarget, TargetReport } from '../../core/verify/differential/plan.ts';
import { describeDifference } from './difference.ts';
import { isFixedCall, FIX_CONFIRMATIONS } from './fixedCalls.ts';
import type { Call } from './messages.ts';
import type { SideAnswer, SideProcess } from './sideProcesses.ts';

/**
 * Milliseconds for a repeated call. Even on a busy machine they are enough for a call that ends, so a call that takes
 * longer counts as hanging.
 */
const CONFIRM_MS = 12_000;
/**
 * If less time than `CONFIRM_MS` is left, a call of the new code counts as hanging only if it takes at least this many
 * milliseconds, and `HANGS_TIMES` times as long as in the old code. Otherwise, the time was too short to decide.
 */
const HANGS_MS = 2_000;
/**
 * If less time than `CONFIRM_MS` is left, the number of times that a hanging call of the new code must take as long as
 * in the old code.
 */
const HANGS_TIMES = 10;

/** The processes of both sides. */
export interface Pair {
  readonly oldSide: SideProcess;
  readonly newSide: SideProcess;
}

/** The answers of both sides to one call. */
export interface AnswerPair {
  readonly oldAnswer: SideAnswer;
  readonly newAnswer: SideAnswer;
}

/** Deadlines in milliseconds, on the clock of the thread (`performance.now()`). */
export interface Ends {
  /** End of the search for differences. */
  readonly search: number;
  /** End of the repetitions, after which only the executed lines are collected. */
  readonly endOfAll: number;
}

/** The deadlines and the fresh processes that repeating a call needs. */
export interface ConfirmationSession {
  readonly ends: Ends;
  /**
   * Starts a fresh pair of processes in which nothing is observed; null if it was not ready in time. `onlyPath`: loads
   * only this file.
   */
  openPair(onlyPath: string | null, until?: number): Promise<Pair | null>;
  /** Starts a fresh process of only the old code; null if it was not ready in time. */
  openOldSide(onlyPath: string | null): Promise<SideProcess | null>;
}

/**
 * Repeats the call in fresh processes, first without other calls, and then after the other calls of `history`, whose
 * last call it is. Each time, the old code is then run once more, and has to give the same answer. Returns `late` if
 * the time was over before the result was clear.
 */
export async function confirmCounterexample(
  session: ConfirmationSession,
  index: number,
  target: ComparedTarget,
  call: Call,
  history: readonly Call[],
): Promise<Pick<TargetReport, 'outcome' | 'reason' | 'counterexample'> | 'late'> {
  for (const calls of [[call], history]) {
    const first = await replayBoth(session, index, target, calls, computeEndOfFirst(session));
    if (first === 'late') return 'late';
    // The new code does not run again: its first answer counts, and an endless call would take the whole time limit.
    const oldAgain = first && (await replayOld(session, index, target, calls.slice(0, first.callCount)));
    if (oldAgain === 'late') return 'late';
    if (!first || !oldAgain)
      return {
        outcome: 'unknown',
        reason: 'A process broke while a difference was being confirmed.',
        counterexample: null,
      };
    if (JSON.stringify(first.oldAnswer) !== JSON.stringify(oldAgain)) {
      const call = 'outcome' in first.oldAnswer ? first.oldAnswer.outcome.call : target.name;
      const reason = `The old code answers \`${call}\` differently from one call to the next.`;
      return { outcome: 'unknown', reason, counterexample: null };
    }
    const counterexample = createCounterexample(target, first.oldAnswer, first.newAnswer, calls.length - 1);
    if (counterexample) return { outcome: 'different', reason: null, counterexample };
  }
  return { outcome: 'unknown', reason: 'A difference was seen once, but not again.', counterexample: null };
}

/**
 * Repeats the call `FIX_CONFIRMATIONS` times, each time in fresh processes, and returns the change of behaviour. Null
 * if the call is not fixed each time; `late` if the time was over before.
 */
export async function confirmFix(
  session: ConfirmationSession,
  index: number,
  target: ComparedTarget,
  call: Call,
): Promise<BehaviourChange | null | 'late'> {
  let counterexample: BehaviourChange | null = null;
  for (let time = 0; time < FIX_CONFIRMATIONS; time += 1) {
    const answers = await replayBoth(session, index, target, [call], session.ends.endOfAll);
    if (answers === 'late') return 'late';
    if (!answers || !isFixedCall(answers.oldAnswer, answers.newAnswer)) return null;
    counterexample ??= createCounterexample(target, answers.oldAnswer, answers.newAnswer, 0);
  }
  return counterexample;
}

/**
 * The difference as a counterexample; null if there is none, or if the old code had no outcome. `earlierCallCount`: the number
 * of calls that were made before it in the same process.
 */
export function createCounterexample(
  target: ComparedTarget,
  oldAnswer: SideAnswer,
  newAnswer: SideAnswer,
  earlierCallCount: number,
): BehaviourChange | null {
  if (!('outcome' in oldAnswer)) return null;
  const importedFunction =
    target.kind === 'function' && target.exportedAs !== null ? { path: target.path, name: target.exportedAs } : null;
  const call = `${oldAnswer.outcome.call}${earlierCallCount > 0 ? ` (after ${earlierCallCount} other calls)` : ''}`;
  const common = {
    call,
    imported: importedFunction,
    expected: earlierCallCount > 0 ? null : oldAnswer.outcome.expression,
  };
  if ('hangs' in newAnswer) {
    const after = `does not end within ${Number((newAnswer.hangs / 1000).toFixed(1))} s`;
    return { ...common, before: oldAnswer.outcome.first.result, after };
  }
  if ('broken' in newAnswer)
    return { ...common, before: oldAnswer.outcome.first.result, after: `ends the process (${newAnswer.broken})` };
  const foundDifference = describeDifference(oldAnswer.outcome, newAnswer.outcome);
  return (
    foundDifference && { ...common, ...foundDifference, expected: foundDifference.isInResult ? common.expected : null }
  );
}

/** End of the repetition in both codes. Half of the remaining time is left for repeating the call in the old code. */
function computeEndOfFirst({ ends: deadlines }: ConfirmationSession): number {
  return performance.now() + (deadlines.endOfAll - performance.now()) / 2;
}

/**
 * The answers to the last of these calls in a fresh pair, or to the first one for which one side has no outcome, and
 * how many calls were made. Null if the old process ended on its own; `late` if there was not enough time.
 */
async function replayBoth(
  session: ConfirmationSession,
  index: number,
  target: ComparedTarget,
  calls: readonly Call[],
  until: number,
): Promise<(AnswerPair & { readonly callCount: number }) | null | 'late'> {
  const pair = performance.now() < until ? await session.openPair(target.path, until) : null;
  if (!pair) return 'late';
  try {
    let lastAnswers: AnswerPair | null = null;
    let callCount = 0;
    for (const call of calls) {
      const millis = Math.min(CONFIRM_MS, until - performance.now());
      if (millis <= 0) return 'late';
      const { both: answers, oldMs } = await callBoth(pair, index, call, millis);
      const isTooShort = 'hangs' in answers.oldAnswer || millis < Math.max(HANGS_MS, HANGS_TIMES * oldMs);
      if (('hangs' in answers.oldAnswer || 'hangs' in answers.newAnswer) && millis < CONFIRM_MS && isTooShort)
        return 'late';
      lastAnswers = answers;
      callCount += 1;
      if (!('outcome' in answers.oldAnswer) || !('outcome' in answers.newAnswer)) break;
    }
    return lastAnswers && !('broken' in lastAnswers.oldAnswer) ? { ...lastAnswers, callCount: callCount } : null;
  } finally {
    pair.oldSide.end();
    pair.newSide.end();
  }
}

/**
 * The answer of the old code to the last of these calls, or to the first one for which it has no outcome, in a fresh
 * process. Null if the process ended on its own; `late` if there was not enough time.
 */
async function replayOld(
  { openOldSide, ends: deadlines }: ConfirmationSession,
  index: number,
  target: ComparedTarget,
  calls: readonly Call[],
): Promise<SideAnswer | null | 'late'> {
  const old = performance.now() < deadlines.endOfAll ? await openOldSide(target.path) : null;
  if (!old) return 'late';
  try {
    let lastAnswer: SideAnswer | null = null;
    for (const call of calls) {
      const millis = Math.min(CONFIRM_MS, deadlines.endOfAll - performance.now());
      if (millis <= 0) return 'late';
      lastAnswer = await old.ask(index, call, millis);
      if ('hangs' in lastAnswer && millis < CONFIRM_MS) return 'late';
      if (!('outcome' in lastAnswer)) break;
    }
    return lastAnswer && !('broken' in lastAnswer) ? lastAnswer : null;
  } finally {
    old.end();
  }
}

/** Makes the call on both sides at the same time. `oldMs`: its duration in the old code. */
async function callBoth(
  pair: Pair,
  index: number,
  call: Call,
  millis: number,
): Promise<{ both: AnswerPair; oldMs: number }> {
  const startedAt = performance.now();
  let oldMs = millis;
  const [oldAnswer, newAnswer] = await Promise.all([
    pair.oldSide.ask(index, call, millis).then((answer) => {
      oldMs = performance.now() - startedAt;
      return answer;
    }),
    pair.newSide.ask(index, call, millis),
  ]);
  return { both: { oldAnswer, newAnswer }, oldMs };
}

/**
 * The report of a difference that there was no time to repeat. It is reported as unknown, so that a person is asked.
 */
export function reportWithoutRepetition(
  target: ComparedTarget,
  { oldAnswer, newAnswer }: AnswerPair,
): Pick<TargetReport, 'outcome' | 'reason' | 'counterexample' | 'outOfTime' | 'seen'> {
  const counterexample = createCounterexample(target, oldAnswer, newAnswer, 0);
  const sentence = counterexample
    ? `\`${counterexample.call}\` ${counterexample.before} before, and with the change it ${counterexample.after}`
    : 'A difference';
  const reason = `${sentence}: seen once, and no time was left to look at it again.`;
  return {
    outcome: 'unknown',
    reason,
    outOfTime: true,
    counterexample: null,
    ...(counterexample ? { seen: counterexample } : {}),
  };
}
