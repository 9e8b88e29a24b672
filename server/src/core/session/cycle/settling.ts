// Settles verified proposals: decides on each, applies the approved ones, and reports the outcome.

import { SelfwareError, describeError } from '../../../util/typedError.ts';
import type { Proposal } from '../../model.ts';
import type { CheckedTogether } from '../../verify/checkedTogether.ts';
import type { AppliedProposal } from '../apply/applyResults.ts';
import type { ImproveRequest } from '../cycleEvents.ts';
import { verifyMembers, type Breakdowns } from './round.ts';
import type { ProposalOutcome, SettledProposal, Steps } from './steps.ts';

/** A proposal that may be applied. `hunks`: indexes of the hunks to apply; if absent, all. */
interface ApprovedProposal {
  readonly proposal: Proposal;
  readonly by: 'person' | 'charter';
  readonly hunks?: readonly number[];
}

/**
 * Settles verified proposals, and returns their outcomes. Proposals that were checked together are applied together.
 * After a pause, and once `request.maxChanges` are applied, the remaining ones keep waiting.
 */
export async function settleAll(
  steps: Steps,
  proposals: readonly Proposal[],
  sets: readonly CheckedTogether[],
  request: ImproveRequest,
  breakdowns: Breakdowns,
): Promise<readonly SettledProposal[]> {
  const settledProposals: SettledProposal[] = [];
  const approvedProposals: ApprovedProposal[] = [];
  for (const proposal of proposals) {
    const answer = await settleProposal(steps, proposal, request);
    if (typeof answer === 'string') settledProposals.push({ proposal, outcome: answer });
    else approvedProposals.push(answer);
  }
  const remaining = new Set(approvedProposals);
  for (const { proposals: ids } of sets) {
    if (hasPaused(settledProposals)) break;
    const members = approvedProposals.filter(({ proposal, hunks }) => ids.includes(proposal.id) && hunks === undefined);
    for (const member of members) remaining.delete(member);
    if (members.length > 0) settledProposals.push(...(await applyMembers(steps, members, request, breakdowns)));
  }
  for (const remainingMember of remaining) {
    if (hasPaused(settledProposals)) break;
    // More proposals may have been verified in parallel than may be applied. The others keep waiting.
    if (settledProposals.filter(wasApplied).length >= request.maxChanges) {
      settledProposals.push({ proposal: remainingMember.proposal, outcome: 'passedOver' });
      continue;
    }
    settledProposals.push({
      proposal: remainingMember.proposal,
      outcome: await applyOne(steps, remainingMember, request),
    });
  }
  return settledProposals;
}

/** True if the proposal was applied, even if it was rolled back afterwards. */
function wasApplied({ outcome }: SettledProposal): boolean {
  return outcome === 'inProbation' || outcome === 'kept' || outcome === 'rolledBack';
}

/** True if a rate of changes was used up. */
function hasPaused(settledProposals: readonly SettledProposal[]): boolean {
  return settledProposals.some(({ outcome }) => outcome === 'paused');
}

/**
 * Applies proposals that were checked together. If they do not pass in the current tree, which lacks the members that
 * were not approved, they are verified and settled one by one.
 */
async function applyMembers(
  steps: Steps,
  members: readonly ApprovedProposal[],
  request: ImproveRequest,
  breakdowns: Breakdowns,
): Promise<readonly SettledProposal[]> {
  const results = await steps.changes.applyTogether(
    members.map(({ proposal, by }) => ({ proposal: proposal.id, by })),
    request,
  );
  if (results !== null)
    return members.map(({ proposal }, index) => {
      const result = results[index];
      // After an error, the others keep waiting.
      if (!result) return { proposal, outcome: 'passedOver' };
      return {
        proposal,
        outcome: 'error' in result ? reportFailure(result.error, proposal, request) : reportApplied(result, request),
      };
    });
  const settledProposals: SettledProposal[] = [];
  for (const { proposal } of members) {
    if (hasPaused(settledProposals)) break;
    const verifiedAlone = await verifyMembers(steps, [proposal], [], request, breakdowns);
    settledProposals.push(...(await settleAll(steps, verifiedAlone, [], request, breakdowns)));
  }
  return settledProposals;
}

/** Decides on a verified proposal. Returns its outcome, or the approved proposal if it has to be applied. */
async function settleProposal(
  steps: Steps,
  proposal: Proposal,
  request: ImproveRequest,
): Promise<ProposalOutcome | ApprovedProposal> {
  const reportEvent = request.onEvent ?? (() => {});
  if (proposal.status === 'deferred') {
    reportEvent({ type: 'putOff', proposal, reason: proposal.reason ?? '' });
    return 'putOff';
  }
  if (proposal.status !== 'verified') {
    reportEvent({ type: 'refused', proposal });
    return 'refused';
  }
  reportEvent({ type: 'verified', proposal });
  return request.dryRun ? 'shown' : decide(steps, proposal, request);
}

/**
 * Asks for the decision on a verified proposal, or takes it from the charter. A rejection or a deferral is recorded
 * here, and an approval when the proposal is applied.
 */
async function decide(
  steps: Steps,
  proposal: Proposal,
  request: ImproveRequest,
): Promise<'passedOver' | ApprovedProposal> {
  const report = request.onEvent ?? (() => {});
  const reasonToAsk = await steps.proposals.explainNeedToAsk(proposal.id);
  const answer =
    reasonToAsk === null
      ? { verdict: 'approved' as const, by: 'charter' as const, reason: null }
      : await request.decide(proposal, reasonToAsk);
  const { by = 'person' } = answer;
  report({ type: 'decided', proposal: proposal.id, verdict: answer.verdict, by, reason: answer.reason });
  if (answer.verdict === 'approved')
    return { proposal, by, ...('hunks' in answer && answer.hunks ? { hunks: answer.hunks } : {}) };
  await steps.proposals.decide({ proposal: proposal.id, verdict: answer.verdict, by, reason: answer.reason });
  return 'passedOver';
}

/** Applies one approved proposal, and returns its outcome. */
async function applyOne(
  steps: Steps,
  { proposal, by, hunks }: ApprovedProposal,
  request: ImproveRequest,
): Promise<ProposalOutcome> {
  try {
    const chosenHunks = hunks === undefined ? {} : { hunks };
    return reportApplied(await steps.changes.apply({ ...request, proposal: proposal.id, by, ...chosenHunks }), request);
  } catch (error) {
    return reportFailure(error, proposal, request);
  }
}

/** Reports that a proposal was applied, and returns its outcome. */
function reportApplied({ proposal, checkpoint }: AppliedProposal, request: ImproveRequest): ProposalOutcome {
  request.onEvent?.({ type: 'applied', proposal, checkpoint });
  return proposal.status === 'applied' ? 'inProbation' : proposal.status === 'kept' ? 'kept' : 'rolledBack';
}

/**
 * Reports why a proposal could not be applied, and returns its outcome. Throws errors that would also affect other
 * proposals.
 */
function reportFailure(error: unknown, proposal: Proposal, request: ImproveRequest): ProposalOutcome {
  if (error instanceof SelfwareError && error.reason === 'stale') {
    request.onEvent?.({
      type: 'opportunityRefused',
      opportunity: proposal.opportunity.id,
      rule: proposal.opportunity.rule,
      path: proposal.opportunity.path,
      reason: `${error.message} It will be planned again.`,
    });
    return 'passedOver';
  }
  if (error instanceof SelfwareError && error.reason === 'paused') {
    request.onEvent?.({ type: 'stopped', reason: describeError(error) });
    return 'paused';
  }
  throw error;
}
