// Bottlenecks of Selfware's own performance as plain data.

/** Figures of Selfware's own performance. */
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
export type Metric = (typeof METRICS)[number];

/** Targets by figure that differ from the defaults; null: the figure has no target and is only shown. */
export type PerformanceTargets = Readonly<Partial<Record<Metric, number | null | undefined>>>;

export type PerformanceStrategy = 'optimisation' | 'caching' | 'refactoring' | 'indexing';

/** A question about a bottleneck. `before` was measured, `expected` was not. */
export interface BottleneckData {
  readonly metric: Metric;
  readonly strategy: PerformanceStrategy;
  readonly before: number;
  readonly expected: number;
  readonly proposal: string | null;
  /** The version of Selfware by which `before` was measured. */
  readonly program: string;
}

/** What a process has used when it has brought an index up to date. Absent fields were not measured. */
export interface ProcessUse {
  /** Processor time of the work, in seconds, on all cores. */
  readonly cpuSeconds?: number;
  /** Number of cores that the process may use. */
  readonly cores?: number;
  /** Peak memory of the process. */
  readonly peakRssMb?: number;
  /** Chunks of the files that had changed. */
  readonly changedChunks?: number;
}

/** What the state folder takes, measured at most once an hour. Absent fields were not measured. */
export interface StateMeasurement {
  /** Size of the databases and the index in the state folder. */
  readonly databaseMb?: number;
  /** Database files of the state folder that the process has open. */
  readonly connections?: number;
  /** Milliseconds in which the newest events of the ledger were read. */
  readonly ledgerMs: number;
}
