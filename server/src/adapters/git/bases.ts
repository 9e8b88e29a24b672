// Suggests bases from which a person may want to judge a change, the default branch first.

import { createGitRunner, GitFailure, type GitRunner } from './runGit.ts';

/** A base to choose, by its name in git. */
export interface Base {
  readonly name: string;
  /** A description of the change that would be judged. */
  readonly detail: string;
}

const BASE_NAMES = ['origin/main', 'origin/master', 'upstream/main', 'upstream/master', 'main', 'master'];

/**
 * Existing bases that share an earlier commit with HEAD, each shared commit once; the last one is HEAD itself, for what
 * is not committed. Empty without git or a commit.
 */
export async function basesOf(rootDir: string, signal: AbortSignal): Promise<readonly Base[]> {
  const git = createGitRunner(rootDir);
  const ask = (...args: readonly string[]) => answerOf(git, args, signal);
  const head = await ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
  if (head === null) return [];
  const remote = await ask('symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD');
  const tracked = await ask('rev-parse', '--abbrev-ref', '--symbolic-full-name', '@{upstream}');
  const bases: Base[] = [];
  const shared = new Set([head]);
  for (const name of new Set([
    ...(remote === null ? [] : [remote]),
    ...BASE_NAMES,
    ...(tracked === null ? [] : [tracked]),
  ])) {
    if ((await ask('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`)) === null) continue;
    const base = await ask('merge-base', name, head);
    if (base === null || shared.has(base)) continue;
    shared.add(base);
    const count = await ask('rev-list', '--count', `${base}..${head}`);
    const commits = count === '1' ? '1 commit' : `${count} commits`;
    bases.push({ name, detail: `from ${base.slice(0, 8)} on: ${commits} and what is not committed` });
  }
  return [...bases, { name: 'HEAD', detail: 'only what is not committed' }];
}

/** The trimmed output; null if it is empty or if git fails. */
async function answerOf(git: GitRunner, args: readonly string[], signal: AbortSignal): Promise<string | null> {
  try {
    const text = (await git.text(args, { signal })).trim();
    return text === '' ? null : text;
  } catch (error) {
    if (error instanceof GitFailure) return null;
    throw error;
  }
}
