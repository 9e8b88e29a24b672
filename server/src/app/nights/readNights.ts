// Reads the nights of a repository, and how the newest run ended.

import { determineEndOfRun, type EndFacts, type EndOfRun } from '../../core/run/endOfRun.ts';
import { resolveNightFolders } from './nightFolders.ts';
import { loadNights, type NightRequest } from './night.ts';
import { openLedger } from './sharedKnowledge.ts';

/** The nights of a repository, oldest first; empty if none was started. */
export async function readNights(rootDir: string, env: NightRequest['env'], log: NightRequest['log']) {
  const { state } = resolveNightFolders(rootDir, env);
  const repository = await openLedger(state, log);
  try {
    return await loadNights(repository.ledger);
  } finally {
    await repository.close();
  }
}

/**
 * Returns whether the newest run of a repository is over, and the facts that show it. Throws the errors of the ledger.
 */
export async function readEndOfRun(
  rootDir: string,
  { env, log }: Pick<NightRequest, 'env' | 'log'>,
  { sinceSequence, maxChanges }: Pick<EndFacts, 'sinceSequence' | 'maxChanges'>,
): Promise<EndOfRun> {
  const { ledger, close } = await openLedger(resolveNightFolders(rootDir, env).state, log);
  try {
    const [nights, isStopped] = [await loadNights(ledger), await ledger.isStopped()];
    return determineEndOfRun({ nights, sinceSequence, now: Date.now(), isStopped, maxChanges });
  } finally {
    await close();
  }
}
