// Sets proposals aside whose verification ended the process three times, so that they do not end every run.

import type { NightMiss } from '../../core/model/nights.ts';
import type { Session } from '../../core/session.ts';
import { missOf } from '../../core/run/misses.ts';

const MAX_DEATHS = 3;

/** Rejects these proposals on behalf of the charter, and reports each by `onMiss`. */
export async function setAsidePoison(session: Session, onMiss: (miss: NightMiss) => Promise<void>): Promise<void> {
  const deaths = await interruptedProposals(session.ledger);
  for (const proposal of await session.proposals.all()) {
    const times = deaths.get(proposal.id) ?? 0;
    if (times < MAX_DEATHS || proposal.status === 'rejected' || proposal.status === 'refused') continue;
    if (proposal.status !== 'proposed' && proposal.status !== 'deferred') continue;
    const reason = `Its verification ended the process ${times} times.`;
    await session.proposals.decide({ proposal: proposal.id, verdict: 'rejected', by: 'charter', reason });
    await onMiss(missOf('brokeDown', proposal, reason));
  }
}

/**
 * How often a process has died while it verified a proposal, by its id. These are verified alone, so that the one that
 * ends the process is found, and those that were beside it are not set aside with it.
 */
export async function interruptedProposals(
  ledger: Pick<Session['ledger'], 'query'>,
): Promise<ReadonlyMap<string, number>> {
  const deaths = new Map<string, number>();
  for (const { data } of await ledger.query({ types: ['interrupted'] })) {
    const { proposal, alive = false } = data as { readonly proposal: string; readonly alive?: boolean };
    if (alive) continue;
    deaths.set(proposal, (deaths.get(proposal) ?? 0) + 1);
  }
  return deaths;
}
