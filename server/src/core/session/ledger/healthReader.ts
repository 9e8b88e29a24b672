// Reads the events for the figures of a run that is in progress.

import { readRecordedEvent } from '../../ledger/events.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Millis } from '../../model.ts';
import { HEALTH_EVENT_TYPES, type HealthEvent } from '../../run/health.ts';
import type { Run } from '../../run/nightTypes.ts';
import { DAY_MS } from '../../../util/timing/durations.ts';

/**
 * Reads the events for the figures, each only once: the events of the 24 hours before the first call, and those of the
 * run.
 */
export type HealthReader = (ledger: Pick<Ledger, 'query'>, run: Run, now: Millis) => Promise<readonly HealthEvent[]>;

/** Creates a reader for one ledger. A ledger only grows, so the reader remembers the events that it has read. */
export function createHealthReader(): HealthReader {
  let cachedEvents: { readonly last: number; readonly events: readonly HealthEvent[] } | null = null;
  return async (ledger, run, now) => {
    const { last, events } = cachedEvents ?? { last: await findStart(ledger, run, now), events: [] };
    const storedEvents = await ledger.query({ types: HEALTH_EVENT_TYPES, after: last });
    const addedEvents = storedEvents.flatMap((event) => {
      const recordedEvent = readRecordedEvent(event);
      return recordedEvent === null || recordedEvent === 'malformed' ? [] : [recordedEvent as HealthEvent];
    });
    cachedEvents = {
      last: storedEvents.at(-1)?.sequence ?? last,
      events: addedEvents.length === 0 ? events : [...events, ...addedEvents],
    };
    return cachedEvents.events;
  };
}

/**
 * The sequence of the last event before the run or, if that is earlier, before the run that was in progress 24 hours
 * ago.
 */
async function findStart(ledger: Pick<Ledger, 'query'>, run: Run, now: Millis): Promise<number> {
  const starts = await ledger.query({ types: ['nightStarted'] });
  const earliestTime = Math.min(run.startedAt, now - DAY_MS);
  const start = starts.findLast(({ at }) => at <= earliestTime);
  return start ? start.sequence - 1 : 0;
}
