// Removes trees of runs that were moved aside, if nothing of them would be lost: at the start of a run those that are
// older than a week, and all of them if a person stops Selfware.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createGitRunner } from '../../../adapters/git/runGit.ts';
import { resolveStateFolder } from '../../../adapters/files/stateFolder.ts';
import type { Millis } from '../../../core/model.ts';
import { describeError } from '../../../util/typedError.ts';
import type { NightRequest } from '../night.ts';
import { resolveNightFolders } from '../nightFolders.ts';
import { listSetAsideTrees, removeSetAsideTrees } from './setAsideTrees.ts';
import { openLedger, type OpenLedger } from '../sharedKnowledge.ts';

/**
 * Removes them and returns their folders. `now`: the time by which a tree must be older than a week; null for all. A
 * failure is logged and removes nothing, because a tree that stays does no harm.
 */
export async function cleanTrees(
  { rootDir, env, log }: Pick<NightRequest, 'rootDir' | 'env' | 'log'>,
  now: Millis | null,
): Promise<readonly string[]> {
  const places = resolveNightFolders(rootDir, env);
  if ((await listSetAsideTrees(places.folder)).length === 0) return [];
  const ledgers: OpenLedger[] = [];
  try {
    const prefix = (await createGitRunner(rootDir).text(['rev-parse', '--show-prefix'])).trim();
    const states = [places.state, resolveStateFolder(join(places.tree, prefix), places.env)];
    for (const state of states) if (existsSync(join(state, 'ledger.db'))) ledgers.push(await openLedger(state, log));
    return await removeSetAsideTrees(
      places.folder,
      { rootDir, contents: ledgers.map((ledger) => ledger.contents) },
      now,
    );
  } catch (error) {
    log.write('warn', `Trees of runs that were moved aside were not removed: ${describeError(error)}`, error);
    return [];
  } finally {
    for (const ledger of ledgers) await ledger.close();
  }
}
