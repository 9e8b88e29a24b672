// Checks out a commit as a separate repository in a temporary folder, for work on a state other than the working tree.

import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveStateFolder } from '../adapters/files/stateFolder.ts';
import { openRevisions } from '../adapters/git/revisions.ts';
import type { Log } from '../core/ports/system.ts';
import type { Environment } from '../util/values/environment.ts';

/** A checked-out copy of a repository. */
export interface CheckedOutCopy {
  readonly tree: string;
  /** Top folder of the original repository. */
  readonly originalRoot: string;
  /** State folder of the original repository. */
  readonly originalStateFolder: string;
  /** The environment for work on the copy. Its state folder is removed together with the copy. */
  readonly env: Environment;
}

/**
 * Checks out `ref`, runs the work and removes the folder afterwards. Throws `notARepository`, `notFound` for an unknown
 * `ref`, `noCommit`, and the errors of the work.
 */
export async function withCheckOut<T>(
  rootDir: string,
  ref: string,
  { env, log, signal }: { readonly env: Environment; readonly log: Log; readonly signal: AbortSignal },
  work: (checkedOut: CheckedOutCopy) => Promise<T>,
): Promise<T> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'selfware-at-')));
  try {
    const revisions = await openRevisions(rootDir, folder, log);
    const commit = await revisions.commit(ref);
    const tree = join(folder, 'tree');
    await mkdir(tree);
    await revisions.checkOut(commit, tree, signal);
    const { top } = revisions;
    const state = resolveStateFolder(top, env);
    return await work({
      tree,
      originalRoot: top,
      originalStateFolder: state,
      env: { ...env, SELFWARE_HOME: join(folder, 'state') },
    });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
