// Finds the commits of runs that are on no branch, and that only a ref keeps.

import { parseProposalTrailers } from '../../../adapters/git/nightBranch.ts';
import { createGitRunner, type GitRunner } from '../../../adapters/git/runGit.ts';
import type { Night } from '../../../core/run/nightTypes.ts';
import type { KeptCommit } from '../../../core/run/report/leftReport.ts';

/** Refs that keep the commits of changes that were left out by a move, or could not be published. */
export const LEFT_REF_PREFIX = 'refs/selfware/left/';
/** Arguments of git that select HEAD and all refs of the user. */
const USER_REFS = ['--exclude=refs/selfware/*', '--all'];
/** The fields of a ref: name, commit, time of the commit in seconds, title. */
const FORMAT = '%(refname)%00%(objectname)%00%(committerdate:unix)%00%(contents:subject)';

/**
 * The commits that only refs of Selfware keep, each after its parents. Skips a change that HEAD, a branch or a tag
 * contains under another commit id, as the trailer with the proposal shows. `folder`: a folder in the user's
 * repository. `nights`: all nights of the repository, which contain the reasons why the changes were left out. Throws
 * `GitFailure`.
 */
export async function readKeptCommits(
  folder: string,
  nights: readonly Pick<Night, 'left'>[],
): Promise<readonly KeptCommit[]> {
  const git = createGitRunner(folder);
  const refs = splitLines(await git.text(['for-each-ref', `--format=${FORMAT}`, LEFT_REF_PREFIX])).map((line) => {
    const [ref = '', commit = '', seconds = '', title = ''] = line.split('\0');
    const [night, proposal] = splitAtLast(ref.slice(LEFT_REF_PREFIX.length));
    return { night, proposal, commit, title, seconds: Number(seconds) };
  });
  if (refs.length === 0) return [];
  const takenProposals = await readTaken(git, Math.min(...refs.map(({ seconds }) => seconds)));
  const leftByCommit = new Map(nights.flatMap((night) => night.left.map((entry) => [entry.commit, entry] as const)));
  return (await readCommitOrder(git)).flatMap((id) =>
    refs
      .filter(({ commit, proposal }) => commit === id && !takenProposals.has(proposal))
      .map(({ seconds: _, ...kept }) => {
        const { reason = null, untried } = leftByCommit.get(id) ?? {};
        return { ...kept, reason, isUntried: untried === true };
      }),
  );
}

/** Ids of all commits that only refs of Selfware contain, each after its parents. */
async function readCommitOrder(git: GitRunner): Promise<readonly string[]> {
  const globOption = `--glob=${LEFT_REF_PREFIX}*`;
  return splitLines(await git.text(['rev-list', '--topo-order', '--reverse', globOption, '--not', ...USER_REFS]));
}

/**
 * Ids of the proposals that commits of the user name since this time (seconds since the epoch). A change that was taken
 * has a newer commit than the kept one.
 */
async function readTaken(git: GitRunner, since: number): Promise<ReadonlySet<string>> {
  const logText = await git.text(['log', `--since=${since}`, '--grep=Selfware-Proposal:', '--format=%B', ...USER_REFS]);
  return new Set(parseProposalTrailers(logText));
}

function splitLines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

/**
 * Splits the name of a ref into branch and proposal. The name of a branch may contain slashes; the id of a proposal
 * contains none.
 */
function splitAtLast(name: string): readonly [string, string] {
  const index = name.lastIndexOf('/');
  return [name.slice(0, index), name.slice(index + 1)];
}
