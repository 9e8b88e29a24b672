// Reports about targets for which no verdict is known.

import type { ComparedTarget, TargetReport } from '../../../core/verify/differential/plan.ts';

/**
 * The report of a target if a process did not report its executed lines. An equal result then becomes unknown, because
 * changed lines may not have run.
 */
export function markLinesUnknown(report: TargetReport): TargetReport {
  return report.outcome === 'same'
    ? { ...report, outcome: 'unknown', reason: 'It was not known in time which lines ran.', outOfTime: true }
    : report;
}

/** The report about a target without a verdict. `reason`: why there is none, as a sentence. */
export function createUnknownReport({ path, name }: ComparedTarget, reason: string): TargetReport {
  return { path, name, outcome: 'unknown', reason, outOfTime: true, counterexample: null, inputs: 0, answered: 0 };
}
