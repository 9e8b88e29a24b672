// Takes changes that wait for a person off the branch of a night, so that merging the branch does not take them. Their
// commits stay under refs of their own, and their proposals can be accepted.

import { createGitRunner } from '../../adapters/git/runGit.ts';
import { heldOnBranch, type CommittedChange, type Night } from '../../core/run/nights.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { BegunRun } from './beginRun.ts';
import { moveNight } from './moveNight.ts';
import { nightOn, type NightContext } from './night.ts';

const PARKED = 'refs/selfware/held/';

/** The held changes that can be taken off: none if the branch is checked out, was pushed, or was moved by somebody. */
export async function parkable(
  { branch, repository }: NightContext,
  { branch: name }: Pick<BegunRun, 'branch'>,
): Promise<readonly CommittedChange[]> {
  const night = await nightOn(repository.ledger, name);
  const held = heldOnBranch(night);
  if (held.length === 0 || (await branch.tip(name)) !== night.changes.at(-1)?.commit) return [];
  const { checkedOut, pushed } = await branch.isHeld(name);
  return checkedOut || pushed ? [] : held;
}

/**
 * Parks all held changes, judges the others again, and checks the branch out again in the tree of the run. Call it while
 * no session is open there. If somebody moves the branch meanwhile, everything stays as it is.
 */
export async function parkHeld(context: NightContext, begun: Pick<BegunRun, 'branch'>): Promise<void> {
  const { branch, places, repository, request } = context;
  const held = await parkable(context, begun);
  if (held.length === 0 || request.signal.aborted) return;
  const night = await nightOn(repository.ledger, begun.branch);
  const git = createGitRunner(branch.top);
  for (const change of held) await git.text(['update-ref', refOf(night, change.proposal), change.commit]);
  try {
    const without = new Set(held.map(({ proposal }) => proposal));
    await moveNight(context, night, { onto: night.base, without, parks: true });
  } catch (error) {
    if (error instanceof SelfwareError && (error.reason === 'stale' || error.reason === 'forbidden')) return;
    throw error;
  }
  const tip = (await branch.tip(night.branch)) ?? night.base;
  await branch.checkOut(places.tree, night.branch, tip, request.signal);
}

/** Removes the refs of parked changes that a person does not want. */
export async function forgetParked(
  { branch }: Pick<NightContext, 'branch'>,
  night: Night,
  proposals: ReadonlySet<string>,
): Promise<void> {
  const git = createGitRunner(branch.top);
  for (const { proposal } of night.parked)
    if (proposals.has(proposal)) await git.text(['update-ref', '-d', refOf(night, proposal)]);
}

function refOf({ branch }: Pick<Night, 'branch'>, proposal: string): string {
  return `${PARKED}${branch}/${proposal}`;
}
