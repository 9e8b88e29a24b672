// Decides whether a run is over after a worker of a new version has recorded its end.

import type { Millis } from '../model.ts';
import { countChangesOfOrder, findNewestNightIfEndedSince } from './nightQueries.ts';
import type { Night } from './nightTypes.ts';

/**
 * `over`: a limit or a person has ended the run. `doubtful`: a worker has recorded the end, but no limit and no person
 * explains it, so another version must confirm it. `notOver`: no end was recorded since supervision began.
 */
export type EndOfRun = 'over' | 'doubtful' | 'notOver';

/** Facts from which the end of the run is determined. The reason that the worker gave is not one of them. */
export interface EndFacts {
  readonly nights: readonly Night[];
  /** Number of the newest event of the ledger when the supervision of the run began. */
  readonly sinceSequence: number;
  readonly now: Millis;
  /** True if a person has stopped all work. */
  readonly isStopped: boolean;
  /** Maximum number of changes that the charter allows. */
  readonly maxChanges: number;
}

/**
 * Decides whether the run is over. Ignores the reason that the worker gave, because it may be wrong: for example, the
 * worker may claim that nothing is left to try.
 */
export function determineEndOfRun({ nights, sinceSequence, now, isStopped, maxChanges }: EndFacts): EndOfRun {
  const run = findNewestNightIfEndedSince(nights, sinceSequence)?.runs.at(-1);
  if (run === undefined) return 'notOver';
  const isUsedUp = countChangesOfOrder(nights, run.since) >= Math.min(run.plan.maxChanges, maxChanges);
  const runsOfOrder = nights.flatMap((night) => night.runs).filter((candidate) => candidate.since === run.since);
  const isAskedToEnd = runsOfOrder.some(({ askedToEndSequence = -1 }) => askedToEndSequence > sinceSequence);
  return isStopped || isAskedToEnd || now >= run.plan.until || isUsedUp ? 'over' : 'doubtful';
}
