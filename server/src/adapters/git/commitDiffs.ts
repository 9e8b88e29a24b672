// What commits change, as text.

import { createGitRunner, GitFailure } from './runGit.ts';

/** Programs that the repository names for diffs are not run. */
const SHOW = ['show', '--format=', '--no-color', '--no-ext-diff', '--no-textconv', '--unified=3'];

/**
 * The diff of each commit to its first parent, by its id. Commits that git does not know, or whose diff is too large
 * for it to print, are left out.
 */
export async function commitDiffs(
  dir: string,
  commits: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const git = createGitRunner(dir);
  const diffs = new Map<string, string>();
  for (const commit of commits) {
    try {
      diffs.set(commit, await git.text([...SHOW, commit, '--'], signal ? { signal } : {}));
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
    }
  }
  return diffs;
}
