// Finds the commits of runs that are on no branch, and that only a ref keeps.

import { createGitRunner, hasExitCode, type GitRunner } from '../../../adapters/git/runGit.ts';
import type { KeptCommit } from '../../../core/run/report/leftReport.ts';

/** Refs that keep the commits of changes that were left out by a move, or could not be published. */
export const LEFT_REF_PREFIX = 'refs/selfware/left/';
/** Number of newest commits of HEAD in which taken changes are looked for. */
const MAX_COMMITS = 2000;
const FORMAT = '%(refname)%00%(objectname)%00%(contents:subject)';

/**
 * These commits, oldest first, without those that HEAD has, also under another id: the trailer names the proposal.
 * `folder`: in the user's repository. Throws GitFailure.
 */
export async function readKeptCommits(folder: string): Promise<readonly KeptCommit[]> {
  const git = createGitRunner(folder);
  const text = await git.text(['for-each-ref', '--sort=committerdate', `--format=${FORMAT}`, LEFT_REF_PREFIX]);
  const kept = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [ref = '', commit = '', title = ''] = line.split('\0');
      const [night = '', proposal = ''] = splitAtLast(ref.slice(LEFT_REF_PREFIX.length));
      return { night, proposal, commit, title };
    });
  if (kept.length === 0) return [];
  const taken = await readTaken(git);
  return kept.filter(({ proposal }) => !taken.has(proposal));
}

/** The proposals in the history of HEAD; none if the branch that is checked out has no commit. */
async function readTaken(git: GitRunner): Promise<ReadonlySet<string>> {
  const format = '--format=%(trailers:key=Selfware-Proposal,valueonly)';
  try {
    return new Set((await git.text(['log', `--max-count=${MAX_COMMITS}`, format, 'HEAD'])).split('\n'));
  } catch (error) {
    if (!hasExitCode(error, 128)) throw error;
    return new Set();
  }
}

/** The name of a branch may have slashes, the id of a proposal has none. */
function splitAtLast(name: string): readonly [string, string] {
  const index = name.lastIndexOf('/');
  return [name.slice(0, index), name.slice(index + 1)];
}
