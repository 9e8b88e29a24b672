// Compares what changes for bottlenecks were expected to reach with what was measured after they were kept.

import type { BottleneckData, PerformanceStrategy } from '../../model/bottlenecks.ts';
import type { Millis, ProposalStatus } from '../../model.ts';
import { figuresOf, type Measured } from './figures.ts';

export interface AskedBottleneck extends BottleneckData {
  readonly at: Millis;
  /** The status of the proposal, and when it was kept; null without a proposal, or as long as it is not kept. */
  readonly status: ProposalStatus | null;
  readonly keptAt: Millis | null;
}

/** A question with its outcome. */
export interface BottleneckOutcome extends AskedBottleneck {
  /**
   * The figure since the change was kept, of another version of Selfware; null = not kept, or not measured since. The
   * same version may be a build without the change.
   */
  readonly measured: number | null;
}

/** The outcomes, oldest first. */
export function outcomesOf(
  asked: readonly AskedBottleneck[],
  measured: Measured,
  now: Millis,
): readonly BottleneckOutcome[] {
  return asked.map((one) => {
    const isOther = ({ program }: { readonly program?: string }) => program !== undefined && program !== one.program;
    const others = {
      index: measured.index.filter(isOther),
      feedback: measured.feedback.filter(isOther),
      verifications: [],
    };
    const since = one.keptAt === null ? [] : figuresOf(others, now, one.keptAt);
    return { ...one, measured: since.find(({ metric }) => metric === one.metric)?.value ?? null };
  });
}

/**
 * How far a strategy is to be trusted, 0 to 1: the share of decided changes that were kept, with one of each kind added
 * (Laplace's rule of succession). 0.5 before the first one is decided.
 */
export function confidenceOf(strategy: PerformanceStrategy, asked: readonly AskedBottleneck[]): number {
  const decided = asked.filter((one) => one.strategy === strategy && one.status !== null && DECIDED.has(one.status));
  return (decided.filter(({ status }) => status === 'kept').length + 1) / (decided.length + 2);
}

const DECIDED: ReadonlySet<ProposalStatus> = new Set(['kept', 'refused', 'rejected', 'rolledBack', 'conflicted']);
