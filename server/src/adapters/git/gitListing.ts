// Lists by git the tracked files, the files that are neither tracked nor ignored, and the folders of other
// repositories.

import { createGitRunner, hasExitCode, GitFailure, type GitRunner } from './runGit.ts';
import { isInWorkTree } from './git.ts';
import type { Log } from '../../core/ports/system.ts';

/** The files below a folder, as git classifies them; paths are relative to the folder. */
export interface GitListing {
  readonly tracked: ReadonlySet<string>;
  /** Files that are neither tracked nor ignored. */
  readonly untracked: ReadonlySet<string>;
  /** Submodules and repositories inside this one. */
  readonly nested: ReadonlySet<string>;
  /** Returns those of the paths that git ignores. */
  ignored(paths: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>>;
}

/** Mode of a submodule in the index. */
const SUBMODULE_MODE = '160000';

/** Paths that `git ls-files` lists. A path of `untracked` that ends with a slash is another repository. */
export interface ListedPaths {
  readonly tracked: ReadonlySet<string>;
  readonly submodules: ReadonlySet<string>;
  readonly untracked: readonly string[];
}

/**
 * Lists the index and the untracked files that are not ignored, with one process, because starting git takes longer
 * than listing. A tag in front of each entry (`-t`) distinguishes the two, whatever the path looks like.
 */
export async function listPaths(runner: GitRunner, signal: AbortSignal): Promise<ListedPaths> {
  const args = ['ls-files', '-z', '-t', '--stage', '--others', '--exclude-standard'];
  const tracked = new Set<string>();
  const submodules = new Set<string>();
  const untracked: string[] = [];
  for (const entry of (await runner.text(args, { signal })).split('\0')) {
    if (entry === '') continue;
    const fields = entry.slice('? '.length);
    if (entry.startsWith('? ')) untracked.push(fields);
    else (fields.startsWith(SUBMODULE_MODE) ? submodules : tracked).add(fields.slice(fields.indexOf('\t') + 1));
  }
  return { tracked, submodules, untracked };
}

/**
 * Lists the files below `rootDir` by git. Null if git is missing, fails, or lists no file; the caller then walks the
 * folders itself.
 */
export async function listByGit(rootDir: string, signal: AbortSignal, log?: Log): Promise<GitListing | null> {
  const runner = createGitRunner(rootDir);
  if (!(await isInWorkTree(runner, rootDir, log))) return null;
  let listed: ListedPaths;
  try {
    listed = await listPaths(runner, signal);
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    log?.write('warn', 'git could not list the files; the folders are read without it.', error);
    return null;
  }
  const { tracked } = listed;
  const untracked = new Set<string>();
  const nested = new Set(listed.submodules);
  for (const path of listed.untracked)
    if (path.endsWith('/')) nested.add(path.slice(0, -1));
    else untracked.add(path);
  if (tracked.size + untracked.size + nested.size === 0) return null;
  return {
    tracked,
    untracked,
    nested,
    async ignored(paths, ignoredSignal) {
      if (paths.length === 0) return new Set();
      try {
        const answer = await runner.text(['check-ignore', '-z', '--stdin'], {
          stdin: Buffer.from(paths.join('\0')),
          signal: ignoredSignal,
        });
        return new Set(answer.split('\0'));
      } catch (error) {
        if (hasExitCode(error, 1)) return new Set();
        throw error;
      }
    },
  };
}
