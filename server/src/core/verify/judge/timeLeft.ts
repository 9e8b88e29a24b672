// Limits the time for the parts of a judgement that do not decide whether a change is blocked.

import type { Verdict } from '../../model.ts';
import type { GateName } from '../../model/gates.ts';
import type { VerifyContext } from '../context.ts';

/** A judgement aims to take at most this many times the time of the repository's own checks with the change. */
const TIME_FACTOR = 1.5;
/**
 * The comparison of calls and the mutants, which run side by side, get at least this many seconds each, however fast
 * the checks are: a person waits this long rather than get no answer.
 */
const MIN_SECONDS = 20;
/** The gates that run the repository's own checks. */
const OWN_CHECKS: ReadonlySet<GateName> = new Set(['types', 'lint', 'tests']);

/**
 * The remaining seconds of a judgement for what does not decide whether the change is blocked. `spent`: seconds since
 * the judgement began.
 */
export function findSecondsLeft(verdicts: readonly Verdict[], spent: number): number {
  const secondsOfChecks = verdicts
    .filter(({ gate }) => OWN_CHECKS.has(gate))
    .map(({ evidence }) => Number(evidence['seconds'] ?? 0));
  const aim = TIME_FACTOR * secondsOfChecks.reduce((sum, seconds) => sum + seconds, 0);
  return Math.max(MIN_SECONDS, Math.round(aim - spent));
}

/** Where a time limit of a judgement comes from, after `It had` or `in`. `seconds`: the limit. */
export function describeTimeLeft(seconds: number): string {
  return `the ${seconds} s that a judgement leaves for it (${TIME_FACTOR} times the checks in all, or ${MIN_SECONDS} s)`;
}

/** The context with so many seconds left, for gates that do not decide whether the change is blocked. */
export function limitTimeLeft(context: VerifyContext, secondsLeft: number): VerifyContext {
  const { proof } = context;
  if (!proof) return context;
  const { differentialSeconds, guardSeconds } = proof.settings;
  const settings = {
    ...proof.settings,
    differentialSeconds: Math.min(differentialSeconds, secondsLeft),
    guardSeconds: Math.min(guardSeconds, secondsLeft),
    guardCut: secondsLeft < guardSeconds,
    differentialCut: secondsLeft < differentialSeconds,
  };
  return { ...context, proof: { ...proof, settings } };
}
