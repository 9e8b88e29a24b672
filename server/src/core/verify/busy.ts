// A verdict that depends on time proves nothing on a busy machine, so the proposal is deferred, a few times at most.

import { SelfwareError } from '../../util/typedError.ts';
import type { Proposal, Verdict } from '../model.ts';
import type { Machine } from '../ports/system.ts';
import type { GateAnswer } from './answer.ts';

/** In the evidence of an answer that would be another one if things had taken less long. */
export const DEPENDS_ON_TIME = 'dependsOnTime';
/** In the evidence of such an answer on a busy machine: what was measured. */
export const BUSY = 'busy';
/** What runs of ours is about one process a core: from here on, at least half of the work is somebody else's. */
const BUSY_PER_CORE = 2;
/** A proposal waits so often for a quiet machine; then a person decides. */
export const MOST_DEFERRALS = 3;

/** `9.3 running or waiting to run on 2 cores`; null where the machine is quiet, or does not say. */
export function busyness(machine: Machine | undefined): string | null {
  const load = machine?.load() ?? null;
  if (load === null || load.running < BUSY_PER_CORE * load.cores) return null;
  return `${load.running.toFixed(1)} running or waiting to run on ${load.cores} core${load.cores === 1 ? '' : 's'}`;
}

/** On a busy machine, an answer that depends on time does not count, whatever it says. */
export function unlessBusy(answer: GateAnswer, machine: Machine | undefined): GateAnswer {
  if (answer.evidence[DEPENDS_ON_TIME] === undefined) return answer;
  const measured = busyness(machine);
  if (measured === null) return answer;
  const reason = `${answer.reason} The machine was busy (${measured}), so this proves nothing.`;
  return { ...answer, outcome: 'unknown', reason, evidence: { ...answer.evidence, [BUSY]: measured } };
}

/** The verdict that waits for a quiet machine, or null. The comparison and the mutants can stand in for each other. */
export function waitingVerdict(verdicts: readonly Verdict[]): Verdict | null {
  const isProof = ({ gate }: Verdict) => gate === 'differential' || gate === 'guard';
  const proven = verdicts.some((verdict) => isProof(verdict) && verdict.outcome === 'passed');
  return verdicts.find((verdict) => verdict.evidence[BUSY] !== undefined && !(proven && isProof(verdict))) ?? null;
}

/** True as long as a proposal may be put off once more. */
export function mayWait({ deferredBusy = 0 }: Pick<Proposal, 'deferredBusy'>): boolean {
  return deferredBusy < MOST_DEFERRALS;
}

/** True for one that waits for a quieter machine, and not for a person. */
export function isPutOff({
  status,
  deferredBusy = 0,
  verdicts,
}: Pick<Proposal, 'status' | 'deferredBusy' | 'verdicts'>): boolean {
  return status === 'deferred' && deferredBusy > 0 && verdicts.length === 0;
}

/** Marks an answer that would be another one if things had taken less long: on a busy machine it says nothing. */
export function dependingOnTime(answer: GateAnswer): GateAnswer {
  return { ...answer, evidence: { ...answer.evidence, [DEPENDS_ON_TIME]: 1 } };
}

/** Null where a job was ended because it took too long: another gate may still show something. */
export async function nullIfLate<T>(job: Promise<T>): Promise<T | null> {
  try {
    return await job;
  } catch (error) {
    if (error instanceof SelfwareError && error.reason === 'timedOut') return null;
    throw error;
  }
}
