// Reads the worst figure of Selfware itself that misses its target, so that whoever watches a run can see it.

import { describeBottlenecks, findBottlenecks } from '../../../learn/performance/bottlenecks.ts';
import { computeFigures } from '../../../learn/performance/figures.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { PerformanceTargets } from '../../../model/bottlenecks.ts';
import type { Millis } from '../../../model.ts';
import { readEvents } from '../lessonEvidence.ts';
import { findMeasurements, MEASURED_EVENTS } from './measurements.ts';

/** Minimum time in milliseconds between two readings. The figures are computed from many events and change slowly. */
const MIN_READ_INTERVAL_MS = 60_000;

/** The bottleneck in words; null if nothing that was measured misses its target. */
export type BottleneckReader = (ledger: Pick<Ledger, 'query'>, now: Millis) => Promise<string | null>;

/** Creates a reader for one ledger, which reads it at most once a minute. `targets`: replace the default targets. */
export function createBottleneckReader(targets: PerformanceTargets): BottleneckReader {
  let cachedBottleneck: { readonly at: Millis; readonly phrase: string | null } | null = null;
  return async (ledger, now) => {
    if (cachedBottleneck !== null && Math.abs(now - cachedBottleneck.at) < MIN_READ_INTERVAL_MS)
      return cachedBottleneck.phrase;
    const events = readEvents(await ledger.query({ types: MEASURED_EVENTS }));
    const figures = computeFigures(findMeasurements(events), now, { targets });
    cachedBottleneck = { at: now, phrase: describeBottlenecks(findBottlenecks(figures)) };
    return cachedBottleneck.phrase;
  };
}
