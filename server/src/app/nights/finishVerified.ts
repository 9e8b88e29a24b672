// Applies the proposals of a run that passed their checks before its process ended.

import type { NightMiss } from '../../core/model/nights.ts';
import type { Operation } from '../../core/operation.ts';
import { awaitsPerson } from '../../core/ledger/proposalLife.ts';
import type { Session } from '../../core/session.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { missOf } from './misses.ts';

/** Reports each proposal that was not kept. Throws `cancelled`. */
export async function finishVerified(
  session: Session,
  operation: Operation,
  onMiss: (miss: NightMiss) => Promise<void>,
): Promise<void> {
  for (const proposal of await session.proposals.all()) {
    // Whoever deferred a proposal has decided about it.
    if (!awaitsPerson(proposal) || proposal.status === 'deferred') continue;
    const why = await session.proposals.reasonToAsk(proposal.id);
    if (why !== null) {
      await session.proposals.decide({ proposal: proposal.id, verdict: 'deferred', by: 'charter', reason: why });
      await onMiss(missOf('asks', proposal, why));
      continue;
    }
    try {
      const { proposal: applied } = await session.changes.apply({ proposal: proposal.id, by: 'charter', ...operation });
      if (applied.status === 'rolledBack') await onMiss(missOf('rolledBack', applied, applied.reason ?? ''));
    } catch (error) {
      throwIfCancelled(operation.signal);
      // The file has changed since, or the rate of changes is used up: the place is proposed again.
      if (!(error instanceof SelfwareError && (error.reason === 'stale' || error.reason === 'paused'))) throw error;
    }
  }
}
