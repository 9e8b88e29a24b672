// Saves the commits of a run that could not reach its branch, because a person has checked the branch out, moved or
// deleted it. They become the beginning of the next branch, or a ref keeps them. Otherwise they would be lost when the
// tree is checked out.

import { rename } from 'node:fs/promises';
import {
  listCommitsAfter,
  listRunBranches,
  parseProposalTrailer,
  readRunBranchTip,
  type NightCommit,
} from '../../../adapters/git/nightBranch.ts';
import { createGitRunner, GitFailure } from '../../../adapters/git/runGit.ts';
import type { LeftChange } from '../../../core/model/nights.ts';
import type { Night } from '../../../core/run/nightTypes.ts';
import { describeError, isDiskFull, convertFullDiskError } from '../../../util/typedError.ts';
import { protectLeftCommits } from '../moveNight.ts';
import { loadNights, type NightContext } from '../night.ts';
import { createSetAsideFolder } from './setAsideTrees.ts';

/**
 * Saves the commits in the tree of the run that are on no branch, before the tree is checked out at `onto` for the
 * branch `name`. Returns true if they were made on `onto`. Then the tree is already on the branch `name` and must not
 * be checked out; the next hand-over publishes and records the commits, so that a failed start leaves no branch behind.
 * Otherwise, records the commits as lost for their night and keeps them by refs; if git cannot copy them, moves the
 * tree aside.
 */
export async function carryCommits(context: NightContext, name: string, onto: string): Promise<boolean> {
  const { branch, places, repository } = context;
  const nights = await loadNights(repository.ledger);
  const branchesInTree = new Set(await listRunBranches(places.tree));
  const night = nights.findLast((candidate) => branchesInTree.has(candidate.branch));
  // A person who merged or squashed a night has not decided on a change that nobody had seen yet, so only a dropped
  // night is skipped.
  if (!night || night.decided === 'dropped') return false;
  const knownProposals = new Set(
    nights.flatMap(({ changes, gone }) => [...changes.map(({ proposal }) => proposal), ...gone]),
  );
  let commits: readonly NightCommit[] = [];
  try {
    const allCommits = await listCommitsAfter(places.tree, night.base, `refs/heads/${night.branch}`);
    commits = allCommits.filter(({ message }) => {
      const proposal = parseProposalTrailer(message);
      return proposal !== null && !knownProposals.has(proposal);
    });
    if (commits.length === 0) return false;
    const tip = commits.at(-1)!.id;
    await branch.copyCommits(places.tree, tip, onto, createUncancelledSignal());
    const isWhole = allCommits.slice(-commits.length).every(({ id }, index) => id === commits[index]!.id);
    if (isWhole && commits[0]!.parent === onto) {
      await createGitRunner(places.tree).text(['update-ref', `refs/heads/${name}`, tip]);
      await switchTo(context, name);
      return true;
    }
    const reason = `It was made while ${night.branch} was checked out, moved or deleted.`;
    const left = commits.map((commit) => ({
      ...describeLost(commit, reason),
      ...{ untried: true as const, commit: commit.id },
    }));
    await protectLeftCommits(branch.top, night.branch, left);
    await recordLeft(context, night, left);
  } catch (error) {
    await moveAside(context, night, commits, error);
  }
  return false;
}

/**
 * Keeps the tree of the run as it is. `tip`: the tip of the night's branch. Returns false if git cannot copy the
 * commits after it; the tree is then moved aside, because no hand-over would succeed.
 */
export async function keepTree(context: NightContext, night: Night, tip: string): Promise<boolean> {
  const { branch, places } = context;
  let commits: readonly NightCommit[] = [];
  try {
    const tipInTree = await readRunBranchTip(places.tree, night.branch);
    if (tipInTree !== null && tipInTree !== tip) {
      commits = await listCommitsAfter(places.tree, tip, tipInTree);
      await branch.copyCommits(places.tree, tipInTree, tip, createUncancelledSignal());
    }
    await switchTo(context, night.branch);
    return true;
  } catch (error) {
    await moveAside(context, night, commits, error);
    return false;
  }
}

/**
 * Switches the tree to one of its branches without changing files, because a failed start may have left it on another
 * branch.
 */
async function switchTo({ branch, places }: NightContext, name: string): Promise<void> {
  const git = createGitRunner(places.tree);
  const ref = `refs/heads/${name}`;
  const head = (await git.text(['rev-parse', '--symbolic-full-name', 'HEAD'])).trim();
  if (head !== ref) await git.text(['symbolic-ref', 'HEAD', ref]);
  await branch.copyIdentity(places.tree);
}

/** A signal that is never aborted, because verified changes are saved even if the run is being cancelled. */
function createUncancelledSignal(): AbortSignal {
  return new AbortController().signal;
}

/** The entry about a commit that could not reach its branch. */
type Lost = ReturnType<typeof describeLost> & Pick<LeftChange, 'untried' | 'commit'>;

function describeLost({ id, message }: NightCommit, reason: string) {
  return { proposal: parseProposalTrailer(message) ?? id, title: message.split('\n')[0]!, reason, lost: true as const };
}

/** Records these commits as left out of their night. */
async function recordLeft({ repository }: NightContext, night: Night, left: readonly Lost[]): Promise<void> {
  const commits = night.changes.map(({ proposal, commit }) => ({ proposal, commit }));
  const data = { night: night.branch, base: night.base, commits, left };
  await repository.ledger.record({ type: 'nightMoved', data });
}

/**
 * Renames the tree of the run, whose `commits` git cannot copy, for example after a power failure. Throws `error` if it
 * says nothing about the tree: git cannot be started, or the disk is full.
 */
async function moveAside(
  context: NightContext,
  night: Night,
  commits: readonly NightCommit[],
  error: unknown,
): Promise<void> {
  if (!(error instanceof GitFailure) || error.exitCode === null || isDiskFull(convertFullDiskError(error))) throw error;
  const { request, places } = context;
  const folder = createSetAsideFolder(places.tree, new Date());
  await rename(places.tree, folder);
  const text = `git could not read all commits of ${night.branch}, so the tree of the run was moved to ${folder}.`;
  request.onEvent({ type: 'note', text: `${text} ${describeError(error)}` });
  if (commits.length > 0)
    await recordLeft(
      context,
      night,
      commits.map((commit) => describeLost(commit, text)),
    );
}
