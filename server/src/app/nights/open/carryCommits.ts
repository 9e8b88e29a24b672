// Saves the commits of a run that could not reach its branch, because a person has checked the branch out, moved or
// deleted it: they begin the next branch, or are kept by a ref.

import { commitsAfter, parseProposalTrailer, tipInside, type NightCommit } from '../../../adapters/git/nightBranch.ts';
import { createGitRunner, GitFailure } from '../../../adapters/git/runGit.ts';
import type { Night } from '../../../core/run/nightTypes.ts';
import { keepLeft } from '../moveNight.ts';
import type { NightContext } from '../night.ts';

/**
 * Lets the new branch `name`, which starts at `head`, begin with the commits in the tree of the run that the branch of
 * `last` lacks, if they were made on `head`. Otherwise records them as lost for that night, and keeps them by refs.
 * Returns the commit to check out. The next hand-over records what was carried.
 */
export async function carryCommits(
  context: NightContext,
  last: Night | undefined,
  name: string,
  head: string,
): Promise<string> {
  const { branch, places, repository } = context;
  if (!last || last.decided !== null) return head;
  const commits = await findUnpublished(places.tree, last);
  if (commits.length === 0) return head;
  // What was verified is saved even if the run is being cancelled.
  const { signal } = new AbortController();
  const tip = commits.at(-1)!.id;
  if (commits[0]!.parent === head) {
    await createGitRunner(places.tree).text(['update-ref', `refs/heads/${name}`, tip]);
    return branch.publish(places.tree, name, null, signal);
  }
  const left = commits.map(({ id, message }) => ({
    proposal: parseProposalTrailer(message) ?? id,
    title: message.split('\n')[0]!,
    reason: `It was made while ${last.branch} was checked out, moved or deleted.`,
    lost: true as const,
    commit: id,
  }));
  await branch.copyCommits(places.tree, tip, head, signal);
  await keepLeft(branch.top, last.branch, left);
  const kept = last.changes.map(({ proposal, commit }) => ({ proposal, commit }));
  const data = { night: last.branch, base: last.base, commits: kept, left };
  await repository.ledger.record({ type: 'nightMoved', data });
  return head;
}

/** The commits of changes in the tree that never reached the branch of the night, oldest first. */
async function findUnpublished(tree: string, night: Night): Promise<readonly NightCommit[]> {
  const inTree = await tipInside(tree, night.branch);
  if (inTree === null) return [];
  const known = new Set([...night.changes.map(({ proposal }) => proposal), ...night.gone]);
  try {
    return (await commitsAfter(tree, night.base, inTree)).filter(({ message }) => {
      const proposal = parseProposalTrailer(message);
      return proposal !== null && !known.has(proposal);
    });
  } catch (error) {
    // A tree whose commits cannot be read holds nothing that could be saved.
    if (error instanceof GitFailure) return [];
    throw error;
  }
}
