// Computes the figures of Selfware's own performance from records of the ledger, and defines their targets.

import { METRICS, type Metric } from '../../model/bottlenecks.ts';
import type { Millis } from '../../model.ts';
import type { Feedback } from '../feedback.ts';
import { median } from '../../../util/median.ts';

/** The constant properties of a figure. */
export interface MetricFacts {
  readonly label: string;
  readonly unit: string;
  readonly better: 'more' | 'less';
  /** Null if the figure is only shown. */
  readonly target: number | null;
}

/** Label, unit and target of each figure. */
export const METRIC_FACTS: Readonly<Record<Metric, MetricFacts>> = {
  indexing: { label: 'Files indexed from scratch', unit: 'files/s', better: 'more', target: 50 },
  search: { label: 'Time of a search, as agents wait for it', unit: 'ms', better: 'less', target: 100 },
  memory: { label: 'Peak memory of the process after an index from scratch', unit: 'MB', better: 'less', target: 500 },
  errors: { label: 'Faults of Selfware itself in a week', unit: 'errors', better: 'less', target: 0 },
  verification: { label: 'Time of the checks of a change', unit: 's', better: 'less', target: null },
};

/** A figure with its current value. */
export interface Figure extends MetricFacts {
  readonly metric: Metric;
  /** Median of the newest samples, or for `errors` their number in the last week; null if not measured. */
  readonly value: number | null;
  readonly samples: number;
}

/**
 * An `indexed` event. Older versions did not record the optional fields. `scratch`: set if nothing was stored before.
 */
export interface IndexRun {
  readonly at: Millis;
  readonly files: number;
  readonly seconds: number;
  readonly peakRssMb?: number;
  readonly scratch?: true;
  readonly program?: string;
}

/** The measurements in the ledger. */
export interface LedgerMeasurements {
  readonly index: readonly IndexRun[];
  readonly feedback: readonly Feedback[];
  /** Duration of all gates of each verification, in seconds. */
  readonly verifications: readonly { readonly at: Millis; readonly seconds: number }[];
}

/** The note in feedback about a call that failed because of an error in Selfware itself. */
export const OWN_FAULT = 'An error of Selfware itself.';
const SEARCH_OPERATION = 'tool:search';
const WEEK_MS = 7 * 86_400_000;
/** Number of newest samples of which the median is taken. */
const MAX_SAMPLES = 20;
/** Minimum number of files of an index whose speed counts. For a smaller one, start-up takes most of the time. */
const MIN_FILES = 50;

/** All figures, from samples at or after `since`. The number of errors covers the week before `now`. */
export function computeFigures(measured: LedgerMeasurements, now: Millis, since: Millis = 0): readonly Figure[] {
  const sinceThen = <T extends { readonly at: Millis }>(events: readonly T[]) => events.filter(({ at }) => at >= since);
  const index = sinceThen(measured.index).filter(({ scratch }) => scratch);
  // Feedback without a version of Selfware is reported by agents, about other tools.
  const feedback = sinceThen(measured.feedback).filter(({ program }) => program !== undefined);
  const calls = feedback.filter(({ kind, at }) => kind.startsWith('tool_') && at > now - WEEK_MS);
  const samples: Readonly<Record<Metric, readonly number[]>> = {
    indexing: index.flatMap(({ files, seconds }) => (files >= MIN_FILES && seconds > 0 ? [files / seconds] : [])),
    search: feedback.flatMap(({ kind, dimension, value }) =>
      kind === 'tool_success' && dimension === SEARCH_OPERATION && value !== null ? [value] : [],
    ),
    memory: index.flatMap(({ peakRssMb }) => peakRssMb ?? []),
    errors: calls.length === 0 ? [] : [calls.filter(({ note }) => note === OWN_FAULT).length],
    verification: sinceThen(measured.verifications).map(({ seconds }) => seconds),
  };
  return METRICS.map((metric) => {
    const newest = samples[metric].slice(-MAX_SAMPLES);
    return {
      metric,
      ...METRIC_FACTS[metric],
      value: newest.length === 0 ? null : median(newest),
      samples: newest.length,
    };
  });
}
