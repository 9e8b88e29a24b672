// Types of the operations of a session that a cycle uses, and of the outcome of a proposal.

import type { Proposal } from '../../model.ts';
import type { Analysis, Changes, Proposals, Verification } from '../../session.ts';
import type { Questions } from '../ask/sections/sectionTypes.ts';

/** The operations of a session that a cycle uses. */
export type Steps = {
  readonly analysis: Pick<Analysis, 'analyse' | 'score'>;
  readonly proposals: Pick<Proposals, 'propose' | 'explainNeedToAsk' | 'decide'>;
  readonly questions: Pick<Questions, 'askNext'>;
  readonly verification: Pick<Verification, 'verify' | 'checkTogether' | 'verifySideBySide'>;
  readonly changes: Pick<Changes, 'apply' | 'applyTogether' | 'applyPause'>;
  isStopped(): Promise<boolean>;
};

/**
 * The outcome of a proposal after its gates. `shown`: nothing is applied, because it is a dry run. `passedOver`: the
 * proposal keeps waiting. `paused`: a rate of changes is used up.
 */
export type ProposalOutcome =
  | 'putOff'
  | 'refused'
  | 'shown'
  | 'passedOver'
  | 'paused'
  | 'inProbation'
  | 'kept'
  | 'rolledBack';

/** A proposal with its last verdicts, and its outcome. */
export interface SettledProposal {
  readonly proposal: Proposal;
  readonly outcome: ProposalOutcome;
}
