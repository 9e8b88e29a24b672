// Lets the command line improve a repository unattended for some minutes, and reads the outcome from the ledger.

import { spawn } from 'node:child_process';
import type { Points, Proposal } from '../../../server/src/core/model.ts';
import { compareScores } from '../../../server/src/core/score/pointsDifference.ts';
import { runChild } from '../support/childRun.ts';
import { cliEntry } from '../support/ours.ts';

/** The outcome of the run. */
export interface Alone {
  readonly proposals: readonly Proposal[];
  readonly passedOver: number;
  /** The total before the first change, and after the last one; null if the repository was never scored. */
  readonly points: readonly [number | null, number | null];
}

type Scored = { readonly data: { readonly points: Points | null } };

/** Milliseconds that the program has for its current work after it was told to stop. */
const GRACE_MS = 60_000;
const MAX_CHANGES = 1000;

/** Improves the repository `dir` for some minutes. `home`: a state folder that only this run uses. */
export async function improveAlone(dir: string, home: string, minutes: number, signal: AbortSignal): Promise<Alone> {
  const env = { ...process.env, SELFWARE_HOME: home, NO_COLOR: '1' };
  await runUntilStopped(
    [
      cliEntry,
      'improve',
      '--repo',
      dir,
      '--infinite',
      '--auto',
      '--approval',
      'minimal',
      '--max-changes',
      String(MAX_CHANGES),
      '--json',
    ],
    env,
    dir,
    minutes * 60_000,
    signal,
  );
  // The exit code 1 means that some proposals wait for a decision.
  const readJson = async (args: readonly string[]): Promise<unknown> =>
    JSON.parse(
      (await runChild(process.execPath, [cliEntry, ...args, '--repo', dir, '--json'], env, dir, signal, [0, 1])).stdout,
    );
  const proposals = (await readJson(['proposals', 'list', '--all'])) as Proposal[];
  const attempts = (await readJson(['ledger', 'query', '--type', 'attempt', '--limit', '100000'])) as {
    data: { outcome: string };
  }[];
  const points = (await readJson(['ledger', 'query', '--type', 'points', '--limit', '100000'])) as Scored[];
  const scores = points.flatMap(({ data }) => data.points ?? []);
  return {
    proposals,
    passedOver: attempts.filter(({ data }) => data.outcome === 'refused').length,
    points: [scores[0]?.total ?? null, sumGains(scores)],
  };
}

/**
 * The first total plus the gain of each step. Categories that became unknown on the way, such as coverage by an
 * outdated report, count as unchanged.
 */
function sumGains(scores: readonly Points[]): number | null {
  return scores.reduce<number | null>(
    (total, points, index) =>
      index === 0 ? points.total : (total ?? 0) + compareScores(scores[index - 1]!, points).gain,
    null,
  );
}

/**
 * Runs Node with these arguments until the program ends. After `ms` milliseconds, or if `signal` is aborted, the
 * program gets SIGINT, as by Ctrl-C. Rejects if it ends with another code than 0 or 1 without having been stopped.
 */
export function runUntilStopped(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (data) => (stderr = (stderr + data).slice(-4000)));
    let isStopped = false;
    const stop = () => {
      isStopped = true;
      child.kill('SIGINT');
      setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
    };
    const timer = setTimeout(stop, ms);
    signal.addEventListener('abort', stop, { once: true });
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      if (isStopped || code === 0 || code === 1) resolve();
      else reject(new Error(`selfware improve ended with ${code}:\n${stderr}`));
    });
  });
}
