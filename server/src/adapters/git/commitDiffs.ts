// What commits change, as text.

import { createGitRunner, GitFailure } from './runGit.ts';

/** Programs that the repository names for diffs are not run. */
const SHOW = ['show', '--format=', '--no-color', '--no-ext-diff', '--no-textconv', '--unified=3'];

/**
 * What `cut` makes of the diff of each commit to its first parent, by its id. Whole diffs are not kept. Commits that git
 * does not know, or whose diff is too large for it to print, are left out.
 */
export async function commitDiffs<T>(
  dir: string,
  commits: readonly string[],
  cut: (diff: string) => T,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, T>> {
  const git = createGitRunner(dir);
  const diffs = new Map<string, T>();
  for (const commit of commits) {
    try {
      diffs.set(commit, cut(await git.text([...SHOW, commit, '--'], signal ? { signal } : {})));
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
    }
  }
  return diffs;
}
