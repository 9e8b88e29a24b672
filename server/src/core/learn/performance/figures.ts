// Computes the figures of Selfware's own performance from records of the ledger, and defines their targets.

import {
  METRICS,
  type Metric,
  type PerformanceTargets,
  type ProcessUse,
  type StateMeasurement,
} from '../../model/bottlenecks.ts';
import type { Millis } from '../../model.ts';
import type { Feedback } from '../feedback.ts';
import { computeMedian } from '../../../util/median.ts';
import { computeBaseline, computeTrend, type Baseline, type Sample, type Trend } from './trend.ts';

/** The constant properties of a figure. */
export interface MetricFacts {
  readonly label: string;
  readonly unit: string;
  readonly better: 'more' | 'less';
  /** The value that the figure should reach; null if the figure is only shown. */
  readonly target: number | null;
}

/** Label, unit and default target of each figure. */
export const METRIC_FACTS: Readonly<Record<Metric, MetricFacts>> = {
  indexing: { label: 'Files indexed from scratch', unit: 'files/s', better: 'more', target: 50 },
  update: { label: 'Time to bring a stored index up to date', unit: 's', better: 'less', target: null },
  search: { label: 'Time of a search, as agents wait for it', unit: 'ms', better: 'less', target: 100 },
  verification: { label: 'Time of the checks of a change', unit: 's', better: 'less', target: null },
  memory: { label: 'Peak memory of the process after an index from scratch', unit: 'MB', better: 'less', target: 500 },
  cpu: {
    label: 'Share of the cores in use by this process while the index is updated',
    unit: '%',
    better: 'less',
    target: null,
  },
  database: { label: 'Size of the databases and the index', unit: 'MB', better: 'less', target: null },
  ledger: { label: 'Time to read the newest 500 events of the ledger', unit: 'ms', better: 'less', target: 100 },
  connections: { label: 'Database files that a process has open', unit: 'files', better: 'less', target: null },
  cache: {
    label: 'Share of the chunks of changed files that an update takes from the store',
    unit: '',
    better: 'more',
    target: null,
  },
  errors: { label: 'Faults of Selfware itself in a week', unit: 'errors', better: 'less', target: 0 },
};

/** A figure with its current value. */
export interface Figure extends MetricFacts {
  readonly metric: Metric;
  /** Median of the newest samples, or for `errors` their number in the last week; null if not measured. */
  readonly value: number | null;
  readonly samples: number;
  /** The baseline; null if there are too few measurements. */
  readonly baseline: Baseline | null;
  /** The trend; null if there are too few measurements. */
  readonly trend: Trend | null;
}

/**
 * An `indexed` event of the ledger. Older versions did not record the optional fields. `scratch`: set if no index was
 * stored before.
 */
export interface IndexRun extends ProcessUse {
  readonly at: Millis;
  readonly files: number;
  readonly seconds: number;
  /** Chunks that were embedded. */
  readonly embedded?: number;
  readonly scratch?: true;
  readonly program?: string;
}

/** The measurements in the ledger. */
export interface LedgerMeasurements {
  readonly index: readonly IndexRun[];
  readonly state: readonly (StateMeasurement & { readonly at: Millis })[];
  readonly feedback: readonly Feedback[];
  /** Duration of all gates of each verification, in seconds. */
  readonly verifications: readonly { readonly at: Millis; readonly seconds: number }[];
}

/**
 * Options of `computeFigures`. `since`: measurements before this time do not count. `targets`: they replace the default
 * targets.
 */
export interface FigureOptions {
  readonly since?: Millis;
  readonly targets?: PerformanceTargets;
}

/** The note in feedback about a call that failed because of an error in Selfware itself. */
export const OWN_FAULT = 'An error of Selfware itself.';
const SEARCH_OPERATION = 'tool:search';
const WEEK_MS = 7 * 86_400_000;
/** Number of newest samples of which the median is taken. */
const MAX_SAMPLES = 20;
/** Minimum number of files of an index whose speed counts. For a smaller one, start-up takes most of the time. */
const MIN_FILES = 50;
/**
 * Minimum duration, in seconds, of an index run whose use of the cores counts. A shorter one cannot be measured
 * reliably.
 */
const MIN_CPU_SECONDS = 0.5;

/** All figures. The number of errors covers the week before `now`. */
export function computeFigures(
  measurements: LedgerMeasurements,
  now: Millis,
  { since = 0, targets = {} }: FigureOptions = {},
): readonly Figure[] {
  const isInPeriod = ({ at }: { readonly at: Millis }) => at >= since;
  const samplesByMetric = collectSamples(
    {
      index: measurements.index.filter(isInPeriod),
      state: measurements.state.filter(isInPeriod),
      feedback: measurements.feedback.filter(isInPeriod),
      verifications: measurements.verifications.filter(isInPeriod),
    },
    now,
  );
  return METRICS.map((metric): Figure => {
    const facts = METRIC_FACTS[metric];
    const { better } = facts;
    const samples = samplesByMetric[metric];
    const newest = metric === 'errors' ? samples.slice(-1).filter(({ at }) => at === now) : samples.slice(-MAX_SAMPLES);
    return {
      metric,
      ...facts,
      target: targets[metric] === undefined ? facts.target : targets[metric],
      value: newest.length === 0 ? null : computeMedian(newest.map(({ value }) => value)),
      samples: newest.length,
      baseline: computeBaseline(samples),
      trend: computeTrend(samples, better),
    };
  });
}

/** All measurements of each figure, oldest first. */
function collectSamples(
  { index, state, feedback, verifications }: LedgerMeasurements,
  now: Millis,
): Readonly<Record<Metric, readonly Sample[]>> {
  const collectRunSamples = <T extends { readonly at: Millis }>(
    runs: readonly T[],
    read: (run: T) => number | null | undefined,
  ): readonly Sample[] =>
    runs.flatMap((run) => {
      const value = read(run);
      return value === null || value === undefined ? [] : [{ at: run.at, value }];
    });
  const runsFromScratch = index.filter(({ scratch }) => scratch);
  const updates = index.filter(({ scratch }) => !scratch);
  return {
    indexing: collectRunSamples(runsFromScratch, ({ files, seconds }) =>
      files >= MIN_FILES && seconds > 0 ? files / seconds : null,
    ),
    update: collectRunSamples(updates, ({ seconds }) => seconds),
    search: feedback.flatMap(({ at, kind, dimension, value, program }) =>
      // Feedback without a version of Selfware is reported by agents, about other tools.
      program !== undefined && kind === 'tool_success' && dimension === SEARCH_OPERATION && value !== null
        ? [{ at, value }]
        : [],
    ),
    verification: verifications.map(({ at, seconds }) => ({ at, value: seconds })),
    memory: collectRunSamples(runsFromScratch, ({ peakRssMb }) => peakRssMb),
    cpu: collectRunSamples(index, ({ cpuSeconds, cores, seconds }) =>
      cpuSeconds === undefined || cores === undefined || seconds < MIN_CPU_SECONDS
        ? null
        : Math.min(100, (100 * cpuSeconds) / (seconds * cores)),
    ),
    database: collectRunSamples(state, ({ databaseMb }) => databaseMb),
    ledger: collectRunSamples(state, ({ ledgerMs }) => ledgerMs),
    connections: collectRunSamples(state, ({ connections }) => connections),
    cache: collectRunSamples(updates, ({ changedChunks = 0, embedded = 0 }) =>
      changedChunks === 0 ? null : Math.max(0, changedChunks - embedded) / changedChunks,
    ),
    errors: countFaultsByWeek(feedback, now),
  };
}

/**
 * Faults of Selfware itself in each of the weeks before `now` in which it was called, oldest first. The time of a
 * sample is the end of its week.
 */
function countFaultsByWeek(feedback: readonly Feedback[], now: Millis): readonly Sample[] {
  const calls = feedback.filter(
    ({ kind, program, at }) => program !== undefined && kind.startsWith('tool_') && at <= now,
  );
  const faults = new Map<number, number>();
  for (const { at, note } of calls) {
    const week = Math.floor((now - at) / WEEK_MS);
    faults.set(week, (faults.get(week) ?? 0) + (note === OWN_FAULT ? 1 : 0));
  }
  return [...faults].toSorted(([a], [b]) => b - a).map(([week, value]) => ({ at: now - week * WEEK_MS, value }));
}
