// Types of the façade's section `performance`, as its callers see it.

import type { Bottleneck } from '../../../learn/performance/bottlenecks.ts';
import type { Figure } from '../../../learn/performance/figures.ts';
import type { BottleneckOutcome } from '../../../learn/performance/outcomes.ts';
import type { Millis } from '../../../model.ts';
import type { BottleneckData, Metric } from '../../../model/bottlenecks.ts';
import type { TaskRequest } from '../../ask/askTypes.ts';

/** A bottleneck with the confidence in its strategy (0 to 1). */
export interface TrustedBottleneck extends Bottleneck {
  readonly confidence: number;
}

/** The report on Selfware's own performance. */
export interface PerformanceReport {
  readonly figures: readonly Figure[];
  /** The bottlenecks, worst first. */
  readonly bottlenecks: readonly TrustedBottleneck[];
  /** Earlier questions about bottlenecks, oldest first, with the expected and the measured figures. */
  readonly outcomes: readonly BottleneckOutcome[];
}

/** Section `performance`: Selfware's own performance. */
export interface Performance {
  /** The report on the measurements at `since` or later; by default, on all measurements. */
  report(since?: Millis): Promise<PerformanceReport>;
  /**
   * The task to remove a bottleneck, for a proposer. If `metric` is null, it is the worst bottleneck that a benchmark
   * can judge. Throws `usage` if there is none, if no benchmark can judge the metric or none is configured, or if this
   * is not Selfware's own repository.
   */
  task(metric: Metric | null): Promise<{ readonly task: TaskRequest; readonly bottleneck: TrustedBottleneck }>;
  /** Records that a proposer was asked about a bottleneck. */
  asked(data: Omit<BottleneckData, 'program'>): Promise<void>;
}
