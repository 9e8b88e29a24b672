// Suggests base revisions with which a change can be compared, the default branch first.

import { createGitRunner, GitFailure, type GitRunner } from './runGit.ts';

/** A suggested base, by its name in git. */
export interface Base {
  readonly name: string;
  /** A description of the change that would be judged against this base. */
  readonly detail: string;
}

/** Names of revisions that are usual bases. */
const BASE_NAMES = ['origin/main', 'origin/master', 'upstream/main', 'upstream/master', 'main', 'master'];

/**
 * Existing revisions whose merge base with HEAD is not HEAD itself, one for each merge base. HEAD comes last, for
 * uncommitted work. Empty if there is no git, no repository or no commit.
 */
export async function findBases(rootDir: string, signal: AbortSignal): Promise<readonly Base[]> {
  const git = createGitRunner(rootDir);
  const tryGit = (...args: readonly string[]) => readOutputOrNull(git, args, signal);
  const head = await tryGit('rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
  if (head === null) return [];
  const defaultBranch = await tryGit('symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD');
  const upstreamBranch = await tryGit('rev-parse', '--abbrev-ref', '--symbolic-full-name', '@{upstream}');
  const bases: Base[] = [];
  const mergeBases = new Set([head]);
  for (const name of new Set([
    ...(defaultBranch === null ? [] : [defaultBranch]),
    ...BASE_NAMES,
    ...(upstreamBranch === null ? [] : [upstreamBranch]),
  ])) {
    if ((await tryGit('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`)) === null) continue;
    const mergeBase = await tryGit('merge-base', name, head);
    if (mergeBase === null || mergeBases.has(mergeBase)) continue;
    mergeBases.add(mergeBase);
    const count = await tryGit('rev-list', '--count', `${mergeBase}..${head}`);
    const commits = count === '1' ? '1 commit' : `${count} commits`;
    bases.push({ name, detail: `${commits} since ${mergeBase.slice(0, 8)}, and uncommitted work` });
  }
  return [...bases, { name: 'HEAD', detail: 'uncommitted work only' }];
}

/** The trimmed output; null if it is empty or if git fails. */
async function readOutputOrNull(git: GitRunner, args: readonly string[], signal: AbortSignal): Promise<string | null> {
  try {
    const text = (await git.text(args, { signal })).trim();
    return text === '' ? null : text;
  } catch (error) {
    if (error instanceof GitFailure) return null;
    throw error;
  }
}
