// A round of a run: one proposal, or several that are checked together, and their verification.

import { SelfwareError, describeError, throwIfCancelled } from '../../../util/typedError.ts';
import type { Proposal } from '../../model.ts';
import type { CheckedTogether } from '../../verify/checkedTogether.ts';
import type { ImproveRequest } from '../cycleEvents.ts';
import { findJoinableClaim } from '../verify/joinableClaim.ts';
import type { ProposalSources } from '../verify/sideBySide.ts';
import type { Steps } from './steps.ts';

/** Number of consecutive broken verifications from which on the proposals are not considered to be the cause. */
const MAX_BREAKDOWNS = 3;
/**
 * Reasons of errors that may be caused by one proposal. Any other error, such as a full disk, would also occur with the
 * next proposal.
 */
const PROPOSAL_REASONS: ReadonlySet<string> = new Set(['internal', 'timedOut', 'unavailable']);

/** The verifications that broke down in a run for reasons outside their proposals. */
export interface Breakdowns {
  /** Ids of their proposals. */
  readonly proposals: Set<string>;
  /** Number of the latest consecutive ones. */
  consecutiveCount: number;
}

/** True if the run applies changes without asking a person about each. */
export function appliesUnasked({ dryRun, approval }: ImproveRequest): boolean {
  return !dryRun && approval !== 'strict';
}

/** Maximum number of proposals that the next round may check together. */
export function computeMaxTogether(
  { maxCheckedTogether = 1, cycles, maxChanges, dryRun, opportunity }: ImproveRequest,
  counts: { readonly cycles: number; readonly applied: number },
): number {
  if (dryRun || opportunity !== undefined) return 1;
  return Math.min(maxCheckedTogether, cycles - counts.cycles + 1, maxChanges - counts.applied);
}

/**
 * Collects the proposal and further ones with claims of the same kind in other files, at most `maxMembers` in all. A
 * proposal that has to be verified alone gets no companions. `deferred`: ids of proposals that the run has deferred.
 */
export async function collectGroup(
  steps: Steps,
  request: ImproveRequest,
  first: Proposal,
  maxMembers: number,
  deferred: ReadonlySet<string>,
): Promise<readonly Proposal[]> {
  const claim = findJoinableClaim(first);
  const { joinableClaims, proposalsVerifiedAlone = new Set<string>() } = request;
  const canJoin = claim !== null && (joinableClaims?.includes(claim) ?? true) && !proposalsVerifiedAlone.has(first.id);
  const kind = canJoin ? claim : null;
  const excludedIds = new Set([...deferred, ...proposalsVerifiedAlone]);
  const members = [first];
  while (kind !== null && members.length < maxMembers) {
    const nextMember = await proposeAnother(steps.proposals, request, members, excludedIds);
    if (nextMember === null || findJoinableClaim(nextMember) !== kind) break;
    members.push(nextMember);
  }
  return members;
}

/**
 * Makes a proposal for files that `members` do not edit; null if there is none, or if a rate of the charter is used up.
 */
async function proposeAnother(
  proposalSources: Pick<ProposalSources, 'propose'>,
  request: ImproveRequest,
  members: readonly Proposal[],
  deferred: ReadonlySet<string>,
): Promise<Proposal | null> {
  const excludedIds = new Set([...deferred, ...members.map(({ id }) => id)]);
  const editedPaths = new Set(members.flatMap(({ edits }) => edits.map(({ path }) => path)));
  try {
    const { proposal, tried } = await proposalSources.propose({
      ...request,
      excludedProposals: excludedIds,
      besides: editedPaths,
    });
    for (const { refused, ...place } of tried)
      request.onEvent?.({ type: 'opportunityRefused', ...place, reason: refused });
    return proposal;
  } catch (error) {
    // A rate of the charter ends the run before the next round.
    if (error instanceof SelfwareError && error.reason === 'paused') return null;
    throw error;
  }
}

/**
 * True if nothing may be verified in parallel with the proposal: the request requires it, or it waits for a quieter
 * machine, which parallel work would keep busy.
 */
function isAlone({ proposalsVerifiedAlone }: ImproveRequest, { id, deferredBusy = 0 }: Proposal): boolean {
  return deferredBusy > 0 || (proposalsVerifiedAlone?.has(id) ?? false);
}

/** Maximum number of proposals that the next round may verify in parallel. */
export function computeMaxParallel(
  request: ImproveRequest,
  first: Proposal,
  count: { readonly cycles: number },
): number {
  const { maxParallel = 1, cycles, dryRun, opportunity } = request;
  if (dryRun || opportunity !== undefined || isAlone(request, first)) return 1;
  return Math.min(maxParallel, cycles - count.cycles + 1);
}

/**
 * Verifies the proposal and, in parallel, further ones in other files, which are proposed meanwhile; at most `most` in
 * all. `deferred`: ids of proposals that the run has deferred. Once recipes have nothing more to propose, the proposer
 * is asked. `onNext` is called with each further proposal. Returns the proposals whose verification did not break down,
 * in the order in which they were made.
 */
export async function verifyRound(
  steps: Steps,
  request: ImproveRequest,
  first: Proposal,
  { most: maxProposals, deferred, breakdowns }: { most: number; deferred: ReadonlySet<string>; breakdowns: Breakdowns },
  onNext: (proposal: Proposal) => void,
): Promise<readonly Proposal[]> {
  const members = [first];
  const proposeNext = async (makers: ProposalSources) => {
    if (members.length >= maxProposals) return null;
    const excludedIds = new Set([...deferred, ...breakdowns.proposals]);
    const proposal =
      (await proposeAnother(makers, request, members, excludedIds)) ?? (await proposeAnotherAnswer(makers, request));
    // An answer for the same task may be the same proposal.
    if (proposal === null || members.some(({ id }) => id === proposal.id)) return null;
    members.push(proposal);
    onNext(proposal);
    return { proposal, isAlone: isAlone(request, proposal) };
  };
  const options = { atOnce: request.personWaits ?? false };
  const verifiedProposals: Proposal[] = [];
  for (const result of await steps.verification.verifySideBySide(first, proposeNext, request, options)) {
    if ('error' in result) recordBreakdown(result.error, result.proposal, request, breakdowns);
    else {
      verifiedProposals.push(result.proposal);
      breakdowns.consecutiveCount = 0;
    }
  }
  return verifiedProposals;
}

/** The proposer's answer to the next task; null if there is none, if nobody may be asked, or if asking failed. */
async function proposeAnotherAnswer(makers: ProposalSources, request: ImproveRequest): Promise<Proposal | null> {
  const { proposer, opportunity } = request;
  if (proposer === undefined || opportunity !== undefined) return null;
  try {
    const { proposal, tried } = await makers.askNext({ ...request, proposer, toApply: appliesUnasked(request) });
    for (const { refused, ...place } of tried)
      request.onEvent?.({ type: 'opportunityRefused', ...place, reason: refused });
    return proposal;
  } catch (error) {
    throwIfCancelled(request.signal);
    // The same error occurs in the next round, which reports it.
    if (error instanceof SelfwareError) return null;
    throw error;
  }
}

/** Records that a verification broke down. Throws the error if it would also affect other proposals. */
export function recordBreakdown(
  error: unknown,
  proposal: Proposal,
  request: Pick<ImproveRequest, 'signal' | 'opportunity' | 'onEvent'>,
  breakdowns: Breakdowns,
): void {
  throwIfCancelled(request.signal);
  if (!mayBeCausedByProposal(error) || request.opportunity || ++breakdowns.consecutiveCount === MAX_BREAKDOWNS)
    throw error;
  breakdowns.proposals.add(proposal.id);
  request.onEvent?.({ type: 'brokeDown', proposal, reason: describeError(error) });
}

/**
 * Verifies the members one by one, and returns them with their results, without those whose verification broke down. A
 * member that was not verified does not count as a companion of later ones.
 */
export async function verifyMembers(
  steps: Steps,
  members: readonly Proposal[],
  sets: readonly CheckedTogether[],
  request: ImproveRequest,
  breakdowns: Breakdowns,
): Promise<readonly Proposal[]> {
  const verified: Proposal[] = [];
  const droppedIds = new Set<string>();
  for (const member of members) {
    const set = sets.find(({ proposals }) => proposals.includes(member.id));
    const companions = set?.members?.filter(({ id }) => !droppedIds.has(id));
    const checkedTogether = set && companions ? { ...set, members: companions } : set;
    try {
      const proposal = await verifyOne(steps, member.id, request, checkedTogether);
      if (proposal.status !== 'verified') droppedIds.add(member.id);
      verified.push(proposal);
      breakdowns.consecutiveCount = 0;
    } catch (error) {
      droppedIds.add(member.id);
      recordBreakdown(error, member, request, breakdowns);
    }
  }
  return verified;
}

/** Verifies one proposal. `maxCheckedTogether`: the proposals that are checked together with it. */
function verifyOne(steps: Steps, id: string, request: ImproveRequest, together?: CheckedTogether): Promise<Proposal> {
  const shared = together === undefined ? {} : { together };
  return steps.verification.verify(id, request, { atOnce: request.personWaits ?? false, ...shared });
}

/** True if the error may be caused by one proposal. */
function mayBeCausedByProposal(error: unknown): boolean {
  return !(error instanceof SelfwareError) || PROPOSAL_REASONS.has(error.reason);
}
