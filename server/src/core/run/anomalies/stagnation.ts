// Recognises hours of work and many proposals without a change.

import { type Anomaly, type RunFacts, workTimeSince } from './facts.ts';

const HOUR_MS = 3_600_000;
/** Minimum number of attempts in a row without a change. */
const MIN_ATTEMPTS = 40;
/** Minimum time of work without a change, in ms. */
const MIN_WORK = 3 * HOUR_MS;

/** The anomaly; null if there were too few attempts, or too little work, since the newest change. */
export function findStagnation(facts: RunFacts): Anomaly | null {
  const { attempts, since } = facts;
  const lastPassed = attempts.findLast(({ passed }) => passed);
  const from = Math.max(since, lastPassed?.at ?? 0);
  const failed = attempts.filter(({ at }) => at > from).length;
  const worked = workTimeSince(facts, from);
  if (failed < MIN_ATTEMPTS || worked < MIN_WORK) return null;
  const hours = Math.round(worked / HOUR_MS);
  return { kind: 'stagnation', reason: `${failed} proposals within ${hours} h of work brought no change.` };
}
