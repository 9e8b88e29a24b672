// Applies the proposals of a run that passed their checks and were not applied: the process ended, or another change of
// the same round was applied first.

import type { NightMiss } from '../../core/model/nights.ts';
import type { WorkScope } from '../../core/model/workScope.ts';
import type { Proposal } from '../../core/model.ts';
import type { Operation } from '../../core/operation.ts';
import { awaitsPerson } from '../../core/ledger/proposalLife.ts';
import type { Session } from '../../core/session.ts';
import { splitOpportunityIds } from '../../core/ledger/opportunityIds.ts';
import { recordBreakdown, type Breakdowns } from '../../core/session/cycle/round.ts';
import { isProposalInScope } from '../../core/session/propose/requestScope.ts';
import { isIndependentClaim } from '../../core/session/verify/joinableClaim.ts';
import { SelfwareError, describeError, throwIfCancelled } from '../../util/typedError.ts';
import { createMiss } from '../../core/run/misses.ts';
import { HELD_REASON, NOT_WANTED } from './tryWish.ts';

/** Reasons of errors that concern one proposal, so that the next one is tried. */
const TEMPORARY_REASONS: ReadonlySet<SelfwareError['reason']> = new Set(['stale', 'paused', 'forbidden']);

/** The proposals that may be applied, and how they are applied. */
interface FinishLimits {
  /** The number of changes that may still be made. */
  readonly maxChanges: number;
  /** The scope of the run. Proposals outside of it keep waiting. */
  readonly scope: WorkScope;
  /** Ids of proposals for wishes or findings that a person no longer wants. */
  readonly unwanted: ReadonlySet<string>;
  /** True for a proposal of a proposer that has “solved” a task that cannot be solved. */
  readonly isUntrusted: (proposal: Proposal) => boolean;
  /**
   * The verifications that broke down, if candidates are verified in parallel; then a proposal may have been verified
   * on an older tree. Null if candidates are verified one after the other, and each is applied as it is.
   */
  readonly breakdowns: Breakdowns | null;
}

/**
 * Applies the proposals that were verified before, on the current tree. Probation runs types and tests there. With
 * `breakdowns`, a proposal whose claim could depend on other changes is verified again first. `onMiss` receives each
 * proposal that waits for a person, is refused or rolled back, or whose verification broke down. Returns the number of
 * proposals that were refused, deferred until the machine is quieter, or applied. Throws `cancelled`, and the error of
 * a verification that would fail for other proposals as well.
 */
export async function finishVerified(
  session: Session,
  operation: Operation,
  { maxChanges, scope, unwanted, isUntrusted, breakdowns }: FinishLimits,
  onMiss: (miss: NightMiss) => Promise<void>,
): Promise<number> {
  const dismissed = new Set((await session.opportunities.dismissals()).map(({ opportunity }) => opportunity));
  let remainingCount = maxChanges;
  let settledCount = 0;
  for (const proposal of await session.proposals.all()) {
    if (remainingCount <= 0) return settledCount;
    const isDismissed = splitOpportunityIds(proposal.opportunity.id).some((variantId) => dismissed.has(variantId));
    if (isDismissed || !isProposalInScope(proposal, scope)) continue;
    // A deferred proposal was already decided on.
    if (!awaitsPerson(proposal) || proposal.status === 'deferred' || breakdowns?.proposals.has(proposal.id)) continue;
    if (unwanted.has(proposal.id)) {
      const reason = NOT_WANTED;
      await session.proposals.decide({ proposal: proposal.id, verdict: 'deferred', by: 'charter', reason });
      continue;
    }
    const reasonToAsk = isUntrusted(proposal) ? HELD_REASON : await session.proposals.explainNeedToAsk(proposal.id);
    if (reasonToAsk !== null) {
      await session.proposals.decide({
        proposal: proposal.id,
        verdict: 'deferred',
        by: 'charter',
        reason: reasonToAsk,
      });
      await onMiss(createMiss('asks', proposal, reasonToAsk));
      continue;
    }
    try {
      const verified = breakdowns ? await verifyAgain(session, proposal, operation, breakdowns) : proposal;
      if (typeof verified === 'string') {
        await onMiss(createMiss('brokeDown', proposal, verified));
        continue;
      }
      if (verified.status === 'refused') await onMiss(createMiss('refused', verified, verified.reason ?? ''));
      else if (verified.status !== 'deferred') {
        const request = { proposal: proposal.id, by: 'charter', ...operation } as const;
        const { proposal: applied } = await session.changes.apply(request);
        if (applied.status === 'rolledBack') await onMiss(createMiss('rolledBack', applied, applied.reason ?? ''));
        else remainingCount -= 1;
      }
      settledCount += 1;
    } catch (error) {
      throwIfCancelled(operation.signal);
      // The file has changed since, the rate of changes is used up, or the charter forbids it by now.
      if (!(error instanceof SelfwareError && TEMPORARY_REASONS.has(error.reason))) throw error;
    }
  }
  return settledCount;
}

/**
 * The proposal, verified again unless the content of its own files is enough to show its claim; or the reason for the
 * breakdown of that verification. Throws `paused` before it if the author may not apply changes now.
 */
async function verifyAgain(
  session: Session,
  proposal: Proposal,
  operation: Operation,
  breakdowns: Breakdowns,
): Promise<Proposal | string> {
  if (isIndependentClaim(proposal)) return proposal;
  try {
    const verified = await session.verification.verify(proposal.id, operation, { toApply: true });
    breakdowns.consecutiveCount = 0;
    return verified;
  } catch (error) {
    if (error instanceof SelfwareError && TEMPORARY_REASONS.has(error.reason)) throw error;
    recordBreakdown(error, proposal, operation, breakdowns);
    return describeError(error);
  }
}
