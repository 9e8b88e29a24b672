// The ports that writing to the user's tree needs, and the lock under which it happens.

import { SelfwareError } from '../../util/typedError.ts';
import type { Proposal } from '../model.ts';
import type { Ports } from '../ports.ts';

/** The ports that applying and rolling back use. */
export interface ApplyContext
  extends Pick<Ports, 'clock' | 'ids' | 'files' | 'writer' | 'journal' | 'git' | 'lock' | 'documents' | 'log'> {
  readonly charter: {
    /**
     * Asks the charter about the edits. `path`, `reason`: the first forbidden path, and the reason why it is
     * forbidden.
     */
    check(
      edits: Proposal['edits'],
      recipe?: string,
    ): Promise<
      { readonly allowed: true } | { readonly allowed: false; readonly path: string; readonly reason: string }
    >;
  };
  /**
   * Returns the bytes of a text that a change wrote, by their sha-256; null if they are no longer stored. If this
   * function is absent, files that were edited after the change cannot be rolled back.
   */
  postImage?(hash: string): Promise<Uint8Array | null>;
}

/**
 * Runs `work` under the lock of the tree, so that only one process at a time writes to it. Throws `locked` if another
 * process is writing.
 */
export async function withTreeLock<T>(context: ApplyContext, work: () => Promise<T>): Promise<T> {
  const lock = await context.lock.acquire('apply');
  if (!lock)
    throw new SelfwareError('locked', 'Another Selfware is writing to this repository.', {
      action: 'Wait until it is done, or close it.',
    });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
