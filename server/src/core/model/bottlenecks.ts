// The types of measurements of Selfware's own performance, and of the bottlenecks that they show.

/** The names of the figures of Selfware's own performance. */
export const METRICS = [
  'indexing',
  'update',
  'search',
  'verification',
  'memory',
  'cpu',
  'database',
  'ledger',
  'connections',
  'cache',
  'errors',
] as const;
/** The name of a figure of Selfware's own performance. */
export type Metric = (typeof METRICS)[number];

/** Targets by figure that differ from the defaults. A figure whose target is null is only shown. */
export type PerformanceTargets = Readonly<Partial<Record<Metric, number | null | undefined>>>;

/** The kind of improvement that a proposal tries. */
export type PerformanceStrategy = 'optimisation' | 'caching' | 'refactoring' | 'indexing';

/**
 * A bottleneck for which an improvement was proposed. `before`: the measured figure; `expected`: the estimated figure
 * after the improvement.
 */
export interface BottleneckData {
  readonly metric: Metric;
  readonly strategy: PerformanceStrategy;
  readonly before: number;
  readonly expected: number;
  /** The id of the proposal; null if none was filed. */
  readonly proposal: string | null;
  /** The version of Selfware by which `before` was measured. */
  readonly program: string;
}

/** The resources that a process has used to update an index. Absent fields were not measured. */
export interface ProcessUse {
  /** Processor time of the work, in seconds, on all cores. */
  readonly cpuSeconds?: number;
  /** Number of cores that the process may use. */
  readonly cores?: number;
  /** Peak resident memory of the process, in MB. */
  readonly peakRssMb?: number;
  /** Number of chunks of the files that had changed. */
  readonly changedChunks?: number;
}

/**
 * The size of the state folder and the speed of its stores, measured at most once an hour. Absent fields were not
 * measured.
 */
export interface StateMeasurement {
  /** Size of the databases and the index in the state folder, in MB. */
  readonly databaseMb?: number;
  /** Number of database files of the state folder that the process has open. */
  readonly connections?: number;
  /** Milliseconds in which the newest events of the ledger were read. */
  readonly ledgerMs: number;
}
