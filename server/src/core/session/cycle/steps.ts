// The steps of a cycle, as the session offers them, and the outcome of a proposal in it.

import type { Proposal } from '../../model.ts';
import type { Analysis, Changes, Proposals, Verification } from '../../session.ts';
import type { Questions } from '../ask/sections/sectionTypes.ts';

export type Steps = {
  readonly analysis: Pick<Analysis, 'analyse' | 'score'>;
  readonly proposals: Pick<Proposals, 'propose' | 'explainNeedToAsk' | 'decide'>;
  readonly questions: Pick<Questions, 'askNext'>;
  readonly verification: Pick<Verification, 'verify' | 'checkTogether' | 'verifySideBySide'>;
  readonly changes: Pick<Changes, 'apply' | 'applyTogether' | 'applyPause'>;
  isStopped(): Promise<boolean>;
};

/** The result for a proposal after its gates; `shown`: a dry run, so nothing is applied. */
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
