// Lets an unattended run follow the branch on which it was started, not HEAD: another branch that is checked out, a
// bisection or a rebase must not move what the run has made.

import { existsSync } from 'node:fs';
import type { NightBranch } from './nightBranch.ts';
import { createGitRunner, hasExitCode } from './runGit.ts';

/** Files in git's folder that exist while a command of the user is under way. */
const UNDER_WAY = [
  'rebase-merge',
  'rebase-apply',
  'sequencer',
  'BISECT_LOG',
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
] as const;

/** The start of a run. `ref`: null if no branch was checked out; the run then stays at `commit`. */
export interface FollowedStart {
  readonly ref: string | null;
  readonly commit: string;
}

/** What the work tree has checked out now. Throws `noCommit`. */
export async function readStart(branch: Pick<NightBranch, 'top' | 'head'>): Promise<FollowedStart> {
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
 * The branches, with a `head` that is the tip of the followed branch. It stays where it was while a rebase, a bisection
 * or a merge is under way, and if the branch is deleted. While a branch of the run itself is checked out, `head` is its
 * tip, because the run then continues on another branch that starts there. New branches and reserved names start at
 * `head`, too.
 */
export function followBranch(branch: NightBranch, { ref, commit }: FollowedStart): NightBranch {
  const git = createGitRunner(branch.top);
  const ownRefs = new Set<string>();
  const isUnderWay = async () => {
    const args = UNDER_WAY.flatMap((name) => ['--git-path', name]);
    const paths = (await git.text(['rev-parse', '--path-format=absolute', ...args])).trim().split('\n');
    return paths.some((path) => existsSync(path));
  };
  let lastKnown = commit;
  const head = async () => {
    if (ownRefs.has((await readHeadRef(branch.top)) ?? '')) return branch.head();
    const tip = ref === null ? null : await branch.tip(ref.replace(/^refs\/heads\//, ''));
    if (tip !== null && tip !== lastKnown && !(await isUnderWay())) lastKnown = tip;
    return lastKnown;
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
