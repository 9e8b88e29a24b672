// The whole flow on one screen: observe → index → analyse → prioritise → propose → verify → decide → apply → reload →
// record.

import { SelfwareError, describeError, throwIfCancelled } from '../util/typedError.ts';
import type { CycleEvent, ImproveRequest, ImproveSummary } from './session/cycleEvents.ts';
import { idsOf } from './ledger/opportunityIds.ts';
import { countsOf, type PassedOverBy } from './model/passedOver.ts';
import type { Analysis, Changes, Proposals, Verification } from './session.ts';
import type { Points, Proposal, Strength } from './model.ts';
import { counted } from '../util/counted.ts';
import type { Applied } from './session/apply/applied.ts';
import { joinableClaim } from './session/verify/joinable.ts';
import type { CheckedTogether } from './verify/checkedTogether.ts';
import type { ProposeOutcome } from './session/propose/requests.ts';

type Steps = {
  readonly analysis: Pick<Analysis, 'analyse' | 'score'>;
  readonly proposals: Pick<Proposals, 'propose' | 'askNext' | 'reasonToAsk' | 'decide'>;
  readonly verification: Pick<Verification, 'verify' | 'checkTogether'>;
  readonly changes: Pick<Changes, 'apply' | 'applyTogether'>;
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
    const members = await withOthers(steps, request, proposal, room(request, count), putOff);
    for (const [at, member] of members.entries()) {
      if (at > 0) report({ type: 'cycleStarted', cycle: ++cycle });
      count.proposed++;
      proposedFor.push(...idsOf(member.opportunity.id));
      report({ type: 'proposed', proposal: member });
    }
    count.cycles = cycle;

    const sets = members.length > 1 ? await steps.verification.checkTogether(members, request) : [];
    const verified: Proposal[] = [];
    for (const member of members) {
      const together = sets.find(({ proposals }) => proposals.includes(member.id));
      try {
        verified.push(await verifyOne(steps, member.id, request, together));
        breakdownsInARow = 0;
      } catch (error) {
        throwIfCancelled(request.signal);
        if (!isPassing(error) || request.opportunity || ++breakdownsInARow === MAX_BREAKDOWNS) throw error;
        brokeDown.add(member.id);
        report({ type: 'brokeDown', proposal: member, reason: describeError(error) });
      }
    }

    const settled = await settleAll(steps, verified, sets, request);
    for (const { outcome, proposal: judged } of settled) {
      for (const counted of COUNTED[outcome]) count[counted]++;
      if (judged.status === 'verified') strengths[judged.strength ?? 'unchecked']++;
      if (outcome === 'putOff') putOff.add(judged.id);
      if (outcome === 'shown') pointsAfter = judged.pointsAfter;
    }
    if (settled.some(({ outcome }) => COUNTED[outcome].includes('applied'))) pointsAfter = await steps.analysis.score();
    const ends = settled.some(({ outcome }) => outcome === 'shown' || outcome === 'paused');
    if (settled.length > 0 && (ends || request.opportunity)) break;
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
  { dryRun, maxChanges, once }: ImproveRequest,
  { cycles, applied }: Count,
): Promise<string | null> {
  if (once && applied > 0) return 'Changes were applied.';
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

function verifyOne(steps: Steps, id: string, request: ImproveRequest, together?: CheckedTogether): Promise<Proposal> {
  const shared = together === undefined ? {} : { together };
  return steps.verification.verify(id, request, { atOnce: request.atOnce ?? false, ...shared });
}

/** How many proposals the next round may have. */
function room({ together = 1, cycles, maxChanges, dryRun, opportunity }: ImproveRequest, count: Count): number {
  if (dryRun || opportunity !== undefined) return 1;
  return Math.min(together, cycles - count.cycles + 1, maxChanges - count.applied);
}

/** The proposal, and further ones with claims of the same kind in other files; together at most `most`. */
async function withOthers(
  steps: Steps,
  request: ImproveRequest,
  first: Proposal,
  most: number,
  putOff: ReadonlySet<string>,
): Promise<readonly Proposal[]> {
  const kind = joinableClaim(first);
  const members = [first];
  while (kind !== null && members.length < most) {
    const next = await anotherProposal(steps, request, members, putOff);
    if (next === null || joinableClaim(next) !== kind) break;
    members.push(next);
  }
  return members;
}

async function anotherProposal(
  steps: Steps,
  request: ImproveRequest,
  members: readonly Proposal[],
  putOff: ReadonlySet<string>,
): Promise<Proposal | null> {
  const without = new Set([...putOff, ...members.map(({ id }) => id)]);
  const besides = new Set(members.flatMap(({ edits }) => edits.map(({ path }) => path)));
  try {
    const { proposal, tried } = await steps.proposals.propose({ ...request, without, besides });
    for (const { refused, ...place } of tried)
      request.onEvent?.({ type: 'opportunityRefused', ...place, reason: refused });
    return proposal;
  } catch (error) {
    // A rate of the charter ends the run before the next round.
    if (error instanceof SelfwareError && error.reason === 'paused') return null;
    throw error;
  }
}

/** What became of a proposal, with its last verdicts. */
interface Settled {
  readonly proposal: Proposal;
  readonly outcome: Outcome;
}

/** A proposal that may be applied. */
interface Approved {
  readonly proposal: Proposal;
  readonly by: 'person' | 'charter';
  readonly hunks?: readonly number[];
}

/** Brings verified proposals to their end. Those that were checked together are applied together. */
async function settleAll(
  steps: Steps,
  proposals: readonly Proposal[],
  sets: readonly CheckedTogether[],
  request: ImproveRequest,
): Promise<readonly Settled[]> {
  const settled: Settled[] = [];
  const approved: Approved[] = [];
  for (const proposal of proposals) {
    const answer = await settle(steps, proposal, request);
    if (typeof answer === 'string') settled.push({ proposal, outcome: answer });
    else approved.push(answer);
  }
  const left = new Set(approved);
  for (const { proposals: ids } of sets) {
    const members = approved.filter(({ proposal, hunks }) => ids.includes(proposal.id) && hunks === undefined);
    for (const member of members) left.delete(member);
    if (members.length > 0) settled.push(...(await applyMembers(steps, members, request)));
  }
  for (const one of left) settled.push({ proposal: one.proposal, outcome: await applyOne(steps, one, request) });
  return settled;
}

/**
 * Applies proposals that were checked together. If they do not pass in the tree as it is now, without those that were
 * not approved, each is verified alone.
 */
async function applyMembers(
  steps: Steps,
  members: readonly Approved[],
  request: ImproveRequest,
): Promise<readonly Settled[]> {
  const results = await steps.changes.applyTogether(
    members.map(({ proposal, by }) => ({ proposal: proposal.id, by })),
    request,
  );
  if (results !== null)
    return members.map(({ proposal }, at) => {
      const result = results[at];
      // After an error, the others keep waiting.
      if (!result) return { proposal, outcome: 'passedOver' };
      return {
        proposal,
        outcome: 'error' in result ? outcomeOfError(result.error, proposal, request) : toldApplied(result, request),
      };
    });
  const settled: Settled[] = [];
  for (const { proposal } of members) {
    const alone = await verifyOne(steps, proposal.id, request);
    settled.push(...(await settleAll(steps, [alone], [], request)));
  }
  return settled;
}

/** Decides about a verified proposal. Returns its outcome, unless it is to be applied. */
async function settle(steps: Steps, proposal: Proposal, request: ImproveRequest): Promise<Outcome | Approved> {
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
  return request.dryRun ? 'shown' : decide(steps, proposal, request);
}

async function decide(steps: Steps, proposal: Proposal, request: ImproveRequest): Promise<'passedOver' | Approved> {
  const report = request.onEvent ?? (() => {});
  const why = await steps.proposals.reasonToAsk(proposal.id);
  const answer =
    why === null
      ? { verdict: 'approved' as const, by: 'charter' as const, reason: null }
      : await request.decide(proposal, why);
  const { by = 'person' } = answer;
  report({ type: 'decided', proposal: proposal.id, verdict: answer.verdict, by, reason: answer.reason });
  if (answer.verdict === 'approved')
    return { proposal, by, ...('hunks' in answer && answer.hunks ? { hunks: answer.hunks } : {}) };
  await steps.proposals.decide({ proposal: proposal.id, verdict: answer.verdict, by, reason: answer.reason });
  return 'passedOver';
}

async function applyOne(steps: Steps, { proposal, by, hunks }: Approved, request: ImproveRequest): Promise<Outcome> {
  try {
    const chosen = hunks === undefined ? {} : { hunks };
    return toldApplied(await steps.changes.apply({ ...request, proposal: proposal.id, by, ...chosen }), request);
  } catch (error) {
    return outcomeOfError(error, proposal, request);
  }
}

/** The outcome of an applied proposal, which is reported. */
function toldApplied({ proposal, checkpoint }: Applied, request: ImproveRequest): Outcome {
  request.onEvent?.({ type: 'applied', proposal, checkpoint });
  return proposal.status === 'applied' ? 'inProbation' : proposal.status === 'kept' ? 'kept' : 'rolledBack';
}

/** The outcome of a proposal that could not be applied. Throws an error that another proposal would meet, too. */
function outcomeOfError(error: unknown, proposal: Proposal, request: ImproveRequest): Outcome {
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
