// The whole flow on one screen: observe → index → analyse → prioritise → propose → verify → decide → apply → reload →
// record.

import { SelfwareError, describeError, throwIfCancelled } from '../util/typedError.ts';
import type { CycleEvent, ImproveRequest, ImproveSummary } from './session/cycleEvents.ts';
import { idsOf } from './ledger/opportunityIds.ts';
import { countsOf, type PassedOverBy } from './model/passedOver.ts';
import type { Analysis, Changes, Proposals, Verification } from './session.ts';
import type { Points, Proposal, Strength } from './model.ts';
import { counted } from '../util/counted.ts';
import type { ProposeOutcome } from './session/propose/requests.ts';

type Steps = {
  readonly analysis: Pick<Analysis, 'analyse' | 'score'>;
  readonly proposals: Pick<Proposals, 'propose' | 'askNext' | 'reasonToAsk' | 'decide'>;
  readonly verification: Pick<Verification, 'verify'>;
  readonly changes: Pick<Changes, 'apply'>;
  isStopped(): Promise<boolean>;
};

/** Number of broken verifications in a row after which the proposals are not the cause. */
const MAX_BREAKDOWNS = 3;
/**
 * Reasons of errors that may not occur with another proposal. Any other error (no disk, no repository) would occur
 * again.
 */
const PASSING: ReadonlySet<string> = new Set(['internal', 'timedOut', 'unavailable']);

type Count = Omit<ImproveSummary, 'strengths' | 'passedOver' | 'pointsBefore' | 'pointsAfter' | 'seconds'>;

/** The result for a proposal after its gates; `shown`: a dry run, so nothing is applied. */
type Outcome = 'putOff' | 'refused' | 'shown' | 'passedOver' | 'paused' | 'inProbation' | 'kept' | 'rolledBack';

const COUNTED: Readonly<Record<Outcome, readonly (keyof Count)[]>> = {
  putOff: ['putOff'],
  refused: ['refused'],
  shown: ['verified'],
  passedOver: ['verified'],
  paused: ['verified'],
  inProbation: ['verified', 'applied'],
  kept: ['verified', 'applied', 'kept'],
  rolledBack: ['verified', 'applied', 'rolledBack'],
};

/**
 * Runs up to `request.cycles` cycles. A cycle without a proposal ends the run, unless more places are left to try.
 * `apply` itself rolls back a change whose tree scores lower than its claim allows.
 */
export async function improve(steps: Steps, now: () => number, request: ImproveRequest): Promise<ImproveSummary> {
  const startedAt = now();
  const report = request.onEvent ?? (() => {});
  const count = { cycles: 0, proposed: 0, verified: 0, refused: 0, putOff: 0, applied: 0, kept: 0, rolledBack: 0 };
  const strengths: Record<Strength, number> = { proven: 0, tested: 0, checked: 0, unchecked: 0 };
  let pointsBefore: Points | null = null;
  let pointsAfter: Points | null = null;
  const proposedFor: string[] = [];
  const passedOver = new Map<string, PassedOverBy>();
  const brokeDown = new Set<string>();
  const putOff = new Set<string>();
  let breakdownsInARow = 0;

  for (let cycle = 1; cycle <= request.cycles; cycle++) {
    throwIfCancelled(request.signal);
    const end = await reasonToEnd(steps, request, count);
    if (end !== null) {
      report({ type: 'stopped', reason: end });
      break;
    }
    count.cycles = cycle;
    report({ type: 'cycleStarted', cycle });

    await steps.analysis.analyse(request);
    pointsAfter = await steps.analysis.score();
    pointsBefore ??= pointsAfter;

    const planned = await nextProposal(steps, request, putOff);
    const { proposal, more = false } = planned;
    for (const { opportunity, by } of planned.passedOver) passedOver.set(opportunity, by);
    planned.tried.forEach(({ refused, ...place }) => report({ type: 'opportunityRefused', ...place, reason: refused }));
    // The refusals of recipes are remembered, so the next cycle tries other places.
    if (!proposal && more && cycle < request.cycles) continue;
    // A proposal that broke down before is offered last, so no other one is left.
    if (!proposal || brokeDown.has(proposal.id)) {
      report(whyItEnds(request, planned, brokeDown.size));
      break;
    }
    count.proposed++;
    proposedFor.push(...idsOf(proposal.opportunity.id));
    report({ type: 'proposed', proposal });

    let verified: Proposal;
    try {
      verified = await steps.verification.verify(proposal.id, request, { atOnce: request.atOnce ?? false });
      breakdownsInARow = 0;
    } catch (error) {
      throwIfCancelled(request.signal);
      if (!isPassing(error) || request.opportunity || ++breakdownsInARow === MAX_BREAKDOWNS) throw error;
      brokeDown.add(proposal.id);
      report({ type: 'brokeDown', proposal, reason: describeError(error) });
      continue;
    }

    const outcome = await settle(steps, verified, request);
    for (const counted of COUNTED[outcome]) count[counted]++;
    if (verified.status === 'verified') strengths[verified.strength ?? 'unchecked']++;
    if (outcome === 'putOff') putOff.add(proposal.id);
    if (COUNTED[outcome].includes('applied')) pointsAfter = await steps.analysis.score();
    if (outcome === 'shown') pointsAfter = verified.pointsAfter;
    if (outcome === 'shown' || outcome === 'paused' || request.opportunity) break;
  }
  // The outcomes of these proposals are already counted.
  for (const id of proposedFor) passedOver.delete(id);
  return {
    ...count,
    strengths,
    passedOver: countsOf(passedOver.values()),
    pointsBefore,
    pointsAfter,
    seconds: (now() - startedAt) / 1000,
  };
}

/** The planned proposal. `paused`: a rate of the charter or a budget ends the run, and waiting work keeps waiting. */
type Planned = ProposeOutcome & { readonly paused?: CycleEvent };

async function nextProposal(steps: Steps, request: ImproveRequest, putOff: ReadonlySet<string>): Promise<Planned> {
  try {
    const planned = await steps.proposals.propose({ ...request, without: putOff });
    return planned.proposal || planned.more ? planned : await askProposer(steps, request, planned);
  } catch (error) {
    if (!(error instanceof SelfwareError && error.reason === 'paused')) throw error;
    return { proposal: null, tried: [], passedOver: [], paused: { type: 'stopped', reason: describeError(error) } };
  }
}

/** Asks a proposer if recipes have nothing to propose. */
async function askProposer(steps: Steps, request: ImproveRequest, planned: Planned): Promise<Planned> {
  const { proposer, opportunity } = request;
  if (proposer === undefined || opportunity !== undefined) return planned;
  const { proposal, tried, more, ended } = await steps.proposals.askNext({ ...request, proposer });
  return {
    ...planned,
    proposal,
    tried: [...planned.tried, ...tried],
    ...(more ? { more } : {}),
    ...(ended === null ? {} : { paused: { type: 'stopped', reason: ended } }),
  };
}

/** Why no further cycle may begin; null if one may. Throws `forbidden` if not even the first one may. */
async function reasonToEnd(
  steps: Steps,
  { dryRun, maxChanges }: ImproveRequest,
  { cycles, applied }: Count,
): Promise<string | null> {
  // Another process may have used the kill switch in the meantime.
  if (await steps.isStopped()) {
    if (cycles > 0) return 'Selfware was stopped for this repository.';
    throw new SelfwareError('forbidden', 'Selfware is stopped for this repository.', {
      action: 'Run `selfware resume` first.',
    });
  }
  return !dryRun && applied >= maxChanges ? 'The charter allows no more changes in this session.' : null;
}

function whyItEnds(
  request: ImproveRequest,
  { paused, more, tried, passedOver }: Planned,
  brokeDown: number,
): CycleEvent {
  if (paused) return paused;
  if (more)
    return {
      type: 'stopped',
      reason: `${counted(tried.length, 'place')} gave no change. The next run tries the others.`,
    };
  const asked = request.opportunity === undefined ? undefined : passedOver.at(-1);
  if (asked) return { type: 'stopped', reason: asked.reason, passedOver: asked };
  const waiting =
    brokeDown > 0 ? ` ${counted(brokeDown, 'waits because its checks', 'wait because their checks')} broke down.` : '';
  return {
    type: 'stopped',
    reason: `Nothing is left to try: what was found needs a person, or was tried before.${waiting}`,
  };
}

function isPassing(error: unknown): boolean {
  return !(error instanceof SelfwareError) || PASSING.has(error.reason);
}

/** Brings a verified proposal to its end, and returns the outcome. */
async function settle(steps: Steps, proposal: Proposal, request: ImproveRequest): Promise<Outcome> {
  const report = request.onEvent ?? (() => {});
  if (proposal.status === 'deferred') {
    report({ type: 'putOff', proposal, reason: proposal.reason ?? '' });
    return 'putOff';
  }
  if (proposal.status !== 'verified') {
    report({ type: 'refused', proposal });
    return 'refused';
  }
  report({ type: 'verified', proposal });
  return request.dryRun ? 'shown' : decideAndApply(steps, proposal, request);
}

async function decideAndApply(
  steps: Steps,
  proposal: Proposal,
  request: ImproveRequest,
): Promise<Extract<Outcome, 'inProbation' | 'kept' | 'rolledBack' | 'passedOver' | 'paused'>> {
  const report = request.onEvent ?? (() => {});
  const why = await steps.proposals.reasonToAsk(proposal.id);
  const answer =
    why === null
      ? { verdict: 'approved' as const, by: 'charter' as const, reason: null }
      : await request.decide(proposal, why);
  const { by = 'person' } = answer;
  report({ type: 'decided', proposal: proposal.id, verdict: answer.verdict, by, reason: answer.reason });
  if (answer.verdict !== 'approved') {
    await steps.proposals.decide({ proposal: proposal.id, verdict: answer.verdict, by, reason: answer.reason });
    return 'passedOver';
  }
  try {
    const hunks = 'hunks' in answer && answer.hunks ? { hunks: answer.hunks } : {};
    const applied = await steps.changes.apply({ ...request, proposal: proposal.id, by, ...hunks });
    report({ type: 'applied', proposal: applied.proposal, checkpoint: applied.checkpoint });
    const { status } = applied.proposal;
    return status === 'applied' ? 'inProbation' : status === 'kept' ? 'kept' : 'rolledBack';
  } catch (error) {
    if (error instanceof SelfwareError && error.reason === 'stale') {
      report({
        type: 'opportunityRefused',
        opportunity: proposal.opportunity.id,
        rule: proposal.opportunity.rule,
        path: proposal.opportunity.path,
        reason: `${error.message} It will be planned again.`,
      });
      return 'passedOver';
    }
    if (error instanceof SelfwareError && error.reason === 'paused') {
      report({ type: 'stopped', reason: describeError(error) });
      return 'paused';
    }
    throw error;
  }
}
