// Compares the expected effect of changes for bottlenecks with the figures measured after the changes were kept.

import type { BottleneckData, PerformanceStrategy } from '../../model/bottlenecks.ts';
import type { Millis, ProposalStatus } from '../../model.ts';
import { computeFigures, type LedgerMeasurements } from './figures.ts';

/** A question to a proposer about a bottleneck. */
export interface AskedBottleneck extends BottleneckData {
  readonly at: Millis;
  /** The status of the proposal; null if the question led to none. */
  readonly status: ProposalStatus | null;
  /** The time at which the proposal was kept; null if it was not kept. */
  readonly keptAt: Millis | null;
}

/** A question with its outcome. */
export interface BottleneckOutcome extends AskedBottleneck {
  /**
   * The figure since the change was kept; null if it was not kept, or not measured since. Only measurements by another
   * version of Selfware count, because the version that the question was about may be a build without the change.
   */
  readonly measured: number | null;
}

/** The outcomes, in the order of the questions. */
export function computeOutcomes(
  bottlenecks: readonly AskedBottleneck[],
  measurements: LedgerMeasurements,
  now: Millis,
): readonly BottleneckOutcome[] {
  return bottlenecks.map((question) => {
    const isOther = ({ program }: { readonly program?: string }) =>
      program !== undefined && program !== question.program;
    const otherMeasurements = {
      index: measurements.index.filter(isOther),
      state: [],
      feedback: measurements.feedback.filter(isOther),
      verifications: [],
    };
    const figuresSinceKept =
      question.keptAt === null ? [] : computeFigures(otherMeasurements, now, { since: question.keptAt });
    return { ...question, measured: figuresSinceKept.find(({ metric }) => metric === question.metric)?.value ?? null };
  });
}

/**
 * The confidence in a strategy, from 0 to 1: the share of its decided changes that were kept, after adding one kept and
 * one other change (Laplace's rule of succession). 0.5 before the first decision.
 */
export function computeConfidence(strategy: PerformanceStrategy, bottlenecks: readonly AskedBottleneck[]): number {
  const decidedQuestions = bottlenecks.filter(
    (question) => question.strategy === strategy && question.status !== null && DECIDED_STATUSES.has(question.status),
  );
  return (decidedQuestions.filter(({ status }) => status === 'kept').length + 1) / (decidedQuestions.length + 2);
}

/** Statuses of proposals whose outcome is known. */
const DECIDED_STATUSES: ReadonlySet<ProposalStatus> = new Set([
  'kept',
  'refused',
  'rejected',
  'rolledBack',
  'conflicted',
]);
