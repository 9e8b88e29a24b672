// Sets aside proposals whose verification ended the process three times, because they would otherwise end every run.

import type { NightEvent, NightMiss } from '../../core/model/nights.ts';
import type { Millis } from '../../core/model.ts';
import type { Session } from '../../core/session.ts';
import { createMiss } from '../../core/run/misses.ts';

/** Number of times that the process died while it verified a proposal, after which the proposal is set aside. */
const MAX_CRASHES = 3;

/** A ledger of which only events are read. */
type Queried = Pick<Session['ledger'], 'query'>;

/** The time in which the workers of a run used a version that was rolled back at its end. */
interface BadVersion {
  readonly from: Millis;
  readonly to: Millis;
}

/**
 * Rejects the proposals whose verification ended the process `MAX_CRASHES` times, on behalf of the charter, and reports
 * each by `onMiss`. `runs`: the ledger with the events of runs.
 */
export async function setAsideCrashingProposals(
  session: Session,
  runs: Queried,
  onMiss: (miss: NightMiss) => Promise<void>,
): Promise<void> {
  const bad = await findBadVersions(runs);
  const crashCounts = await countInterruptions(session.ledger, bad);
  const crashCountsSinceVerified = await countInterruptions(session.ledger, bad, true);
  for (const proposal of await session.proposals.all()) {
    // A proposal that has passed may be verified again after another change. Crashes before it passed no longer count.
    const isVerified = proposal.status === 'verified';
    const times = (isVerified ? crashCountsSinceVerified : crashCounts).get(proposal.id) ?? 0;
    if (times < MAX_CRASHES || proposal.status === 'rejected' || proposal.status === 'refused') continue;
    if (!isVerified && proposal.status !== 'proposed' && proposal.status !== 'deferred') continue;
    const reason = `Its verification ended the process ${times} times.`;
    await session.proposals.decide({ proposal: proposal.id, verdict: 'rejected', by: 'charter', reason });
    await onMiss(createMiss('brokeDown', proposal, reason));
  }
}

/**
 * Ids of the proposals that are verified one at a time, because a process died while it verified them. So the proposal
 * that ends the process is found, and proposals that were only verified in parallel with it are not set aside. Crashes
 * of a version that was rolled back also count here, because the proposal may have caused them.
 */
export async function findVerifiedAlone(ledger: Queried): Promise<ReadonlySet<string>> {
  return new Set((await countInterruptions(ledger, [])).keys());
}

/**
 * Number of processes that died while they verified a proposal, by its id. Crashes of a `bad` version are not counted,
 * because they may not be caused by the proposal. `sinceVerified`: true to ignore crashes before the proposal last
 * passed.
 */
export async function countInterruptions(
  ledger: Queried,
  bad: readonly BadVersion[],
  sinceVerified = false,
): Promise<ReadonlyMap<string, number>> {
  const crashCounts = new Map<string, number>();
  const startTimes = new Map<string, Millis>();
  for (const { type, data, at } of await ledger.query({ types: ['verifying', 'interrupted', 'verified'] })) {
    const { proposal, alive = false } = data as { readonly proposal: string; readonly alive?: boolean };
    const since = startTimes.get(proposal) ?? at;
    if (type === 'verifying') startTimes.set(proposal, at);
    else if (type === 'interrupted') {
      // The next process records the crash, so the time of the crash itself is unknown.
      const isOfBadVersion = bad.some(({ from, to }) => since >= from && since <= to);
      if (!alive && !isOfBadVersion) crashCounts.set(proposal, (crashCounts.get(proposal) ?? 0) + 1);
    } else if (sinceVerified) crashCounts.delete(proposal);
  }
  return crashCounts;
}

/** From the switch to a version until its rollback, for each version that was rolled back. */
export async function findBadVersions(runs: Queried): Promise<readonly BadVersion[]> {
  const switched = new Map<string, Millis>();
  const bad: BadVersion[] = [];
  for (const { data, at } of await runs.query({ types: ['nightUpgrade'] })) {
    const { step, hash } = data as Extract<NightEvent, { readonly type: 'nightUpgrade' }>['data'];
    if (step === 'switched') switched.set(hash, at);
    const from = switched.get(hash);
    if (step === 'rolledBack' && from !== undefined) bad.push({ from, to: at });
  }
  return bad;
}
