// The main loop of a run. The steps of a cycle: observe → index → analyse → prioritise → propose → verify → decide →
// apply → reload → record.

import { SelfwareError, describeError, throwIfCancelled } from '../util/typedError.ts';
import {
  appliesUnasked,
  computeMaxParallel,
  computeMaxTogether,
  verifyMembers,
  verifyRound,
  collectGroup,
  type Breakdowns,
} from './session/cycle/round.ts';
import { settleAll } from './session/cycle/settling.ts';
import type { ProposalOutcome, SettledProposal, Steps } from './session/cycle/steps.ts';
import { createTimedSteps } from './session/cycle/timedSteps.ts';
import type { CycleEvent, ImproveRequest, ImproveSummary } from './session/cycleEvents.ts';
import { splitOpportunityIds } from './ledger/opportunityIds.ts';
import { countByCause, type SkipCause } from './model/skippedPlaces.ts';
import type { Points, Proposal, Strength } from './model.ts';
import type { CheckedTogether } from './verify/checkedTogether.ts';
import { formatCount } from '../util/counted.ts';
import type { ProposeOutcome } from './session/propose/requests.ts';

type SummaryCounts = Omit<ImproveSummary, 'strengths' | 'passedOver' | 'pointsBefore' | 'pointsAfter' | 'seconds'>;
type Counts = { -readonly [Name in keyof SummaryCounts]: number };

/** The counts of the summary that each outcome of a proposal increases. */
const COUNTS_BY_OUTCOME: Readonly<Record<ProposalOutcome, readonly (keyof Counts)[]>> = {
  putOff: ['putOff'],
  refused: ['refused'],
  shown: ['verified'],
  passedOver: ['verified'],
  paused: ['verified'],
  inProbation: ['verified', 'applied'],
  kept: ['verified', 'applied', 'kept'],
  rolledBack: ['verified', 'applied', 'rolledBack'],
};

/** Number of refused proposals in a row after which a run ends, because the cause may lie outside of the changes. */
const MAX_REFUSED_IN_ROW = 5;
const TOO_MANY_REFUSED = [
  `The checks refused ${MAX_REFUSED_IN_ROW} proposals in a row.`,
  'Look at why before you run it again: `selfware doctor` says whether the tests run here.',
].join(' ');

/**
 * Runs up to `request.cycles` cycles. A cycle without a proposal ends the run, unless there are more places to try.
 * `apply` itself rolls back a change if the points of the tree are lower than its claim allows.
 */
export async function improve(
  untimedSteps: Steps,
  now: () => number,
  request: ImproveRequest,
): Promise<ImproveSummary> {
  const steps = request.times ? createTimedSteps(untimedSteps, now, request.times) : untimedSteps;
  const startedAt = now();
  const report = request.onEvent ?? (() => {});
  const counts = { cycles: 0, proposed: 0, verified: 0, refused: 0, putOff: 0, applied: 0, kept: 0, rolledBack: 0 };
  const strengths: Record<Strength, number> = { proven: 0, tested: 0, checked: 0, unchecked: 0 };
  let pointsBefore: Points | null = null;
  let pointsAfter: Points | null = null;
  const proposedFor: string[] = [];
  const skipped = new Map<string, SkipCause>();
  const breakdowns: Breakdowns = { proposals: new Set(), consecutiveCount: 0 };
  const putOff = new Set<string>(request.excludedProposals);

  let { cycles } = request;
  let refusedInRow = 0;
  for (let cycle = 1; cycle <= cycles; cycle++) {
    throwIfCancelled(request.signal);
    const endReason = await findEndReason(steps, request, counts);
    if (endReason !== null) {
      report({ type: 'stopped', reason: endReason });
      break;
    }
    counts.cycles = cycle;
    report({ type: 'cycleStarted', cycle });

    if (!(await analyseUntilStopped(steps, request))) {
      report({ type: 'stopped', reason: 'It was asked to end.' });
      break;
    }
    pointsAfter = await steps.analysis.score();
    pointsBefore ??= pointsAfter;

    const nextProposal = await findNextProposal(steps, request, putOff);
    const { proposal, hasMore = false } = nextProposal;
    for (const { opportunity, by } of nextProposal.passedOver) skipped.set(opportunity, by);
    nextProposal.tried.forEach(({ refused, ...place }) =>
      report({ type: 'opportunityRefused', ...place, reason: refused }),
    );
    // Places for which recipes made no change are recorded, so the next cycle tries others.
    if (!proposal && hasMore && request.ignoresFruitlessCycles) cycles++;
    if (!proposal && hasMore && cycle < cycles) continue;
    // A proposal whose verification has already broken down in this run is offered only if there is no other one.
    if (!proposal || breakdowns.proposals.has(proposal.id)) {
      report(describeEnd(request, nextProposal, breakdowns.proposals.size));
      break;
    }
    const onMember = (member: Proposal, isFirst = false): void => {
      if (!isFirst) report({ type: 'cycleStarted', cycle: ++cycle });
      counts.cycles = cycle;
      counts.proposed++;
      proposedFor.push(...splitOpportunityIds(member.opportunity.id));
      report({ type: 'proposed', proposal: member });
    };
    const { verified, sets } = await verifyProposalsOfRound(
      steps,
      request,
      proposal,
      {
        maxTogether: computeMaxTogether({ ...request, cycles }, counts),
        maxSideBySide: computeMaxParallel({ ...request, cycles }, proposal, counts),
        deferred: putOff,
        breakdowns,
      },
      onMember,
    );
    const remainingRequest = { ...request, maxChanges: request.maxChanges - counts.applied };
    const settledProposals = await settleAll(steps, verified, sets, remainingRequest, breakdowns);
    for (const settledProposal of settledProposals) addOutcome(counts, strengths, settledProposal);
    for (const { outcome, proposal: judgedProposal } of settledProposals)
      if (outcome === 'putOff') putOff.add(judgedProposal.id);
    pointsAfter = await measurePointsAfterRound(steps, settledProposals, pointsAfter);
    refusedInRow = settledProposals.every(({ outcome }) => outcome === 'refused')
      ? refusedInRow + settledProposals.length
      : 0;
    cycles += countCyclesPastRefused(request, settledProposals, refusedInRow);
    if (settledProposals.length > 0 && (settledProposals.some(endsRun) || request.opportunity)) break;
  }
  // The outcomes of these proposals are already counted.
  for (const id of proposedFor) skipped.delete(id);
  return {
    ...counts,
    strengths,
    passedOver: countByCause(skipped.values()),
    pointsBefore,
    pointsAfter,
    seconds: (now() - startedAt) / 1000,
  };
}

/** Analyses the tree. Returns false if the run was asked to end before the analysis was complete. */
async function analyseUntilStopped(steps: Steps, { stopSignal, ...request }: ImproveRequest): Promise<boolean> {
  const signal = stopSignal ? AbortSignal.any([request.signal, stopSignal]) : request.signal;
  try {
    await steps.analysis.analyse({ ...request, signal });
    return true;
  } catch (error) {
    throwIfCancelled(request.signal);
    if (stopSignal?.aborted && error instanceof SelfwareError && error.reason === 'cancelled') return false;
    throw error;
  }
}

/**
 * The number of cycles that are added after a round: 1 if all its proposals were refused and the run continues after
 * refusals. Otherwise 0; also if `MAX_REFUSED_IN_ROW` were refused in a row, which is reported.
 */
function countCyclesPastRefused(
  request: ImproveRequest,
  settledProposals: readonly SettledProposal[],
  refusedInRow: number,
): 0 | 1 {
  if (!request.ignoresFruitlessCycles || settledProposals.some(({ outcome }) => outcome !== 'refused')) return 0;
  if (refusedInRow < MAX_REFUSED_IN_ROW) return 1;
  request.onEvent?.({ type: 'stopped', reason: TOO_MANY_REFUSED });
  return 0;
}

/** The proposals of a round after their verification, and the sets of them that were checked together. */
interface Round {
  readonly verified: readonly Proposal[];
  readonly sets: readonly CheckedTogether[];
}

/** The limits of a round. */
interface RoundLimits {
  /** Maximum number of proposals that share a run of the tests. */
  readonly maxTogether: number;
  /** Maximum number of proposals that are verified at the same time. */
  readonly maxSideBySide: number;
  /** Ids of proposals that the run has deferred. */
  readonly deferred: ReadonlySet<string>;
  readonly breakdowns: Breakdowns;
}

/** Verifies the proposals of a round. Several are verified at the same time, or share a run of the tests. */
async function verifyProposalsOfRound(
  steps: Steps,
  request: ImproveRequest,
  first: Proposal,
  { maxTogether, maxSideBySide, deferred, breakdowns }: RoundLimits,
  onMember: (member: Proposal, isFirst?: boolean) => void,
): Promise<Round> {
  if (maxSideBySide > 1) {
    onMember(first, true);
    return {
      verified: await verifyRound(steps, request, first, { most: maxSideBySide, deferred, breakdowns }, onMember),
      sets: [],
    };
  }
  const members = await collectGroup(steps, request, first, maxTogether, deferred);
  for (const member of members) onMember(member, member === first);
  const sets = members.length > 1 ? await steps.verification.checkTogether(members, request) : [];
  return { verified: await verifyMembers(steps, members, sets, request, breakdowns), sets };
}

/** Adds the outcome of a proposal to the counts of the summary, and its strength if it is verified. */
function addOutcome(count: Counts, strengths: Record<Strength, number>, { outcome, proposal }: SettledProposal): void {
  for (const countName of COUNTS_BY_OUTCOME[outcome]) count[countName]++;
  if (proposal.status === 'verified') strengths[proposal.strength ?? 'unchecked']++;
}

/**
 * The points of the tree after a round; if a proposal was only shown (dry run), the points after its change. `pointsBefore`:
 * the points before the round.
 */
async function measurePointsAfterRound(
  steps: Steps,
  settledProposals: readonly SettledProposal[],
  pointsBefore: Points | null,
): Promise<Points | null> {
  const shownProposal = settledProposals.find(({ outcome }) => outcome === 'shown');
  if (shownProposal) return shownProposal.proposal.pointsAfter;
  return settledProposals.some(({ outcome }) => COUNTS_BY_OUTCOME[outcome].includes('applied'))
    ? steps.analysis.score()
    : pointsBefore;
}

function endsRun({ outcome }: SettledProposal): boolean {
  return outcome === 'shown' || outcome === 'paused';
}

/**
 * The proposal of the next cycle. `paused`: the event if an exhausted rate of the charter or budget ends the run
 * although there is work left.
 */
type PlannedProposal = ProposeOutcome & {
  readonly paused?: CycleEvent;
  /** If the proposer has no task left: the reason why the tests do not run here, with advice; absent if they run. */
  readonly hindrance?: string;
};

/** The proposal of a recipe or, if there is none, of a proposer. */
async function findNextProposal(
  steps: Steps,
  request: ImproveRequest,
  putOff: ReadonlySet<string>,
): Promise<PlannedProposal> {
  const noProposal: ProposeOutcome = { proposal: null, tried: [], passedOver: [] };
  const createStopEvent = (error: SelfwareError): CycleEvent => ({ type: 'stopped', reason: describeError(error) });
  try {
    // While the rate for recipes is exhausted, they make no proposal, because it could not be applied. Proposers have
    // rates of their own, so a proposer is asked anyway.
    const pause = appliesUnasked(request) ? await steps.changes.applyPause(null) : null;
    const planned =
      pause === null ? await steps.proposals.propose({ ...request, excludedProposals: putOff }) : noProposal;
    if (planned.proposal || planned.hasMore) return planned;
    const answer = await askProposer(steps, request, planned);
    const isStopped = pause !== null && !answer.proposal && !answer.hasMore && !answer.paused;
    return isStopped ? { ...answer, paused: createStopEvent(pause.error) } : answer;
  } catch (error) {
    if (!(error instanceof SelfwareError && error.reason === 'paused')) throw error;
    return { ...noProposal, paused: createStopEvent(error) };
  }
}

/**
 * Asks the proposer of the request for a proposal. Returns `planned` if there is no proposer, or if the request names
 * one opportunity.
 */
async function askProposer(steps: Steps, request: ImproveRequest, planned: PlannedProposal): Promise<PlannedProposal> {
  const { proposer, opportunity } = request;
  if (proposer === undefined || opportunity !== undefined) return planned;
  const { proposal, tried, hasMore, stopReason, hindrance } = await steps.questions.askNext({
    ...request,
    proposer,
    toApply: appliesUnasked(request),
  });
  return {
    ...planned,
    proposal,
    tried: [...planned.tried, ...tried],
    ...(hasMore ? { hasMore } : {}),
    ...(hindrance === undefined ? {} : { hindrance }),
    ...(stopReason === null ? {} : { paused: { type: 'stopped', reason: stopReason } }),
  };
}

/** The reason why no further cycle may begin; null if one may. Throws `forbidden` if not even the first one may. */
async function findEndReason(
  steps: Steps,
  { dryRun, maxChanges, findStopReason }: ImproveRequest,
  { cycles, applied }: Counts,
): Promise<string | null> {
  // Another process may have used the kill switch since the last cycle.
  if (await steps.isStopped()) {
    if (cycles > 0) return 'Selfware was stopped for this repository.';
    throw new SelfwareError('forbidden', 'Selfware is stopped for this repository: somebody ran `selfware stop`.', {
      action: 'Run `selfware resume` first.',
    });
  }
  const stopReason = cycles > 0 ? await findStopReason?.() : null;
  if (stopReason) return stopReason;
  return !dryRun && applied >= maxChanges ? 'The charter allows no more changes in this session.' : null;
}

/** The reason why a run ends after it has tried everything that it may. */
export const NOTHING_LEFT = 'Nothing is left to try: what was found needs a person, or was tried before.';

/** The event that explains why the run ends without a further proposal. */
function describeEnd(
  request: ImproveRequest,
  { paused, hasMore, tried, passedOver, hindrance }: PlannedProposal,
  brokenCount: number,
): CycleEvent {
  if (paused) return paused;
  if (hasMore)
    return {
      type: 'stopped',
      reason: `${formatCount(tried.length, 'place')} gave no change. The next run tries the others.`,
    };
  const requestedPlace = request.opportunity === undefined ? undefined : passedOver.at(-1);
  if (requestedPlace) return { type: 'stopped', reason: requestedPlace.reason, passedOver: requestedPlace };
  if (hindrance !== undefined && brokenCount === 0)
    return { type: 'stopped', reason: `The proposer has no task left that could be checked here. ${hindrance}` };
  const waiting =
    brokenCount > 0
      ? ` ${formatCount(brokenCount, 'waits because its checks', 'wait because their checks')} broke down.`
      : '';
  return {
    type: 'stopped',
    reason: `${NOTHING_LEFT}${waiting}`,
  };
}
