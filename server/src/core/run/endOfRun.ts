// Decides whether the end that a worker of a new version has recorded for a run can be believed.

import type { Millis } from '../model.ts';
import { countChangesOfOrder, findNewestNightIfEndedSince } from './nightQueries.ts';
import type { Night } from './nightTypes.ts';

/**
 * `doubtful`: the worker reports that the run is over, and only another version can decide whether that is true.
 * `notOver`: no worker has reported this.
 */
export type EndOfRun = 'over' | 'doubtful' | 'notOver';

/** The facts about the run, except the worker's own reason. */
export interface EndFacts {
  readonly nights: readonly Night[];
  /** Number of the newest event of the ledger when the supervision of the run began. */
  readonly sinceSequence: number;
  readonly now: Millis;
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
