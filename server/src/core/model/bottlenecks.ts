// Bottlenecks of Selfware's own performance as plain data.

/** Figures of Selfware's own performance. */
export const METRICS = ['indexing', 'search', 'memory', 'errors', 'verification'] as const;
export type Metric = (typeof METRICS)[number];

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
