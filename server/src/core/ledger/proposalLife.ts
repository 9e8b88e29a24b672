// The allowed steps from one status of a proposal to the next. The type checker and run-time checks refuse every other
// step.

import { SelfwareError } from '../../util/typedError.ts';
import type { Proposal, ProposalStatus } from '../model.ts';
import type { RecordedEvent } from './events.ts';

/**
 * By status: the statuses that may follow it. `refused` after `verified`, `approved` or `deferred`: the files have
 * changed, so the proposal can never be applied. `verifying` twice: the process died in between. From `deferred` to
 * `applied`: the proposal was deferred because writing it failed, and recovery found that the write was complete. From
 * `conflicted`: a person decides.
 */
const NEXT_STATUSES = {
  proposed: ['verifying', 'refused', 'rejected', 'deferred'],
  verifying: ['verifying', 'verified', 'refused', 'rejected', 'deferred'],
  verified: ['verifying', 'refused', 'approved', 'rejected', 'deferred'],
  refused: [],
  approved: ['verifying', 'refused', 'rejected', 'deferred', 'applied'],
  rejected: [],
  deferred: ['verifying', 'refused', 'approved', 'rejected', 'deferred', 'applied'],
  applied: ['kept', 'conflicted', 'rolledBack'],
  kept: ['rolledBack'],
  conflicted: ['kept', 'rolledBack'],
  rolledBack: [],
} as const satisfies Readonly<Record<ProposalStatus, readonly ProposalStatus[]>>;

/** The statuses that may follow a status. */
export type NextStatus<S extends ProposalStatus> = (typeof NEXT_STATUSES)[S][number];

/**
 * Returns `to`. If the type checker knows `from`, a wrong `to` does not compile. Throws `illegalStep` if the step is
 * not allowed.
 */
export function requireStep<S extends ProposalStatus>(from: S, to: NextStatus<S>): NextStatus<S> {
  if (!isLegalStep(from, to)) {
    throw new SelfwareError('illegalStep', `A proposal that is ${statusWord(from)} cannot become ${statusWord(to)}.`, {
      action: 'Look at its state and choose another step, or run Improve again.',
    });
  }
  return to;
}

/** The status that an event of this type gives to a proposal that exists; null if the type names no status. */
export function statusAfter(type: RecordedEvent['type']): Exclude<ProposalStatus, 'proposed'> | null {
  switch (type) {
    case 'verifying':
    case 'verified':
    case 'refused':
    case 'approved':
    case 'rejected':
    case 'deferred':
    case 'applied':
    case 'kept':
    case 'conflicted':
    case 'rolledBack':
      return type;
    default:
      return null;
  }
}

/** True if a proposal may go from one status to the other in one step. */
export function isLegalStep(from: ProposalStatus, to: ProposalStatus): boolean {
  const nextStatuses: readonly ProposalStatus[] = NEXT_STATUSES[from];
  return nextStatuses.includes(to);
}

/**
 * True if a proposal is no longer open: nothing remains to verify, approve or write. A change in probation and a change
 * in conflict also count as settled.
 */
export function isSettled(status: ProposalStatus): boolean {
  return (
    status === 'refused' ||
    status === 'rejected' ||
    status === 'applied' ||
    status === 'kept' ||
    status === 'conflicted' ||
    status === 'rolledBack'
  );
}

/**
 * True if a person has to decide: on a verified or approved proposal, or on a deferred one that was verified or that
 * contains the remaining hunks of another proposal. Any other deferred proposal is resumed automatically.
 */
export function awaitsPerson({
  status,
  verdicts,
  pointsAfter,
  restOf,
}: Pick<Proposal, 'status' | 'verdicts' | 'pointsAfter' | 'restOf'>): boolean {
  if (status === 'deferred') return verdicts.length > 0 || pointsAfter !== null || restOf !== undefined;
  return status === 'verified' || status === 'approved';
}

function statusWord(status: ProposalStatus): string {
  return status === 'rolledBack' ? 'rolled back' : status;
}
