// Reads and changes the queue of wishes in the ledger of a repository, even while a run is in progress.

import { randomUUID } from 'node:crypto';
import { createStateFolder } from '../../adapters/files/stateFolder.ts';
export { findOpenIssues, type GithubIssue } from '../../adapters/git/githubIssues.ts';
import type { WishEvent } from '../../core/model/nights.ts';
import type { Log } from '../../core/ports/system.ts';
import type { Wish } from '../../core/run/wishes.ts';
import { openLedger } from './sharedKnowledge.ts';
import { resolveNightFolders } from './nightFolders.ts';
import { readWishes } from '../../core/run/wishes.ts';

/** Records the events that `change` returns for the current queue, and returns the queue afterwards. */
export async function changeWishQueue(
  rootDir: string,
  env: Readonly<Record<string, string | undefined>>,
  log: Log,
  change: (queue: readonly Wish[]) => readonly WishEvent[],
): Promise<readonly Wish[]> {
  const { state } = resolveNightFolders(rootDir, env);
  await createStateFolder(state);
  const { ledger, close } = await openLedger(state, log);
  try {
    for (const event of change(await readWishes(ledger))) await ledger.record(event);
    return await readWishes(ledger);
  } finally {
    await close();
  }
}

/** Creates the random part of a wish's id. */
export function createWishId(): string {
  return randomUUID().slice(0, 8);
}
