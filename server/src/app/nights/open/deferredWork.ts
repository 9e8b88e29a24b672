// Lists the proposals of a run that wait for a quieter machine, and determines whether the run should try them now.

import type { Proposal } from '../../../core/model.ts';
import { pickScope } from '../../../core/model/workScope.ts';
import type { Session } from '../../../core/session.ts';
import type { BegunRun } from '../beginRun.ts';
import { findProposalsOfWishes } from '../tryWish.ts';

/** The parts of a session that are read here. */
type DeferredSource = {
  readonly ledger: Pick<Session['ledger'], 'query'>;
  readonly proposals: Pick<Session['proposals'], 'deferredAsBusy'>;
  readonly changes: Pick<Session['changes'], 'applyPause'>;
};

/**
 * The proposals that wait for a quieter machine. Proposals for wishes are excluded, because they are tried with their
 * wish.
 */
export async function listDeferred(
  begunRun: Pick<BegunRun, 'places' | 'excluded' | 'kinds'>,
  { ledger, proposals }: Pick<DeferredSource, 'ledger' | 'proposals'>,
): Promise<readonly Proposal[]> {
  const excludedProposals = await findProposalsOfWishes({ ledger });
  return proposals.deferredAsBusy({ ...pickScope(begunRun), excludedProposals });
}

/**
 * True if a proposal was deferred because the machine was busy, changes may be applied now, and no earlier wait has
 * ended because of this deferral. Records the deferral in `retried`, so that no proposal wakes the run forever.
 */
export async function isWorthRetry(
  begunRun: Pick<BegunRun, 'places' | 'excluded' | 'kinds'>,
  session: DeferredSource,
  retried: Set<string>,
): Promise<boolean> {
  const deferred = await listDeferred(begunRun, session);
  const newKeys = deferred
    .map(({ id, deferredBusy = 0 }) => `${id} ${deferredBusy}`)
    .filter((key) => !retried.has(key));
  if (newKeys.length === 0 || (await session.changes.applyPause(null)) !== null) return false;
  for (const key of newKeys) retried.add(key);
  return true;
}
