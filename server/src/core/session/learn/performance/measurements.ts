// Reads the measurements of Selfware's own performance from the events of the ledger.

import type { LedgerMeasurements } from '../../../learn/performance/figures.ts';
import type { RecordedEvent } from '../../../ledger/events.ts';
import { collectFeedback } from '../feedbackEvents.ts';

/** The types of the events that contain measurements, or the outcome of a change for a bottleneck. */
export const MEASURED_EVENTS = [
  'indexed',
  'stateMeasured',
  'feedbackRecorded',
  'verified',
  'refused',
  'nightTurn',
  'bottleneckAsked',
  'kept',
] as const;

/** The measurements in these events. */
export function findMeasurements(events: readonly RecordedEvent[]): LedgerMeasurements {
  return {
    index: events.flatMap((event) => (event.type === 'indexed' ? [{ at: event.at, ...event.data }] : [])),
    state: events.flatMap((event) => (event.type === 'stateMeasured' ? [{ at: event.at, ...event.data }] : [])),
    feedback: collectFeedback(events),
    verifications: events.flatMap((event) => {
      const seconds = computeCheckSeconds(event);
      return seconds === null ? [] : [{ at: event.at, seconds }];
    }),
  };
}

/**
 * The duration of the checks of one change; null if the event measures none. The proposals of an unattended run are in
 * another ledger, so its turns count instead, each with the mean duration of its verifications.
 */
function computeCheckSeconds(event: RecordedEvent): number | null {
  if (event.type === 'verified' || event.type === 'refused')
    return event.data.verdicts.reduce((sum, { millis }) => sum + millis, 0) / 1000;
  if (event.type !== 'nightTurn') return null;
  const verify = event.data.stages.find(({ stage }) => stage === 'verify');
  const count = Object.values(verify?.outcomes ?? {}).reduce((sum, number) => sum + number, 0);
  return verify && count > 0 ? verify.ms / 1000 / count : null;
}
