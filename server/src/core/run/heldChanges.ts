// Finds the changes of a night that are held for a person, because a proposer has “solved” a task that cannot be
// solved.

import { authorOf } from '../model/authors.ts';
import type { Millis, Proposal } from '../model.ts';
import type { CommittedChange, Night, NightOrder } from './nightTypes.ts';

/**
 * True if the changes of this run are held: a proposer has “solved” a task that cannot be solved, in this run or in
 * another run of the same order.
 */
export function isHeld({ heldOrders, runs }: Pick<Night, 'heldOrders' | 'runs'>, runId: string): boolean {
  const since = runs.find(({ id }) => id === runId)?.since;
  return heldOrders.some((order) => order.since === since);
}

/**
 * True for a proposal that no recipe made, if it was made during an order in which a proposer has “solved” a task that
 * cannot be solved.
 */
export function isOfHeldOrder(
  { heldOrders }: Pick<Night, 'heldOrders'>,
  proposal: Pick<Proposal, 'author' | 'recipe' | 'createdAt'>,
): boolean {
  return authorOf(proposal) !== 'recipe' && heldOrders.some((order) => isDuring(order, proposal.createdAt));
}

/** The changes that wait for a person, whether or not they are still on the branch. */
export function findHeldChanges(
  night: Pick<Night, 'heldOrders' | 'runs' | 'changes' | 'parked'>,
): readonly CommittedChange[] {
  return [...findHeldChangesOnBranch(night), ...night.parked];
}

/**
 * The changes on the branch that wait for a person: a proposer has “solved” a task that cannot be solved during the
 * order that committed or proposed the change.
 */
export function findHeldChangesOnBranch(
  night: Pick<Night, 'heldOrders' | 'runs' | 'changes'>,
): readonly CommittedChange[] {
  return night.changes.filter(
    ({ run, author, proposedAt: proposedTime }) =>
      author !== 'recipe' &&
      (isHeld(night, run) ||
        (proposedTime !== undefined && night.heldOrders.some((order) => isDuring(order, proposedTime)))),
  );
}

function isDuring({ since, until }: NightOrder, time: Millis): boolean {
  return time >= since && (until === null || time < until);
}
