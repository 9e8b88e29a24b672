// Reads the current state of an unattended run from another process.

import { readLive } from '../../adapters/run/liveFile.ts';
import type { Log } from '../../core/ports/system.ts';
import type { WatchedNight } from '../../core/run/live.ts';
import { openLedger } from './sharedKnowledge.ts';
import { loadNights, type NightRequest } from './night.ts';
import { resolveNightFolders } from './nightFolders.ts';
import { markInterrupted } from '../../core/run/nightQueries.ts';
import { measureHealth } from '../../core/run/health.ts';
import type { BottleneckReader } from '../../core/session/learn/performance/bottleneckReader.ts';
import type { HealthReader } from '../../core/session/ledger/healthReader.ts';
import { readWishes } from '../../core/run/wishes.ts';
import { createNights } from './windowNights.ts';

/** The state of the newest run at one moment. */
export interface NightSnapshot {
  /** True if a process works on a run. */
  readonly isRunning: boolean;
  /** The newest night; null if none was started. */
  readonly watched: WatchedNight | null;
}

/** Readers of figures that change slowly. They cache the events and figures that they have read. */
export interface FigureReaders {
  readonly health: HealthReader;
  readonly bottleneck: BottleneckReader;
}

/**
 * The current state of a repository's newest run; with readers, also its figures. Throws `damaged` if the ledger cannot
 * be read.
 */
export async function readNewestNight(
  rootDir: string,
  env: NightRequest['env'],
  log: Log,
  readers: FigureReaders | null = null,
): Promise<NightSnapshot> {
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
    const { ledger } = repository;
    const figures =
      readers && run
        ? {
            health: measureHealth(night, await readers.health(ledger, run, now), now),
            bottleneck: await readers.bottleneck(ledger, now),
          }
        : {};
    return { isRunning, watched: { night, live: isRunning ? await readLive(folder) : null, wishes, ...figures } };
  } finally {
    await repository.close();
  }
}
