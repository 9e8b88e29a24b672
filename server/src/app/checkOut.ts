// Checks out a commit as a separate repository in a temporary folder, for work on another state than the working tree.

import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveStateFolder } from '../adapters/files/stateFolder.ts';
import { openRevisions } from '../adapters/git/revisions.ts';
import type { Log } from '../core/ports/system.ts';
import type { Environment } from '../util/values/environment.ts';

/** A checked-out copy of a repository. */
export interface CheckedOut {
  readonly tree: string;
  /** Top folder of the original repository, and its state folder. */
  readonly top: string;
  readonly state: string;
  /** The environment in which the state of the copy is stored, and removed with it. */
  readonly env: Environment;
}

/**
 * Checks out `ref`, runs the work and removes the folder afterwards. Throws `notARepository`, `notFound`, `noCommit`,
 * and the errors of the work.
 */
export async function withCheckOut<T>(
  rootDir: string,
  ref: string,
  { env, log, signal }: { readonly env: Environment; readonly log: Log; readonly signal: AbortSignal },
  work: (checkedOut: CheckedOut) => Promise<T>,
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
    return await work({ tree, top, state, env: { ...env, SELFWARE_HOME: join(folder, 'state') } });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
