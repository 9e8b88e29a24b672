// Reads the user's tree, from which an agent started: its files, and which paths git ignores. The agent's own tree is
// not used for this, because the agent may have changed anything in it.

import { readInside } from '../files/safeRead.ts';
import { createGitRunner, hasExitCode, GitFailure, type GitRunner } from '../git/runGit.ts';
import type { UserTree } from './workTreeChanges.ts';

/** Maximum number of calls of git for one list of paths. Each path that git rejects costs several calls. */
const MAX_CALLS = 200;

/** Creates the access to the user's tree at `rootDir`. */
export function createUserTree(rootDir: string): UserTree {
  const git = createGitRunner(rootDir);
  return {
    read: (path) => readInside(rootDir, path),
    ignored: (paths, signal) => findIgnored(git, paths, signal),
  };
}

/**
 * Returns the paths that git ignores. Git rejects a list of paths if one of them is in a submodule or behind a link; it
 * is then asked about each half of the list. Paths that are left when the calls are used up, or that git rejects, count
 * as not ignored.
 */
async function findIgnored(
  git: GitRunner,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const ignored = new Set<string>();
  const pendingLists = [paths];
  for (let calls = 0; calls < MAX_CALLS; calls += 1) {
    const pathList = pendingLists.pop();
    if (pathList === undefined) break;
    if (pathList.length === 0) continue;
    try {
      const stdin = Buffer.from(pathList.join('\0'));
      const answer = await git.text(['check-ignore', '-z', '--stdin'], { stdin, signal });
      for (const path of answer.split('\0')) ignored.add(path);
    } catch (error) {
      if (hasExitCode(error, 1)) continue;
      if (!(error instanceof GitFailure)) throw error;
      const halfLength = Math.ceil(pathList.length / 2);
      if (pathList.length > 1) pendingLists.push(pathList.slice(0, halfLength), pathList.slice(halfLength));
    }
  }
  return ignored;
}
