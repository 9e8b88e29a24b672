// Looks at an unattended run from another process.

import { readLive } from '../../adapters/run/liveFile.ts';
import type { Log } from '../../core/ports/system.ts';
import type { WatchedNight } from '../../core/run/live.ts';
import { openLedger } from './memory.ts';
import { nightsIn, type NightRequest } from './night.ts';
import { nightPlaces } from './places.ts';
import { wishesIn } from './tryWish.ts';
import { createNights } from './windowNights.ts';

/** What the newest run does at one moment. */
export interface Look {
  /** True if a process works on a run. */
  readonly isRunning: boolean;
  /** The newest night; null if none was started. */
  readonly watched: WatchedNight | null;
}

/** What the newest run of a repository does now. Throws `damaged` if the ledger cannot be read. */
export async function lookAtNight(rootDir: string, env: NightRequest['env'], log: Log): Promise<Look> {
  const { state, folder } = nightPlaces(rootDir, env);
  const repository = await openLedger(state, log);
  try {
    const night = (await nightsIn(repository.ledger)).at(-1);
    const isRunning = await createNights({ env, log }).isRunning(rootDir);
    if (!night) return { isRunning, watched: null };
    const wishes = (await wishesIn(repository.ledger)).map(({ text }) => text);
    return { isRunning, watched: { night, live: isRunning ? await readLive(folder) : null, wishes } };
  } finally {
    await repository.close();
  }
}
