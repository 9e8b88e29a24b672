// Runs one unattended night with a budget of processor time, and reads its outcome from the ledgers.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolveNightFolders } from '../../../server/src/app/nights/nightFolders.ts';
import type { LedgerEvent } from '../../../server/src/core/ledger/events.ts';
import type { NightChange, NightMiss } from '../../../server/src/core/model/nights.ts';
import { runChild, sampleProcess } from '../support/childRun.ts';
import { cliEntry } from '../support/ours.ts';

/** The outcome of one night. */
export interface NightOutcome {
  readonly kept: readonly Pick<NightChange, 'title' | 'rule' | 'strength' | 'paths'>[];
  /** The kind of the claim of each kept change; null without a claim. */
  readonly claims: readonly (string | null)[];
  readonly missed: readonly Pick<NightMiss, 'what' | 'title' | 'rule' | 'path' | 'reason'>[];
  /** Attempts that a recipe refused, as the recipe and the id of the opportunity. */
  readonly declined: readonly string[];
  readonly mutants: number;
  readonly searches: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** The reason why it ended, in the words of the night; `budget` if its processor time was used up. */
  readonly end: string;
}

/** An event of a ledger with its time. */
type Stored = { readonly at: number } & LedgerEvent;

const MAX_CHANGES = 1000;
const POLL_MS = 250;
/** A night ends at the latest after this many times its budget, by the clock. */
const WALL_FACTOR = 3;
/** Milliseconds that the night has to end after it was told to. */
const GRACE_MS = 60_000;

/**
 * Runs the night. `dir`: a path without symbolic links. `home`: the state folder. `minutes`: the budget of processor
 * time.
 */
export async function runNightWithin(
  dir: string,
  home: string,
  minutes: number,
  signal: AbortSignal,
): Promise<NightOutcome> {
  const env = { ...process.env, SELFWARE_HOME: home, SELFWARE_IGNORE_LOAD: '1', NO_COLOR: '1' };
  const startedAt = Date.now();
  const { cpuMs, isUsedUp } = await spawnNight(dir, env, minutes, signal);
  const wallSeconds = (Date.now() - startedAt) / 1000;
  const nightFolders = resolveNightFolders(dir, env);
  const readEvents = async (
    repo: string,
    environment: NodeJS.ProcessEnv,
    types: readonly string[],
  ): Promise<readonly Stored[]> => {
    const args = [cliEntry, 'ledger', 'query', '--limit', '1000000', '--repo', repo, '--json', '--type', ...types];
    const events = JSON.parse((await runChild(process.execPath, args, environment, repo, signal)).stdout) as Stored[];
    return events.filter(({ at }) => at >= startedAt);
  };
  const night = await readEvents(dir, env, ['nightCommitted', 'nightMissed', 'nightSearched', 'nightEnded']);
  // A run that ends before its analysis leaves no copy of the repository.
  const attempts = existsSync(nightFolders.tree)
    ? await readEvents(nightFolders.tree, nightFolders.env, ['attempt'])
    : [];
  const changes = night.flatMap((event) => (event.type === 'nightCommitted' ? [event.data.change] : []));
  const searchEvents = night.flatMap((event) => (event.type === 'nightSearched' ? [event.data] : []));
  const endReasons = night.flatMap((event) => (event.type === 'nightEnded' ? [event.data.reason] : []));
  return {
    kept: changes.map(({ title, rule, strength, paths }) => ({ title, rule, strength, paths })),
    claims: changes.map(({ claim }) => claim?.kind ?? null),
    missed: night.flatMap((event) => {
      if (event.type !== 'nightMissed') return [];
      const { what, title, rule, path, reason } = event.data.miss;
      return [{ what, title, rule, path, reason }];
    }),
    declined: attempts.flatMap((event) =>
      event.type === 'attempt' && event.data.outcome === 'refused'
        ? [`${event.data.recipe} ${event.data.opportunity}`]
        : [],
    ),
    mutants: searchEvents.reduce((sum, { mistakes }) => sum + (mistakes?.tried ?? 0), 0),
    searches: searchEvents.length,
    cpuSeconds: cpuMs / 1000,
    wallSeconds,
    end: isUsedUp ? 'budget' : (endReasons.at(-1) ?? 'unknown'),
  };
}

/** Runs the process of the night. If it has used up its budget, it is told to end. */
function spawnNight(
  dir: string,
  env: NodeJS.ProcessEnv,
  minutes: number,
  signal: AbortSignal,
): Promise<{ readonly cpuMs: number; readonly isUsedUp: boolean }> {
  return new Promise((resolve, reject) => {
    const limits = ['--for', `${Math.ceil(minutes * WALL_FACTOR)}m`, '--no-wait'];
    const args = [cliEntry, 'night', 'run', '--repo', dir, ...limits, '--max-changes', String(MAX_CHANGES)];
    const child = spawn(process.execPath, args, { env, cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (data) => (stderr = (stderr + data).slice(-4000)));
    let cpuMs = 0;
    let isUsedUp = false;
    const stopChild = () => {
      child.kill('SIGINT');
      setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
    };
    const timer = setInterval(() => {
      cpuMs = Math.max(cpuMs, sampleProcess(child.pid)?.cpuMs ?? 0);
      if (isUsedUp || cpuMs < minutes * 60_000) return;
      isUsedUp = true;
      stopChild();
    }, POLL_MS);
    signal.addEventListener('abort', stopChild, { once: true });
    const dispose = () => {
      clearInterval(timer);
      signal.removeEventListener('abort', stopChild);
    };
    child.on('error', (error) => {
      dispose();
      reject(error);
    });
    child.on('close', (code) => {
      dispose();
      if (signal.aborted) reject(signal.reason as Error);
      else if (isUsedUp || code === 0) resolve({ cpuMs, isUsedUp });
      else reject(new Error(`selfware night ended with ${code}:\n${stderr}`));
    });
  });
}
