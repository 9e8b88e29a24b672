// A commit of a repository as a repository of its own in a temporary folder, for what is done of another state than
// the working tree's.

import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stateFolderFor } from '../adapters/files/stateFolder.ts';
import { openRevisions } from '../adapters/git/revisions.ts';
import type { Log } from '../core/ports/system.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface CheckedOut {
  readonly tree: string;
  /** Top of the repository that it comes from, and the state folder of that. */
  readonly top: string;
  readonly state: string;
  /** In which everything that is kept of the tree itself goes with it. */
  readonly env: Environment;
}

/** The folder is gone afterwards. Throws `notARepository`, `notFound`, `noCommit`. */
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
    const state = stateFolderFor(top, env);
    return await work({ tree, top, state, env: { ...env, SELFWARE_HOME: join(folder, 'state') } });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
