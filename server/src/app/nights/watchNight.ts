// Reads the current state of an unattended run from another process.

import { readLive } from '../../adapters/run/liveFile.ts';
import type { Log } from '../../core/ports/system.ts';
import type { WatchedNight } from '../../core/run/live.ts';
import { openLedger } from './sharedKnowledge.ts';
import { loadNights, type NightRequest } from './night.ts';
import { resolveNightFolders } from './nightFolders.ts';
import { markInterrupted } from '../../core/run/nightQueries.ts';
import { measureHealth } from '../../core/run/health.ts';
import type { HealthReader } from '../../core/session/ledger/healthReader.ts';
import { readWishes } from '../../core/run/wishes.ts';
import { createNights } from './windowNights.ts';

/** The state of the newest run at one moment. */
export interface Look {
  /** True if a process works on a run. */
  readonly isRunning: boolean;
  /** The newest night; null if none was started. */
  readonly watched: WatchedNight | null;
}

/**
 * The current state of a repository's newest run; with a reader, also the figures of its health. Throws `damaged` if the
 * ledger cannot be read.
 */
export async function readNewestNight(
  rootDir: string,
  env: NightRequest['env'],
  log: Log,
  readHealth: HealthReader | null = null,
): Promise<Look> {
  const { state, folder } = resolveNightFolders(rootDir, env);
  const repository = await openLedger(state, log);
  try {
    const nights = await loadNights(repository.ledger);
    const isRunning = await createNights({ env, log }).isRunning(rootDir);
    const night = markInterrupted(nights, isRunning).at(-1);
    if (!night) return { isRunning, watched: null };
    const wishes = (await readWishes(repository.ledger)).map(({ text }) => text);
    const run = night.runs.at(-1);
    const now = Date.now();
    const health =
      readHealth && run ? { health: measureHealth(night, await readHealth(repository.ledger, run, now), now) } : {};
    return { isRunning, watched: { night, live: isRunning ? await readLive(folder) : null, wishes, ...health } };
  } finally {
    await repository.close();
  }
}
