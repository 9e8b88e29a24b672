// Applies the proposals of a run that passed their checks and were not applied: the process ended, or another one of
// the same round was applied first.

import type { NightMiss } from '../../core/model/nights.ts';
import type { Proposal } from '../../core/model.ts';
import type { Operation } from '../../core/operation.ts';
import { awaitsPerson } from '../../core/ledger/proposalLife.ts';
import type { Session } from '../../core/session.ts';
import { idsOf } from '../../core/ledger/opportunityIds.ts';
import { joinableClaim } from '../../core/session/verify/joinable.ts';
import { isWithin } from '../../util/within.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { missOf } from '../../core/run/misses.ts';
import { NOT_WANTED } from './tryWish.ts';

const PASSING: ReadonlySet<SelfwareError['reason']> = new Set(['stale', 'paused', 'forbidden']);

const HELD = 'Its proposer has “solved” a task that cannot be solved.';

interface FinishLimits {
  /** The number of changes that may still be made. */
  readonly most: number;
  /** Where; null: everywhere. */
  readonly places: readonly string[] | null;
  /** Proposals for what a person no longer wants. */
  readonly unwanted: ReadonlySet<string>;
  /** True for a proposal of a proposer that has “solved” a task that cannot be solved. */
  readonly isHeld: (proposal: Proposal) => boolean;
}

/**
 * Applies the proposals that were verified before, on the tree as it is now. Probation runs types and tests there; a
 * proposal whose claim could depend on other changes is verified again before. Reports each proposal that was not kept.
 * Returns how many are settled now. Throws `cancelled`.
 */
export async function finishVerified(
  session: Session,
  operation: Operation,
  { most, places, unwanted, isHeld }: FinishLimits,
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
    if (!awaitsPerson(proposal) || proposal.status === 'deferred') continue;
    if (unwanted.has(proposal.id)) {
      const reason = NOT_WANTED;
      await session.proposals.decide({ proposal: proposal.id, verdict: 'deferred', by: 'charter', reason });
      continue;
    }
    const why = isHeld(proposal) ? HELD : await session.proposals.reasonToAsk(proposal.id);
    if (why !== null) {
      await session.proposals.decide({ proposal: proposal.id, verdict: 'deferred', by: 'charter', reason: why });
      await onMiss(missOf('asks', proposal, why));
      continue;
    }
    try {
      const verified = await stillVerified(session, proposal, operation);
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

/** The proposal, verified again unless its claim is shown by its own files alone. */
async function stillVerified(session: Session, proposal: Proposal, operation: Operation): Promise<Proposal> {
  return joinableClaim(proposal) === null ? session.verification.verify(proposal.id, operation) : proposal;
}
