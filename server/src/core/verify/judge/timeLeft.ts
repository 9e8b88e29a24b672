// Limits the time for the parts of a judgement that do not decide whether a change is blocked.

import type { Verdict } from '../../model.ts';
import type { GateName } from '../../model/gates.ts';
import type { VerifyContext } from '../context.ts';
import type { Budget } from './judgementRequest.ts';

/** A judgement aims to take at most this many times the time of the repository's own checks with the change. */
const TIME_FACTOR = 1.5;
/**
 * The comparison of calls and the mutants, which run side by side, get at least this many seconds each, however fast
 * the checks are: a person waits this long rather than get no answer.
 */
export const MIN_GATE_SECONDS = 20;
/** Minimum number of seconds for the old tests on the new code, and for the runs that confirm a claim. */
export const MIN_RERUN_SECONDS = 5;
/** Seconds of the allowed time that are kept for ending and reporting what was found. */
const SECONDS_TO_END = 1;
/** The gates that run the repository's own checks. */
const OWN_CHECKS: ReadonlySet<GateName> = new Set(['types', 'lint', 'tests']);

/** The time for a part of a judgement. */
export interface TimeLeft {
  readonly seconds: number;
  /** True if the time that a person allows for the whole judgement is the limit. */
  readonly isByBudget: boolean;
}

/**
 * The remaining time of a judgement for what does not decide whether the change is blocked; null if there is no limit.
 * `spent`: seconds since the judgement began. `min`: the seconds that it gets in any case, except that it ends before
 * the allowed time does, so that what was found until then is reported. `thorough`: only the allowed time counts.
 */
export function findTimeLeft(
  verdicts: readonly Verdict[],
  spent: number,
  min: number,
  { budget, thorough }: { readonly budget: Omit<Budget, 'signal'>; readonly thorough: boolean },
): TimeLeft | null {
  const secondsOfChecks = verdicts
    .filter(({ gate }) => OWN_CHECKS.has(gate))
    .map(({ evidence }) => Number(evidence['seconds'] ?? 0));
  const aim = TIME_FACTOR * secondsOfChecks.reduce((sum, seconds) => sum + seconds, 0);
  const planned = thorough ? Infinity : Math.max(min, Math.round(aim - spent));
  const allowed = budget.seconds === null ? Infinity : (budget.secondsLeft?.() ?? budget.seconds - spent);
  // 0 would switch the gates off.
  const allowedPart = Math.max(1, Math.floor(allowed - SECONDS_TO_END));
  const seconds = Math.min(planned, allowedPart);
  return seconds === Infinity ? null : { seconds, isByBudget: allowedPart < planned };
}

/**
 * Where a time limit of a judgement comes from and what lifts it, after `It had` or `in`. `seconds`: the limit.
 * `lifting`: what lifts it, unless a person has allowed no more for the whole judgement.
 */
export function describeTimeLeft(seconds: number, isByBudget: boolean | undefined, lifting: string): string {
  if (isByBudget) return `the ${seconds} s that are left of the time allowed for the judgement (\`--seconds\`)`;
  const source = `${TIME_FACTOR} times the checks in all, or ${MIN_GATE_SECONDS} s`;
  return `the ${seconds} s that a judgement leaves for it (${source}); ${lifting} lifts that`;
}

/** The context with so much time left, for gates that do not decide whether the change is blocked. */
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
