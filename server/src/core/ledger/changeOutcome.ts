// Determines the outcome of a proposal for all learning: whether it was kept, and whether later commits have left it as
// it was.

import type { Proposal } from '../model.ts';

/**
 * `kept`: it was kept, and no later commit is known to have undone or rewritten it. `rewritten`: it was kept, but a
 * person has written its lines differently since, so it is not an example to learn from. `rolledBack`: it was rolled
 * back, or a commit has undone it. `conflicted`: it failed its probation and could not be rolled back, so it waits for
 * a person. `rejected`: a person rejected it. `replaced`: a person made another proposal from it. `refused`: a gate
 * refused it.
 */
export type ChangeOutcome = 'kept' | 'rewritten' | 'rolledBack' | 'conflicted' | 'rejected' | 'replaced' | 'refused';

/**
 * The outcome of a proposal. Null if it is open or was withdrawn, or if it was refused because its files had changed or
 * without a failed verdict.
 */
export function determineOutcome({
  status,
  rework,
  replacedBy,
  verdicts,
}: Pick<Proposal, 'status' | 'rework' | 'replacedBy' | 'verdicts'>): ChangeOutcome | null {
  switch (status) {
    case 'kept':
      return rework === undefined ? 'kept' : rework.undone ? 'rolledBack' : 'rewritten';
    case 'rejected':
      return replacedBy === undefined ? 'rejected' : 'replaced';
    case 'rolledBack':
    case 'conflicted':
      return status;
    case 'refused': {
      const isStale = verdicts.some(({ gate, outcome }) => gate === 'applies' && outcome !== 'passed');
      return !isStale && verdicts.some(({ outcome }) => outcome === 'failed') ? 'refused' : null;
    }
    default:
      return null;
  }
}
