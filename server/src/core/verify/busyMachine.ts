// Handles verdicts that depend on time. On a busy machine they prove nothing, so the proposal is deferred, a few times
// at most.

import { SelfwareError } from '../../util/typedError.ts';
import type { Proposal, Verdict } from '../model.ts';
import { isProof } from '../model/proofs.ts';
import type { Machine } from '../ports/system.ts';
import type { GateAnswer } from './answer.ts';

/** Key in the evidence of a verdict that could differ on a slower or faster machine. Its value is 1. */
export const DEPENDS_ON_TIME = 'dependsOnTime';
/** Key in the evidence of a time-dependent verdict from a busy machine. Its value is the measured load, as a phrase. */
export const BUSY_KEY = 'busy';
/**
 * Load per core at which a machine counts as busy. Selfware itself runs about one process per core, so at least half of
 * such a load comes from other programs.
 */
const MIN_BUSY_LOAD = 2;
/** Maximum number of times that a proposal waits for an idle machine before a person must decide. */
const MAX_DEFERRALS = 3;

/**
 * The load as a phrase, such as `9.3 running or waiting to run on 2 cores`; null if the machine is not busy or its load
 * is unknown.
 */
export function describeLoadIfBusy(machine: Machine | undefined): string | null {
  const load = machine?.load() ?? null;
  if (load === null || load.running < MIN_BUSY_LOAD * load.cores) return null;
  return `${load.running.toFixed(1)} running or waiting to run on ${load.cores} core${load.cores === 1 ? '' : 's'}`;
}

/** Turns an answer that depends on time into unknown if the machine is busy. */
export function markUnknownIfBusy(answer: GateAnswer, machine: Machine | undefined): GateAnswer {
  if (answer.evidence[DEPENDS_ON_TIME] === undefined) return answer;
  const loadText = describeLoadIfBusy(machine);
  if (loadText === null) return answer;
  const reason = `${answer.reason} The machine was busy (${loadText}), so this proves nothing.`;
  return { ...answer, outcome: 'unknown', reason, evidence: { ...answer.evidence, [BUSY_KEY]: loadText } };
}

/**
 * The first verdict that waits for an idle machine, or null. If `differential` or `guard` has proved the change, the
 * verdict of the other of these two gates need not wait.
 */
export function findWaitingVerdict(verdicts: readonly Verdict[]): Verdict | null {
  const mayProve = ({ gate }: Verdict) => gate === 'differential' || gate === 'guard';
  const isProven = verdicts.some(isProof);
  return (
    verdicts.find((verdict) => verdict.evidence[BUSY_KEY] !== undefined && !(isProven && mayProve(verdict))) ?? null
  );
}

/** True if the proposal may be deferred once more. */
export function canBeDeferredAgain({ deferredBusy = 0 }: Pick<Proposal, 'deferredBusy'>): boolean {
  return deferredBusy < MAX_DEFERRALS;
}

/** True for a proposal that waits for a quieter machine instead of a person. */
export function isDeferredAsBusy({
  status,
  deferredBusy = 0,
  verdicts,
}: Pick<Proposal, 'status' | 'deferredBusy' | 'verdicts'>): boolean {
  return status === 'deferred' && deferredBusy > 0 && verdicts.length === 0;
}

/** Marks an answer that could differ on a slower or faster machine. */
export function markTimeDependent(answer: GateAnswer): GateAnswer {
  return { ...answer, evidence: { ...answer.evidence, [DEPENDS_ON_TIME]: 1 } };
}

/** The result of the job; null if the job exceeded its time limit (`timedOut`). Throws all other errors. */
export async function nullIfTimedOut<T>(job: Promise<T>): Promise<T | null> {
  try {
    return await job;
  } catch (error) {
    if (error instanceof SelfwareError && error.reason === 'timedOut') return null;
    throw error;
  }
}
