// Applies the proposals of a run that passed their checks and were not applied: the process ended, or another one of
// the same round was applied first.

import type { NightMiss } from '../../core/model/nights.ts';
import type { Proposal } from '../../core/model.ts';
import type { Operation } from '../../core/operation.ts';
import { awaitsPerson } from '../../core/ledger/proposalLife.ts';
import type { Session } from '../../core/session.ts';
import { idsOf } from '../../core/ledger/opportunityIds.ts';
import { noteBreakdown, type Breakdowns } from '../../core/session/cycle/round.ts';
import { joinableClaim } from '../../core/session/verify/joinable.ts';
import { isWithin } from '../../util/within.ts';
import { SelfwareError, describeError, throwIfCancelled } from '../../util/typedError.ts';
import { missOf } from '../../core/run/misses.ts';
import { HELD, NOT_WANTED } from './tryWish.ts';

/** Errors of one proposal, after which the next one is tried. */
const PASSING: ReadonlySet<SelfwareError['reason']> = new Set(['stale', 'paused', 'forbidden']);

/** Which proposals may be applied, and how. */
interface FinishLimits {
  /** The number of changes that may still be made. */
  readonly most: number;
  /** Where; null: everywhere. */
  readonly places: readonly string[] | null;
  /** Proposals for what a person no longer wants. */
  readonly unwanted: ReadonlySet<string>;
  /** True for a proposal of a proposer that has “solved” a task that cannot be solved. */
  readonly isUntrusted: (proposal: Proposal) => boolean;
  /**
   * The verifications that broke down, if candidates are verified side by side, so that a proposal may have been
   * verified on an older tree. Null: candidates are verified one after the other, and each is applied as it is.
   */
  readonly again: Breakdowns | null;
}

/**
 * Applies the proposals that were verified before, on the tree as it is now. Probation runs types and tests there; with
 * `again`, a proposal whose claim could depend on other changes is verified again before. `onMiss` receives each
 * proposal that waits for a person, is refused or rolled back, or whose verification broke down. Returns how many were
 * dealt with: refused, put off or applied. Throws `cancelled`, and the error of a verification that others would meet,
 * too.
 */
export async function finishVerified(
  session: Session,
  operation: Operation,
  { most, places, unwanted, isUntrusted, again }: FinishLimits,
  onMiss: (miss: NightMiss) => Promise<void>,
): Promise<number> {
  const dismissed = new Set((await session.opportunities.dismissals()).map(({ opportunity }) => opportunity));
  let left = most;
  let settled = 0;
  for (const proposal of await session.proposals.all()) {
    if (left <= 0) return settled;
    const { id, path } = proposal.opportunity;
    if (idsOf(id).some((one) => dismissed.has(one)) || !(places === null || isWithin(path, places))) continue;
    // Whoever deferred a proposal has decided about it.
    if (!awaitsPerson(proposal) || proposal.status === 'deferred' || again?.proposals.has(proposal.id)) continue;
    if (unwanted.has(proposal.id)) {
      const reason = NOT_WANTED;
      await session.proposals.decide({ proposal: proposal.id, verdict: 'deferred', by: 'charter', reason });
      continue;
    }
    const why = isUntrusted(proposal) ? HELD : await session.proposals.reasonToAsk(proposal.id);
    if (why !== null) {
      await session.proposals.decide({ proposal: proposal.id, verdict: 'deferred', by: 'charter', reason: why });
      await onMiss(missOf('asks', proposal, why));
      continue;
    }
    try {
      const verified = again ? await verifiedAgain(session, proposal, operation, again) : proposal;
      if (typeof verified === 'string') {
        await onMiss(missOf('brokeDown', proposal, verified));
        continue;
      }
      if (verified.status === 'refused') await onMiss(missOf('refused', verified, verified.reason ?? ''));
      else if (verified.status !== 'deferred') {
        const request = { proposal: proposal.id, by: 'charter', ...operation } as const;
        const { proposal: applied } = await session.changes.apply(request);
        if (applied.status === 'rolledBack') await onMiss(missOf('rolledBack', applied, applied.reason ?? ''));
        else left -= 1;
      }
      settled += 1;
    } catch (error) {
      throwIfCancelled(operation.signal);
      // The file has changed since, the rate of changes is used up, or the charter forbids it by now.
      if (!(error instanceof SelfwareError && PASSING.has(error.reason))) throw error;
    }
  }
  return settled;
}

/**
 * The proposal, verified again unless its claim is shown by its own files alone; or why that verification broke down.
 * Throws `paused` before it if the author may not apply changes now.
 */
async function verifiedAgain(
  session: Session,
  proposal: Proposal,
  operation: Operation,
  breakdowns: Breakdowns,
): Promise<Proposal | string> {
  if (joinableClaim(proposal) !== null) return proposal;
  try {
    const verified = await session.verification.verify(proposal.id, operation, { toApply: true });
    breakdowns.inARow = 0;
    return verified;
  } catch (error) {
    if (error instanceof SelfwareError && PASSING.has(error.reason)) throw error;
    noteBreakdown(error, proposal, operation, breakdowns);
    return describeError(error);
  }
}
