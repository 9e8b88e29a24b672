// A round of a run: one proposal, or several that are checked together, and their verification.

import { SelfwareError, describeError, throwIfCancelled } from '../../../util/typedError.ts';
import type { Proposal } from '../../model.ts';
import type { CheckedTogether } from '../../verify/checkedTogether.ts';
import type { ImproveRequest } from '../cycleEvents.ts';
import { joinableClaim } from '../verify/joinable.ts';
import type { Steps } from './steps.ts';

/** Number of broken verifications in a row after which the proposals are not the cause. */
const MAX_BREAKDOWNS = 3;
/**
 * Reasons of errors that may not occur with another proposal. Any other error (no disk, no repository) would occur
 * again.
 */
const TRANSIENT_REASONS: ReadonlySet<string> = new Set(['internal', 'timedOut', 'unavailable']);

/** The verifications that broke down in a run for reasons outside their proposals. `inARow`: the latest ones. */
export interface Breakdowns {
  readonly proposals: Set<string>;
  inARow: number;
}

/** How many proposals the next round may have. */
export function roomFor(
  { together = 1, cycles, maxChanges, dryRun, opportunity }: ImproveRequest,
  count: { readonly cycles: number; readonly applied: number },
): number {
  if (dryRun || opportunity !== undefined) return 1;
  return Math.min(together, cycles - count.cycles + 1, maxChanges - count.applied);
}

/** The proposal, and further ones with claims of the same kind in other files; together at most `most`. */
export async function withOthers(
  steps: Steps,
  request: ImproveRequest,
  first: Proposal,
  most: number,
  deferred: ReadonlySet<string>,
): Promise<readonly Proposal[]> {
  const kind = joinableClaim(first);
  const members = [first];
  while (kind !== null && members.length < most) {
    const next = await anotherProposal(steps, request, members, deferred);
    if (next === null || joinableClaim(next) !== kind) break;
    members.push(next);
  }
  return members;
}

async function anotherProposal(
  steps: Steps,
  request: ImproveRequest,
  members: readonly Proposal[],
  deferred: ReadonlySet<string>,
): Promise<Proposal | null> {
  const without = new Set([...deferred, ...members.map(({ id }) => id)]);
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

/** The members after their verification, without those whose verification broke down. */
export async function verifyMembers(
  steps: Steps,
  members: readonly Proposal[],
  sets: readonly CheckedTogether[],
  request: ImproveRequest,
  breakdowns: Breakdowns,
): Promise<readonly Proposal[]> {
  const verified: Proposal[] = [];
  for (const member of members) {
    const together = sets.find(({ proposals }) => proposals.includes(member.id));
    try {
      verified.push(await verifyOne(steps, member.id, request, together));
      breakdowns.inARow = 0;
    } catch (error) {
      throwIfCancelled(request.signal);
      if (!isTransient(error) || request.opportunity || ++breakdowns.inARow === MAX_BREAKDOWNS) throw error;
      breakdowns.proposals.add(member.id);
      request.onEvent?.({ type: 'brokeDown', proposal: member, reason: describeError(error) });
    }
  }
  return verified;
}

function verifyOne(steps: Steps, id: string, request: ImproveRequest, together?: CheckedTogether): Promise<Proposal> {
  const shared = together === undefined ? {} : { together };
  return steps.verification.verify(id, request, { atOnce: request.atOnce ?? false, ...shared });
}

function isTransient(error: unknown): boolean {
  return !(error instanceof SelfwareError) || TRANSIENT_REASONS.has(error.reason);
}
