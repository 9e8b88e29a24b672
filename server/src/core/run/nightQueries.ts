// Queries on nights: finds nights and runs, counts changes, and lists waiting proposals and refused versions.

import type { NightMiss } from '../model/nights.ts';
import type { Millis } from '../model.ts';
import type { CommittedChange, Run, Night } from './nightTypes.ts';

/**
 * The night whose branch, or one of whose runs, has this name; the newest night if `name` is null. `nights`: oldest
 * first.
 */
export function findNight(nights: readonly Night[], name: string | null): Night | undefined {
  if (name === null) return nights.at(-1);
  return nights.find(({ branch }) => branch === name) ?? nights.find(({ runs }) => runs.some(({ id }) => id === name));
}

/**
 * The anomaly because of which the run of this night waits for a person; null if the run does not wait for a person.
 */
export function findUnansweredAnomaly({
  state,
  unusual,
}: Pick<Night, 'state' | 'unusual'>): Night['unusual'][number] | null {
  const lastAnomaly = unusual.at(-1);
  return state !== 'stopped' && lastAnomaly?.answered === false ? lastAnomaly : null;
}

/** The changes in the order of their numbers in the report: first those on the branch, then the parked ones. */
export function listNumberedChanges({
  changes,
  parked,
}: Pick<Night, 'changes' | 'parked'>): readonly CommittedChange[] {
  return [...changes, ...parked];
}

/**
 * Proposals on which only a person may decide, each once. They have no commit; their numbers in the report follow the
 * numbers of the changes.
 */
export function findProposalsForPerson(night: Pick<Night, 'changes' | 'parked' | 'misses'>): readonly NightMiss[] {
  const numberedProposals = new Set(listNumberedChanges(night).map(({ proposal }) => proposal));
  const missesForPerson = night.misses.filter(
    ({ what, proposal }) => what === 'asks' && !numberedProposals.has(proposal),
  );
  return [...new Map(missesForPerson.map((miss) => [miss.proposal, miss])).values()];
}

/** Hashes of the versions of Selfware that were refused or rolled back, and not kept later. */
export function findRefusedVersions(nights: readonly Pick<Night, 'upgrades'>[]): readonly string[] {
  const refusedHashes = new Set<string>();
  for (const { step, hash } of nights.flatMap(({ upgrades }) => upgrades)) {
    if (step === 'refused' || step === 'rolledBack') refusedHashes.add(hash);
    if (step === 'kept') refusedHashes.delete(hash);
  }
  return [...refusedHashes];
}

/** Number of changes that the runs of one order have committed, on all branches. `since`: when the order began. */
export function countChangesOfOrder(nights: readonly Night[], since: Millis): number {
  const runs = nights.flatMap((night) => night.runs);
  return runs.reduce((sum, run) => (run.since === since ? sum + run.committed : sum), 0);
}

/**
 * The newest run of the night, if no end was recorded for it and its time limit has not passed; otherwise null. The
 * process of an unfinished run may have died.
 */
export function findUnfinishedRun(night: Night, now: Millis): Run | null {
  const lastRun = night.runs.at(-1);
  return lastRun && lastRun.endedAt === null && lastRun.plan.until > now ? lastRun : null;
}

/**
 * All nights, oldest first. Marks a night as interrupted if its run has not ended although no process works on it. If a
 * person has decided on such a night, it counts as ended instead. `isRunning`: true if a process works on the newest
 * night.
 */
export function markInterrupted(nights: readonly Night[], isRunning: boolean): readonly Night[] {
  return nights.map((night, index) => {
    const isNewest = index === nights.length - 1;
    if (night.state === 'stopped' || (isRunning && isNewest)) return night;
    const interruptedNight = { ...night, waiting: null };
    if (night.decided !== null) return { ...interruptedNight, state: 'stopped' };
    return { ...interruptedNight, isInterrupted: true, ...(isNewest ? {} : { isLeft: true }) };
  });
}

/** The newest night, if its newest run has ended after the event with this number; otherwise null. */
export function findNewestNightIfEndedSince(nights: readonly Night[], since: number): Night | null {
  const night = nights.at(-1);
  const run = night?.runs.at(-1);
  return night && run && run.endedAt !== null && (run.endedSequence ?? -1) > since ? night : null;
}

/** The reason of a run that ended because of an error begins with this sentence, which the error follows. */
export const ERROR_REASON_START = 'It met an error.';

/** The reason of the newest run if it ended because of an error; otherwise null. */
export function findEndError({ runs }: Pick<Night, 'runs'>): string | null {
  const reason = runs.at(-1)?.reason ?? null;
  return reason?.startsWith(ERROR_REASON_START) ? reason : null;
}
