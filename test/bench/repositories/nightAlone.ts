// Lets an unattended run improve a copy of a repository for some minutes, as `selfware night` does, and reads the
// outcome from the ledger of the run.

import { existsSync } from 'node:fs';
import { resolveNightFolders } from '../../../server/src/app/nights/nightFolders.ts';
import type { Proposal } from '../../../server/src/core/model.ts';
import { runChild } from '../support/childRun.ts';
import { cliEntry } from '../support/ours.ts';
import { runUntilStopped } from './improveAlone.ts';

/** The outcome of the run. */
export interface Night {
  readonly proposals: readonly Proposal[];
  /** Number of attempts that recipes refused. */
  readonly passedOver: number;
}

const MAX_CHANGES = 1000;
/** Additional milliseconds that the run has to end in an orderly way after its time is over. */
const GRACE_MS = 120_000;

/** Runs the night. `dir`: a path without symbolic links. `home`: a state folder that only this run uses. */
export async function runNightAlone(dir: string, home: string, minutes: number, signal: AbortSignal): Promise<Night> {
  const env = { ...process.env, SELFWARE_HOME: home, NO_COLOR: '1' };
  const limits = ['--for', `${minutes}m`, '--no-wait', '--max-changes', String(MAX_CHANGES)];
  await runUntilStopped(
    [cliEntry, 'night', 'run', '--repo', dir, ...limits],
    env,
    dir,
    minutes * 60_000 + GRACE_MS,
    signal,
  );
  const nightFolders = resolveNightFolders(dir, env);
  // A run that ends before its analysis leaves no copy of the repository.
  if (!existsSync(nightFolders.tree)) return { proposals: [], passedOver: 0 };
  const readJson = async (args: readonly string[]): Promise<unknown> => {
    const commandWords = [cliEntry, ...args, '--repo', nightFolders.tree, '--json'];
    return JSON.parse(
      (await runChild(process.execPath, commandWords, nightFolders.env, nightFolders.tree, signal, [0, 1])).stdout,
    );
  };
  const attempts = (await readJson(['ledger', 'query', '--type', 'attempt', '--limit', '100000'])) as {
    data: { outcome: string };
  }[];
  return {
    proposals: (await readJson(['proposals', 'list', '--all'])) as Proposal[],
    passedOver: attempts.filter(({ data }) => data.outcome === 'refused').length,
  };
}
