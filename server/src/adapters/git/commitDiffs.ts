// Reads the diffs of commits.

import { createGitRunner, GitFailure } from './runGit.ts';

/** Arguments of `git show` for a diff. They keep git from running programs that the repository names for diffs. */
const SHOW_ARGUMENTS = ['show', '--format=', '--no-color', '--no-ext-diff', '--no-textconv', '--unified=3'];

/**
 * The result of `shorten` for the diff of each commit, by the id of the commit. Diffs are shortened one by one, so that
 * no full diff is kept. Skips commits that git does not have, or whose diff is too large for git to print.
 */
export async function readCommitDiffs<T>(
  folder: string,
  commits: readonly string[],
  shorten: (diff: string) => T,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, T>> {
  const git = createGitRunner(folder);
  const diffs = new Map<string, T>();
  for (const commit of commits) {
    try {
      diffs.set(commit, shorten(await git.text([...SHOW_ARGUMENTS, commit, '--'], signal ? { signal } : {})));
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
    }
  }
  return diffs;
}
