// Asks git which files are tracked or could be, and which folders are other repositories.

import { createGitRunner, hasExitCode, GitFailure } from './runGit.ts';
import { isInWorkTree } from './git.ts';
import type { Log } from '../../core/ports/system.ts';

/** The files below a folder, as git classifies them; paths are relative to the folder. */
export interface GitListing {
  readonly tracked: ReadonlySet<string>;
  /** Files that are neither tracked nor ignored. */
  readonly untracked: ReadonlySet<string>;
  /** Submodules and repositories inside this one. */
  readonly nested: ReadonlySet<string>;
  /** Returns the paths among these that git ignores. */
  ignored(paths: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>>;
}

/** Mode of a submodule in the index. */
const SUBMODULE_MODE = '160000';

/**
 * Lists the files by git. Null if git is missing, refuses, or knows no file here: then the caller walks the folders.
 */
export async function listByGit(rootDir: string, signal: AbortSignal, log?: Log): Promise<GitListing | null> {
  const runner = createGitRunner(rootDir);
  if (!(await isInWorkTree(runner, rootDir, log))) return null;
  let staged: string;
  let untrackedText: string;
  try {
    [staged, untrackedText] = await Promise.all([
      runner.text(['ls-files', '-z', '--stage'], { signal }),
      runner.text(['ls-files', '-z', '--others', '--exclude-standard'], { signal }),
    ]);
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    log?.write('warn', 'git could not list the files; the folders are read without it.', error);
    return null;
  }
  const tracked = new Set<string>();
  const untracked = new Set<string>();
  const nested = new Set<string>();
  for (const entry of staged.split('\0')) {
    const path = entry.slice(entry.indexOf('\t') + 1);
    if (path !== '') (entry.startsWith(SUBMODULE_MODE) ? nested : tracked).add(path);
  }
  for (const path of untrackedText.split('\0')) {
    if (path.endsWith('/')) nested.add(path.slice(0, -1));
    else if (path !== '') untracked.add(path);
  }
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
