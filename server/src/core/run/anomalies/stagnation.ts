// Recognises hours of work and many proposals without a change.

import { type Anomaly, type RunFacts, computeWorkTimeSince } from './facts.ts';
import { HOUR_MS } from '../../../util/timing/durations.ts';

/** Minimum number of attempts in a row without a change. */
const MIN_ATTEMPTS = 40;
/** Minimum time of work without a change, in ms. */
const MIN_WORK_MS = 3 * HOUR_MS;

/**
 * The anomaly; null if there were too few attempts, or too little work, since the newest change or since a person last
 * started or continued the run.
 */
export function findStagnation(facts: RunFacts): Anomaly | null {
  const { attempts, since } = facts;
  const lastPassed = attempts.findLast(({ passed }) => passed);
  const startOfPeriod = Math.max(since, lastPassed?.at ?? 0);
  const failedCount = attempts.filter(({ at }) => at > startOfPeriod).length;
  const workedMs = computeWorkTimeSince(facts, startOfPeriod);
  if (failedCount < MIN_ATTEMPTS || workedMs < MIN_WORK_MS) return null;
  const hours = Math.round(workedMs / HOUR_MS);
  return { kind: 'stagnation', reason: `${failedCount} proposals within ${hours} h of work brought no change.` };
}
