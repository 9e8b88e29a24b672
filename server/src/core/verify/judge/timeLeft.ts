// Limits the time for the parts of a judgement that do not decide whether a change is blocked.

import type { Verdict } from '../../model.ts';
import { REPOSITORY_CHECKS } from '../../model/gateStages.ts';
import type { VerifyContext } from '../context.ts';
import type { Budget } from './judgementRequest.ts';

/**
 * Factor for the intended duration of a judgement, relative to the time of the repository's own checks with the change.
 */
const TIME_FACTOR = 1.5;
/**
 * Minimum number of seconds for each of the comparison of calls and the mutants, which run in parallel, however fast
 * the checks are. A person rather waits this long than gets no answer.
 */
export const MIN_GATE_SECONDS = 20;
/** Minimum number of seconds for the old tests on the new code, and for the runs that confirm a claim. */
export const MIN_RERUN_SECONDS = 5;
/** Seconds of the allowed time that are reserved for ending and reporting. */
const SECONDS_TO_END = 1;

/** The time limit for a part of a judgement. */
export interface TimeLeft {
  readonly seconds: number;
  /** True if the limit is due to the time that a person allows for the whole judgement. */
  readonly isByBudget: boolean;
}

/**
 * The remaining time of a judgement for parts that do not decide whether the change is blocked; null if there is no
 * limit. `secondsSpent`: seconds since the judgement began. `minSeconds`: minimum number of seconds, except that the part ends before
 * the allowed time does, so that its results are reported. `thorough`: only the allowed time limits it.
 */
export function findTimeLeft(
  verdicts: readonly Verdict[],
  secondsSpent: number,
  minSeconds: number,
  { budget, thorough }: { readonly budget: Omit<Budget, 'signal'>; readonly thorough: boolean },
): TimeLeft | null {
  const secondsOfChecks = verdicts
    .filter(({ gate }) => REPOSITORY_CHECKS.has(gate))
    .map(({ evidence }) => Number(evidence['seconds'] ?? 0));
  const intendedSeconds = TIME_FACTOR * secondsOfChecks.reduce((sum, seconds) => sum + seconds, 0);
  const plannedSeconds = thorough ? Infinity : Math.max(minSeconds, Math.round(intendedSeconds - secondsSpent));
  const allowedSeconds = budget.seconds === null ? Infinity : (budget.secondsLeft?.() ?? budget.seconds - secondsSpent);
  // 0 would switch the gates off.
  const allowedPart = Math.max(1, Math.floor(allowedSeconds - SECONDS_TO_END));
  const seconds = Math.min(plannedSeconds, allowedPart);
  return seconds === Infinity ? null : { seconds, isByBudget: allowedPart < plannedSeconds };
}

/**
 * The source of a time limit of a judgement and what removes the limit, as the continuation of `It had` or `in`.
 * `seconds`: the limit. `remedy`: what removes it, unless a person has limited the time of the whole judgement.
 */
export function describeTimeLeft(seconds: number, isByBudget: boolean | undefined, remedy: string): string {
  if (isByBudget) return `the ${seconds} s that are left of the time allowed for the judgement (\`--seconds\`)`;
  const source = `${TIME_FACTOR} times the checks in all, or ${MIN_GATE_SECONDS} s`;
  return `the ${seconds} s that a judgement leaves for it (${source}); ${remedy} lifts that`;
}

/** The context with this time limit, for gates that do not decide whether the change is blocked. */
export function limitTimeLeft(context: VerifyContext, timeLeft: TimeLeft | null): VerifyContext {
  const { proof } = context;
  if (!proof || timeLeft === null) return context;
  const { differentialSeconds, guardSeconds } = proof.settings;
  const { seconds, isByBudget } = timeLeft;
  const settings = {
    ...proof.settings,
    differentialSeconds: Math.min(differentialSeconds, seconds),
    guardSeconds: Math.min(guardSeconds, seconds),
    guardCut: seconds < guardSeconds,
    differentialCut: seconds < differentialSeconds,
    budgetCut: isByBudget,
  };
  return { ...context, proof: { ...proof, settings } };
}
