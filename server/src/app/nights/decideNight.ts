// Carries out a person's decision on the branch of a night: take changes into the working tree, take changes off the
// branch, drop the whole branch, make it one commit, or open a pull request for it.

import { commitTree, openNightBranch } from '../../adapters/git/nightBranch.ts';
import { openPullRequest } from '../../adapters/git/pullRequest.ts';
import { createGitRunner } from '../../adapters/git/runGit.ts';
import { DROPPED_REASON } from '../../core/ledger/ownReasons.ts';
import type { RecordedEvent } from '../../core/ledger/events.ts';
import { proposalIdOf } from '../../core/ledger/events.ts';
import { importEvents } from '../../core/ledger/importing.ts';
import { nightHeadline, renderNightReport } from '../../core/run/report/nightReport.ts';
import { findHeldChanges, findHeldChangesOnBranch } from '../../core/run/heldChanges.ts';
import { findNight, findProposalsForPerson, listNumberedChanges } from '../../core/run/nightQueries.ts';
import type { Night } from '../../core/run/nightTypes.ts';
import { determineStrength } from '../../core/verify/strength.ts';
import { formatCount } from '../../util/counted.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { openLedger, type OpenLedger } from './sharedKnowledge.ts';
import {
  computeNightAfterSquash,
  forgetDecided,
  forgetParked,
  moveNight,
  squashLines,
  type MoveResult,
} from './moveNight.ts';
import { withOpenNight, type NightDecisionRequest, type OpenedNight } from './openEndedNight.ts';
import { findSettled, loadNights, type NightContext, type NightRequest, listDecidableIds } from './night.ts';
import { readNights } from './readNights.ts';
import { readSpending } from './reportNight.ts';
import { resolveNightFolders } from './nightFolders.ts';

/**
 * The steps of a proposal up to its verification. Only these are imported; decisions of the run itself stay in its
 * ledger.
 */
const UNTIL_VERIFIED: ReadonlySet<RecordedEvent['type']> = new Set([
  'proposed',
  'verifying',
  'interrupted',
  'deferred',
  'verified',
]);

/**
 * Files the changes as verified proposals of the user's working tree, in order; a person applies them there like all
 * others. Returns their ids, and the titles of held changes, which have to be named one by one. Throws `notFound` for a
 * change that is not on the branch or whose evidence is lost, and `locked` while a run is in progress.
 */
export async function fileChanges(request: NightDecisionRequest, branch: string | null, changes: readonly string[]) {
  return withOpenNight(request, branch, async ({ context, night, otherBranch, ledgerOfRun }) => {
    const heldChanges = changes.length === 0 ? findHeldChanges(night) : [];
    const chosenIds = findNamedChanges(night, changes, otherBranch).filter(
      (id) => !heldChanges.some(({ proposal }) => proposal === id),
    );
    const settledIds = await findSettled(context.repository.ledger);
    const undecidedChanges = heldChanges.filter(({ proposal }) => !settledIds.has(proposal));
    await importSteps(ledgerOfRun, context.repository, new Set(chosenIds));
    await refuseLost(context, night, chosenIds, changes.length === 0 && heldChanges.length === 0);
    return { night: night.branch, changes: chosenIds, held: undecidedChanges.map(({ title }) => title) };
  });
}

/** Records that the whole night was taken, so that the next one begins a new branch. */
export async function recordAccepted(request: NightDecisionRequest, branch: string): Promise<void> {
  await withOpenNight(request, branch, async ({ context }) => {
    const data = { night: branch, verdict: 'accepted', changes: null } as const;
    await context.repository.ledger.record({ type: 'nightDecided', data });
  });
}

/**
 * Removes the data of decided changes (`forgetAccepted`). Records that the night was taken if a person has decided on
 * all its changes. Throws the errors of `recordAccepted`, after the data was removed.
 */
export async function settleNight(request: NightDecisionRequest, branch: string): Promise<void> {
  await forgetAccepted(request);
  if (await isFullyDecided(request, branch)) await recordAccepted(request, branch);
}

/** True if every change of the night, and every proposal on which only a person may decide, is decided. */
async function isFullyDecided({ rootDir, env, log }: NightDecisionRequest, branch: string): Promise<boolean> {
  const { ledger, close } = await openLedger(resolveNightFolders(rootDir, env).state, log);
  try {
    const night = (await loadNights(ledger)).find((candidate) => candidate.branch === branch);
    if (!night) return false;
    const settledIds = await findSettled(ledger);
    return listDecidableIds(night).every((id) => settledIds.has(id));
  } finally {
    await close();
  }
}

/** Removes the refs and texts of parked changes that were applied or rejected. A run may be in progress. */
export async function forgetAccepted({ rootDir, env, log }: NightDecisionRequest): Promise<void> {
  const { state, scratch } = resolveNightFolders(rootDir, env);
  const repository = await openLedger(state, log);
  try {
    await forgetDecided({ branch: await openNightBranch(rootDir, scratch, log), repository });
  } finally {
    await repository.close();
  }
}

/**
 * Takes changes out of the branch and judges the others again. Without `changes`, deletes the branch and drops
 * everything that waits for a decision, including proposals that were never committed. What is dropped counts as
 * rejected by a person, so it is not proposed again. `dropped`: the proposals that the person has chosen. Throws the
 * errors of `fileChanges`, and `stale` or `forbidden` if the branch is not where the run left it.
 */
export async function dropChanges(
  request: NightDecisionRequest,
  branch: string | null,
  changes: readonly string[],
  reason: string | null,
): Promise<MoveResult & { readonly night: string; readonly dropped: readonly string[] }> {
  return withOpenNight(request, branch, async (morning) => {
    const { context, night, otherBranch } = morning;
    const chosenIds = findNamedChanges(night, changes.length === 0 ? listDecidableIds(night) : changes, otherBranch);
    const ids = new Set(chosenIds);
    const commits = changes.length === 0 ? [] : night.changes.map(({ proposal, commit }) => ({ proposal, commit }));
    let moveResult: MoveResult = {
      commits,
      left: chosenIds.map((proposal) => ({ proposal, reason: 'It was dropped.' })),
    };
    if (changes.length === 0) {
      const tip = await context.branch.tip(night.branch);
      await refuseForeign(context, night, tip, false);
      if (tip !== null) await context.branch.remove(night.branch, tip);
    } else if (night.changes.some(({ proposal }) => ids.has(proposal))) {
      await refuseForeign(context, night, await context.branch.tip(night.branch), true);
      // If this process dies, a change with such a ref would count as parked.
      await forgetParked(
        context,
        night.branch,
        night.changes.map(({ proposal }) => proposal).filter((id) => ids.has(id)),
      );
      moveResult = await moveNight(context, night, { onto: night.base, without: ids });
    }
    await reject(morning, chosenIds, reason);
    await forgetParked(context, night.branch, [...ids]);
    const dropped = [...ids];
    await context.repository.ledger.record({
      type: 'nightDecided',
      data: { night: night.branch, verdict: 'dropped', changes: changes.length === 0 ? null : dropped },
    });
    return { ...moveResult, night: night.branch, dropped };
  });
}

/**
 * Replaces the commits of the branch by one commit with the same files, and returns that commit. Throws the errors of
 * `dropChanges`.
 */
export async function squashNight(request: NightDecisionRequest, branch: string | null): Promise<string> {
  return withOpenNight(request, branch, async ({ context, night, otherBranch }) => {
    const { places } = context;
    const tip = await context.branch.tip(night.branch);
    await refuseForeign(context, night, tip, true);
    refuseHeld(night);
    if (tip === null || night.changes.length === 0) throw createNothingThereError(night, otherBranch);
    await context.branch.checkOut(places.replay, night.branch, night.base, context.request.signal);
    const trailers = night.changes.map(({ proposal }) => `Selfware-Proposal: ${proposal}`);
    const paragraphs = [
      nightHeadline({ ...night, state: 'stopped' }),
      squashLines(night).join('\n'),
      trailers.join('\n'),
    ];
    const message = `${paragraphs.join('\n\n')}\n`;
    const commit = await commitTree(places.replay, tip, night.base, message);
    await createGitRunner(places.replay).text(['update-ref', `refs/heads/${night.branch}`, commit]);
    await context.branch.publish(places.replay, night.branch, tip, context.request.signal);
    const data = { night: night.branch, verdict: 'squashed', changes: null, commit } as const;
    await context.repository.ledger.record({ type: 'nightDecided', data });
    return commit;
  });
}

/**
 * The night on this branch, or the newest one, if a pull request may be opened for it. Throws `notFound` if it has no
 * change or was dropped, `stale` if somebody has changed the branch, and `forbidden` if it holds changes of a proposer
 * that is not trusted.
 */
export async function findNightToPush(
  rootDir: string,
  branch: string | null,
  env: NightRequest['env'],
  log: NightRequest['log'],
): Promise<Night> {
  const nights = await readNights(rootDir, env, log);
  const night = findNight(nights, branch);
  if (!night || night.changes.length === 0)
    throw new SelfwareError('notFound', 'There is no night with a change.', { action: 'Run `selfware report --all`.' });
  refuseHeld(night);
  const { scratch } = resolveNightFolders(rootDir, env);
  const tip = await (await openNightBranch(rootDir, scratch, log)).tip(night.branch);
  if (night.decided === 'dropped' || tip === null)
    throw new SelfwareError('notFound', `${night.branch} was dropped or deleted, so there is nothing to push.`);
  if (tip !== night.changes.at(-1)!.commit && tip !== night.squashedTo)
    throw new SelfwareError('stale', `${night.branch} was changed since, so its report no longer describes it.`, {
      action: 'Push it with git.',
    });
  return night;
}

/**
 * Pushes the branch and opens the pull request. Returns its address. Throws the errors of `findNightToPush` and of
 * `openPullRequest`.
 */
export async function openPullRequestOfNight(
  rootDir: string,
  branch: string | null,
  env: NightRequest['env'],
  log: NightRequest['log'],
  signal: AbortSignal,
): Promise<string> {
  const night = await findNightToPush(rootDir, branch, env, log);
  const spent = await readSpending({ rootDir, env, log }, night);
  const body = renderNightReport(night, new Map(), { isForOthers: true, spent });
  return openPullRequest(rootDir, { branch: night.branch, title: nightHeadline(night), body }, env, signal);
}

/** Throws `forbidden` if the branch contains changes of a proposer that has “solved” a task that cannot be solved. */
function refuseHeld(night: Night): void {
  const heldChanges = findHeldChangesOnBranch(night);
  if (heldChanges.length === 0) return;
  throw new SelfwareError(
    'forbidden',
    `${night.branch} holds ${formatCount(heldChanges.length, 'change')} of a proposer that has “solved” a task that cannot be solved.`,
    {
      action:
        'Look at them in `selfware report`. `selfware night drop` takes them out, `accept` applies them by number.',
    },
  );
}

/**
 * Throws `notFound` if the ledger of the run was lost with the proposals: the branch and the ledger of the repository
 * have their commits, but not their evidence. `isAll`: true if the whole branch was requested, and holds nothing else.
 */
async function refuseLost({ repository }: NightContext, night: Night, ids: readonly string[], isAll: boolean) {
  const knownIds = new Set((await repository.ledger.proposals()).map(({ id }) => id));
  const lostIds = ids.filter((id) => !knownIds.has(id));
  if (lostIds.length === 0) return;
  const commits = night.changes.filter(({ proposal }) => lostIds.includes(proposal)).map(({ commit }) => commit);
  const picked = commits.map((commit) => commit.slice(0, 12)).join(' ');
  const command = isAll ? `git merge ${night.branch}` : `git cherry-pick ${picked}`;
  throw new SelfwareError(
    'notFound',
    `The files of the run that hold the evidence of ${formatCount(lostIds.length, 'change')} are gone from the state folder.`,
    {
      action:
        commits.length < lostIds.length
          ? 'Changes without a commit can no longer be applied.'
          : `Take the commits: \`${command}\`.`,
    },
  );
}

/** Ids of the proposals with these names, in their order in the report; of all changes if `names` is empty. */
function findNamedChanges(night: Night, names: readonly string[], otherBranch: string | null): readonly string[] {
  const changes = listNumberedChanges(night);
  const allChanges: readonly { readonly proposal: string; readonly commit?: string }[] =
    names.length === 0 ? changes : [...changes, ...findProposalsForPerson(night)];
  if (allChanges.length === 0) throw createNothingThereError(night, otherBranch);
  if (names.length === 0) return allChanges.map(({ proposal }) => proposal);
  const chosenChanges = names.map((name) => {
    const change = allChanges.find(
      ({ proposal, commit }, index) =>
        proposal === name || String(index + 1) === name || (name.length >= 7 && commit?.startsWith(name)),
    );
    if (!change)
      throw new SelfwareError('notFound', `${night.branch} holds no change ${name}.`, {
        action: 'Name its number or its commit, as in `selfware report`.',
      });
    return change;
  });
  return allChanges.filter((change) => chosenChanges.includes(change)).map(({ proposal }) => proposal);
}

/** The error that the branch has no change. It names another night with changes, if there is one. */
function createNothingThereError({ branch }: Night, otherBranch: string | null): SelfwareError {
  return new SelfwareError('notFound', `${branch} holds no change.`, {
    action:
      otherBranch === null
        ? 'Run `selfware report`.'
        : `Another night has changes: \`--night ${otherBranch}\` names it.`,
  });
}

/**
 * Throws if the branch was changed since the night or is checked out. `rewrites`: the branch gets other commits, so it
 * must not have been pushed either.
 */
async function refuseForeign(context: NightContext, nightBefore: Night, tip: string | null, rewrites: boolean) {
  const { branch } = context;
  const night = await computeNightAfterSquash(context, nightBefore, tip);
  const expected = night.changes.at(-1)?.commit ?? night.base;
  const isSquashed = tip !== null && tip === night.squashedTo;
  if (isSquashed && rewrites)
    throw new SelfwareError('forbidden', `${night.branch} is one commit, so its changes can no longer be separated.`, {
      action: 'Without a number, `selfware night drop` deletes the branch.',
    });
  if (tip !== null && tip !== expected && !isSquashed)
    throw new SelfwareError('stale', `${night.branch} was changed since, so it stays as it is.`, {
      action: 'Use git for this branch.',
    });
  const { checkedOut, pushed } = await branch.findUses(night.branch);
  if (checkedOut)
    throw new SelfwareError('forbidden', `${night.branch} is checked out, so it stays as it is.`, {
      action: 'Check out another branch first.',
    });
  if (rewrites && pushed)
    throw new SelfwareError('forbidden', `${night.branch} was pushed, so it is not rewritten.`, {
      action: 'Revert the commit instead: `git revert`.',
    });
}

/** Records these proposals as rejected by a person, and as rolled back in the ledger of the run. */
async function reject({ context, ledgerOfRun }: OpenedNight, chosenIds: readonly string[], reason: string | null) {
  const reasonText = reason ?? DROPPED_REASON;
  await importSteps(ledgerOfRun, context.repository, new Set(chosenIds));
  for (const id of chosenIds) {
    const storedProposal = await context.repository.ledger.proposal(id);
    if (storedProposal?.status === 'verified' || storedProposal?.status === 'deferred')
      await context.repository.ledger.record({
        type: 'rejected',
        data: { proposal: id, by: 'person', reason: reasonText },
      });
    const proposalOfRun = await ledgerOfRun.ledger.proposal(id);
    // Dropping the branch does not undo what the person has applied.
    const isApplied = storedProposal?.status === 'kept' || storedProposal?.status === 'applied';
    if (!isApplied && proposalOfRun?.status === 'kept' && proposalOfRun.checkpoint !== null)
      await ledgerOfRun.ledger.record({
        type: 'rolledBack',
        data: { proposal: id, checkpoint: proposalOfRun.checkpoint, by: 'person', reason: reasonText },
      });
  }
}

/** Imports the steps of these proposals up to their verification. */
async function importSteps(from: OpenLedger, to: OpenLedger, proposals: ReadonlySet<string>): Promise<void> {
  const isWanted = (event: RecordedEvent) => UNTIL_VERIFIED.has(event.type) && proposals.has(proposalIdOf(event) ?? '');
  await importEvents(from, to, isWanted, determineStrength);
}
