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

export interface PerformanceReport {
  readonly figures: readonly Figure[];
  /** The bottlenecks, worst first. */
  readonly bottlenecks: readonly TrustedBottleneck[];
  /** Earlier questions, oldest first, with the expected and the measured figures. */
  readonly outcomes: readonly BottleneckOutcome[];
}

/** Section `performance`: Selfware's own performance. */
export interface Performance {
  /** The report on the measurements at `since` or later; by default, on all measurements. */
  report(since?: Millis): Promise<PerformanceReport>;
  /**
   * The task of removing a bottleneck, for a proposer; without a metric, the task for the worst bottleneck that a
   * benchmark can judge. Throws `usage` if there is none, no benchmark is configured, or this is not Selfware's own
   * repository.
   */
  task(metric: Metric | null): Promise<{ readonly task: TaskRequest; readonly bottleneck: TrustedBottleneck }>;
  /** Records that a proposer was asked. */
  asked(data: Omit<BottleneckData, 'program'>): Promise<void>;
}
