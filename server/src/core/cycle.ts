// One screen that shows the whole flow: observe → index → analyse → prioritise → propose → verify → decide → apply →
// reload → record.

import { SelfwareError, describeError, throwIfCancelled } from '../util/typedError.ts';
import type { ImproveRequest, ImproveSummary } from './session/cycleEvents.ts';
import { idsOf } from './ledger/opportunityIds.ts';
import { countsOf, type PassedOverBy } from './model/passedOver.ts';
import type { Session } from './session.ts';
import type { Points, Proposal, Strength } from './model.ts';

type Steps = Pick<Session, 'analyse' | 'score' | 'propose' | 'verify' | 'reasonToAsk' | 'decide' | 'apply'> & {
  isStopped(): Promise<boolean>;
};

/** So many verifications in a row that break down are not the proposals' fault. */
const MOST_BREAKDOWNS = 3;
/** Trouble of ours that another proposal need not have. Anything else (no disk, no repository) would be met again. */
const PASSING: ReadonlySet<string> = new Set(['internal', 'timedOut', 'unavailable']);

/**
 * Runs up to `request.cycles` cycles. A cycle without a proposal ends the run: nothing is left that a recipe can do.
 * `apply` itself takes a change back whose tree scores lower than before (the score never goes down).
 */
export async function improve(steps: Steps, now: () => number, request: ImproveRequest): Promise<ImproveSummary> {
  const startedAt = now();
  const say = request.onEvent ?? (() => {});
  const count = { cycles: 0, proposed: 0, verified: 0, refused: 0, putOff: 0, applied: 0, kept: 0, rolledBack: 0 };
  const strengths: Record<Strength, number> = { proven: 0, tested: 0, checked: 0, unchecked: 0 };
  let pointsBefore: Points | null = null;
  let pointsAfter: Points | null = null;
  const made: string[] = [];
  const passed = new Map<string, PassedOverBy>();
  const brokeDown = new Set<string>();
  const without = new Set<string>();
  let inARow = 0;

  for (let cycle = 1; cycle <= request.cycles; cycle++) {
    throwIfCancelled(request.signal);
    // Another process may have pulled the switch in the meantime.
    if (await steps.isStopped()) {
      if (cycle === 1)
        throw new SelfwareError('forbidden', 'Selfware is stopped for this repository.', {
          action: 'Run `selfware resume` first.',
        });
      say({ type: 'stopped', reason: 'Selfware was stopped for this repository.' });
      break;
    }
    if (!request.dryRun && count.applied >= request.maxChanges) {
      say({ type: 'stopped', reason: 'The charter allows no more changes in this session.' });
      break;
    }
    count.cycles = cycle;
    say({ type: 'cycleStarted', cycle });

    await steps.analyse(request);
    const before = await steps.score();
    pointsBefore ??= before;
    pointsAfter = before;

    const { proposal, tried, passedOver } = await steps.propose({ ...request, without });
    for (const { opportunity, by } of passedOver) passed.set(opportunity, by);
    for (const attempt of tried)
      say({ type: 'opportunityRefused', opportunity: attempt.opportunity, reason: attempt.refused });
    // One that broke down before comes last.
    if (!proposal || brokeDown.has(proposal.id)) {
      const asked = request.opportunity === undefined ? undefined : passedOver.at(-1);
      const waiting = brokeDown.size > 0 ? ` ${brokeDown.size} wait because their verification broke down.` : '';
      say(
        asked
          ? { type: 'stopped', reason: asked.reason, passedOver: asked }
          : { type: 'stopped', reason: `No opportunity is left that a recipe can realise.${waiting}` },
      );
      break;
    }
    count.proposed++;
    made.push(...idsOf(proposal.opportunity.id));
    say({ type: 'proposed', proposal });

    let verified: Proposal;
    try {
      verified = await steps.verify(proposal.id, request);
      inARow = 0;
    } catch (error) {
      throwIfCancelled(request.signal);
      const passes = !(error instanceof SelfwareError) || PASSING.has(error.reason);
      if (!passes || request.opportunity || ++inARow === MOST_BREAKDOWNS) throw error;
      brokeDown.add(proposal.id);
      say({ type: 'brokeDown', proposal, reason: describeError(error) });
      continue;
    }
    if (verified.status === 'deferred') {
      count.putOff++;
      without.add(proposal.id);
      say({ type: 'putOff', proposal: verified, reason: verified.reason ?? '' });
      if (request.opportunity) break;
      continue;
    }
    if (verified.status !== 'verified') {
      count.refused++;
      say({ type: 'refused', proposal: verified });
      if (request.opportunity) break;
      continue;
    }
    count.verified++;
    strengths[verified.strength ?? 'unchecked']++;
    say({ type: 'verified', proposal: verified });
    if (request.dryRun) {
      pointsAfter = verified.pointsAfter;
      break;
    }

    const outcome = await decideAndApply(steps, verified, request);
    if (outcome !== 'passed over') {
      count.applied++;
      if (outcome === 'kept') count.kept++;
      else count.rolledBack++;
      pointsAfter = await steps.score();
    }
    if (request.opportunity) break;
  }
  // What became of them is counted already.
  for (const id of made) passed.delete(id);
  return {
    ...count,
    strengths,
    passedOver: countsOf(passed.values()),
    pointsBefore,
    pointsAfter,
    seconds: (now() - startedAt) / 1000,
  };
}

async function decideAndApply(
  steps: Steps,
  proposal: Proposal,
  request: ImproveRequest,
): Promise<'kept' | 'rolled back' | 'passed over'> {
  const say = request.onEvent ?? (() => {});
  const why = await steps.reasonToAsk(proposal.id);
  const answer =
    why === null
      ? { verdict: 'approved' as const, by: 'charter' as const, reason: null }
      : await request.decide(proposal, why);
  const { by = 'person' } = answer;
  say({ type: 'decided', proposal: proposal.id, verdict: answer.verdict, by, reason: answer.reason });
  if (answer.verdict !== 'approved') {
    await steps.decide({ proposal: proposal.id, verdict: answer.verdict, by, reason: answer.reason });
    return 'passed over';
  }
  try {
    const hunks = 'hunks' in answer && answer.hunks ? { hunks: answer.hunks } : {};
    const applied = await steps.apply({ ...request, proposal: proposal.id, by, ...hunks });
    say({ type: 'applied', proposal: applied.proposal, checkpoint: applied.checkpoint });
    return applied.proposal.status === 'kept' ? 'kept' : 'rolled back';
  } catch (error) {
    if (error instanceof SelfwareError && error.reason === 'stale') {
      say({
        type: 'opportunityRefused',
        opportunity: proposal.opportunity.id,
        reason: `${error.message} It is planned again.`,
      });
      return 'passed over';
    }
    throw error;
  }
}
