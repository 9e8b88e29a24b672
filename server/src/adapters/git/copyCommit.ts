// Copies the objects of one commit, without its history, to another repository. The user's repository is only read. Git
// runs with the copy as its object store, because it would otherwise write temporary files into the user's repository
// and rename them into the copy, which fails on another file system.

import { join } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';
import { createGitRunner, GitFailure } from './runGit.ts';

/** Matches git's message about a missing object that a partial clone has left to its remote. */
const MISSING_OBJECT_PATTERN = /\bpromisor remote\b|\blazy fetching disabled\b/;

/**
 * Copies the commit, its folders and its files from the repository around `top` to `objects`, the object folder of
 * another repository, which contains a folder `pack`. Throws `unavailable`, `cancelled`, and GitFailure on a full disk.
 */
export async function copyCommit(top: string, commit: string, objects: string, signal: AbortSignal): Promise<void> {
  const git = createGitRunner(top);
  try {
    const [objectsPath, listing] = await Promise.all([
      git.text(['rev-parse', '--path-format=absolute', '--git-path', 'objects'], { signal }),
      git.text(['rev-list', '--objects', '--max-count=1', '--no-object-names', commit], { signal }),
    ]);
    const store = { objects, alternates: objectsPath.replace(/\n$/, '') };
    await git.text(['pack-objects', '--quiet', join(objects, 'pack/pack')], {
      stdin: Buffer.from(listing),
      store,
      signal,
    });
  } catch (error) {
    throw error instanceof GitFailure ? createCopyError(error, commit) : error;
  }
}

function createCopyError(failure: GitFailure, commit: string): Error {
  if (failure.code !== undefined) return failure;
  const name = commit.slice(0, 12);
  if (MISSING_OBJECT_PATTERN.test(failure.stderr))
    return new SelfwareError('unavailable', `Not all files of the commit ${name} are in this clone.`, {
      action: 'It is a partial clone: run `git fetch --refetch --no-filter`.',
      cause: failure,
    });
  return new SelfwareError('unavailable', `The files of the commit ${name} could not be copied: ${failure.message}`, {
    cause: failure,
  });
}
