// Reads the diffs of commits.

import { createGitRunner, GitFailure } from './runGit.ts';

/** Programs that the repository names for diffs are not run. */
const SHOW_ARGUMENTS = ['show', '--format=', '--no-color', '--no-ext-diff', '--no-textconv', '--unified=3'];

/**
 * The result of `shorten` for the diff of each commit to its first parent, by the id of the commit. Full diffs are not
 * kept. Skips commits that git does not have, or whose diff is too large for git to print.
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
