// Lets an unattended run follow the branch on which it was started instead of HEAD. Otherwise, a check-out of another
// branch, a bisection or a rebase would move the run to other commits.

import { existsSync } from 'node:fs';
import type { NightBranch } from './nightBranch.ts';
import { createGitRunner, hasExitCode } from './runGit.ts';

/** Names in git's folder that exist while an operation of the user is in progress. */
const OPERATION_MARKERS = [
  'rebase-merge',
  'rebase-apply',
  'sequencer',
  'BISECT_LOG',
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
] as const;

/**
 * The start of a run. `ref`: the branch that was checked out; null if there was none. The run then stays at `commit`.
 */
export interface FollowedStart {
  readonly ref: string | null;
  readonly commit: string;
}

/** Reads the branch and the commit that the work tree has checked out now. Throws `noCommit`. */
export async function readFollowedStart(branch: Pick<NightBranch, 'top' | 'head'>): Promise<FollowedStart> {
  return { ref: await readHeadRef(branch.top), commit: await branch.head() };
}

/** The ref of the branch that is checked out; null if HEAD is detached. */
async function readHeadRef(top: string): Promise<string | null> {
  try {
    return (await createGitRunner(top).text(['symbolic-ref', '--quiet', 'HEAD'])).trim();
  } catch (error) {
    if (!hasExitCode(error, 1)) throw error;
    return null;
  }
}

/**
 * A view of `branch` whose `head` is the tip of the followed branch. `head` does not move while a rebase, a bisection
 * or a merge is in progress, or if the branch is deleted. While a branch of the run itself is checked out, `head` is
 * the tip of that branch, because the run then continues on another branch that starts there. New branches and reserved
 * names also start at `head`.
 */
export function followBranch(branch: NightBranch, { ref, commit }: FollowedStart): NightBranch {
  const git = createGitRunner(branch.top);
  const ownRefs = new Set<string>();
  const isOperationRunning = async () => {
    const args = OPERATION_MARKERS.flatMap((name) => ['--git-path', name]);
    const paths = (await git.text(['rev-parse', '--path-format=absolute', ...args])).trim().split('\n');
    return paths.some((path) => existsSync(path));
  };
  let lastKnownTip = commit;
  const head = async () => {
    if (ownRefs.has((await readHeadRef(branch.top)) ?? '')) return branch.head();
    const tip = ref === null ? null : await branch.tip(ref.replace(/^refs\/heads\//, ''));
    if (tip !== null && tip !== lastKnownTip && !(await isOperationRunning())) lastKnownTip = tip;
    return lastKnownTip;
  };
  return {
    ...branch,
    head,
    checkOut(folder, name, ...args) {
      ownRefs.add(`refs/heads/${name}`);
      return branch.checkOut(folder, name, ...args);
    },
    async publish(folder, name, expected, signal) {
      const knownCommit = expected ?? (await head());
      ownRefs.add(`refs/heads/${name}`);
      return branch.publish(folder, name, expected, signal, knownCommit);
    },
    reserve: async (name) => branch.reserve(name, await head()),
  };
}
