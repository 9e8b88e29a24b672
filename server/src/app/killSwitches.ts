// The kill switches of all repositories on this machine: finds the active ones, and changes a kill switch without
// opening its repository.

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createContentStore } from '../adapters/sqlite/contentStore.ts';
import { createLedgerStore } from '../adapters/sqlite/ledgerStore.ts';
import { resolveDataFolder, resolveStateFolder } from '../adapters/files/stateFolder.ts';
import { createIds, systemClock } from '../adapters/system/system.ts';
import type { LedgerEvent } from '../core/ledger/events.ts';
import { createLedger } from '../core/ledger/ledger.ts';
import { determineStrength } from '../core/verify/strength.ts';
import { SelfwareError } from '../util/typedError.ts';
import type { Environment } from '../util/values/environment.ts';

/** A repository in which Selfware is stopped. */
export interface PulledSwitch {
  /** Path of the repository; the name of its state folder if no path was recorded. */
  readonly repository: string;
  readonly stateDir: string;
}

/**
 * The stopped repositories, ordered by name. Skips a repository with an unreadable ledger; the error is reported when
 * the repository is used.
 */
export async function findPulledSwitches(env: Environment): Promise<readonly PulledSwitch[]> {
  const home = resolveDataFolder(env, process.platform);
  const pulledSwitches: PulledSwitch[] = [];
  for (const name of await readdir(home).catch(() => [])) {
    const stateDir = join(home, name);
    if (!existsSync(join(stateDir, 'ledger.db'))) continue;
    const repository = await findPathIfStopped(stateDir, name);
    if (repository !== null) pulledSwitches.push({ repository, stateDir });
  }
  return pulledSwitches.sort((a, b) => (a.repository < b.repository ? -1 : 1));
}

/** Path of the stopped repository; null if its kill switch is not active, or if its ledger cannot be read. */
async function findPathIfStopped(stateDir: string, name: string): Promise<string | null> {
  const store = await createLedgerStore(join(stateDir, 'ledger.db'));
  try {
    const [newestEvent] = await store.read({ types: ['stopped', 'resumed'], limit: 1, newestFirst: true });
    if (newestEvent?.type !== 'stopped') return null;
    const { rootDir } = newestEvent.data as { readonly rootDir?: unknown };
    return typeof rootDir === 'string' ? rootDir : name;
  } catch (error) {
    if (error instanceof SelfwareError) return null;
    throw error;
  } finally {
    await store.close();
  }
}

/** Stops a repository that this process has not opened. Throws the errors of its ledger. */
export async function stopRepository(rootDir: string, env: Environment): Promise<void> {
  await recordEvent(resolveStateFolder(rootDir, env), { type: 'stopped', data: { rootDir } });
}

/** Releases the kill switch of one repository. Throws the errors of its ledger. */
export async function releaseSwitch({ stateDir }: PulledSwitch): Promise<void> {
  await recordEvent(stateDir, { type: 'resumed', data: {} });
}

/** Records an event in the ledger of a state folder. */
async function recordEvent(stateDir: string, event: LedgerEvent): Promise<void> {
  const store = await createLedgerStore(join(stateDir, 'ledger.db'));
  const contents = await createContentStore(join(stateDir, 'contents.db'));
  try {
    await createLedger(store, systemClock, createIds(systemClock), contents, determineStrength).record(event);
  } finally {
    await Promise.all([store.close(), contents.close()]);
  }
}
