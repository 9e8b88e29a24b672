// Sets proposals aside whose verification ended the process three times, so that they do not end every run.

import type { NightMiss } from '../../core/model/nights.ts';
import type { Session } from '../../core/session.ts';
import { missOf } from '../../core/run/misses.ts';

/** Number of times that the process died while it verified a proposal, after which the proposal is set aside. */
const MAX_DEATHS = 3;

/** Rejects these proposals on behalf of the charter, and reports each by `onMiss`. */
export async function setAsidePoison(session: Session, onMiss: (miss: NightMiss) => Promise<void>): Promise<void> {
  const deaths = await interruptedProposals(session.ledger);
  const later = await interruptedProposals(session.ledger, true);
  for (const proposal of await session.proposals.all()) {
    // One that has passed may be verified again after another change. What happened before it passed is over then.
    const isVerified = proposal.status === 'verified';
    const times = (isVerified ? later : deaths).get(proposal.id) ?? 0;
    if (times < MAX_DEATHS || proposal.status === 'rejected' || proposal.status === 'refused') continue;
    if (!isVerified && proposal.status !== 'proposed' && proposal.status !== 'deferred') continue;
    const reason = `Its verification ended the process ${times} times.`;
    await session.proposals.decide({ proposal: proposal.id, verdict: 'rejected', by: 'charter', reason });
    await onMiss(missOf('brokeDown', proposal, reason));
  }
}

/**
 * How often a process has died while it verified a proposal, by its id. These are verified alone, so that the one that
 * ends the process is found, and those that were beside it are not set aside with it. `sinceVerified`: without what
 * happened before a proposal passed.
 */
export async function interruptedProposals(
  ledger: Pick<Session['ledger'], 'query'>,
  sinceVerified = false,
): Promise<ReadonlyMap<string, number>> {
  const deaths = new Map<string, number>();
  const types = sinceVerified ? ['interrupted', 'verified'] : ['interrupted'];
  for (const { type, data } of await ledger.query({ types })) {
    const { proposal, alive = false } = data as { readonly proposal: string; readonly alive?: boolean };
    if (type === 'verified') deaths.delete(proposal);
    else if (!alive) deaths.set(proposal, (deaths.get(proposal) ?? 0) + 1);
  }
  return deaths;
}
