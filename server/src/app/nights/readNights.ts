// Reads what unattended runs have done.

import { nightPlaces } from './places.ts';
import { nightsIn, type NightRequest } from './night.ts';
import { openLedger } from './memory.ts';

export { openPullRequest } from '../../adapters/git/pullRequest.ts';

/** The nights of a repository, oldest first; empty if none was started. */
export async function readNights(rootDir: string, env: NightRequest['env'], log: NightRequest['log']) {
  const { state } = nightPlaces(rootDir, env);
  const repository = await openLedger(state, log);
  try {
    return await nightsIn(repository.ledger);
  } finally {
    await repository.close();
  }
}
