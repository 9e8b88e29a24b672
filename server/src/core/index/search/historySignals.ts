// What the commits of a repository say about its files.
import type { RepositorySignals } from './searcher.ts';
import { HALF_LIFE_MS } from './weights.ts';
import type { Commit } from '../../ports/git.ts';

/**
 * A commit that touches n files counts 1/√n for each: sweeping changes say little of a single file. Age is counted from
 * the newest commit, so that an answer does not depend on the day.
 */
export function historySignals(commits: readonly Commit[]): Pick<RepositorySignals, 'commits' | 'activity'> {
  const newestMs = commits.reduce((newest, { atMs }) => Math.max(newest, atMs), 0);
  const activity = new Map<string, number>();
  for (const { atMs, paths } of commits) {
    const worth = 0.5 ** ((newestMs - atMs) / HALF_LIFE_MS) / Math.sqrt(paths.length);
    for (const path of paths) activity.set(path, (activity.get(path) ?? 0) + worth);
  }
  return { commits, activity };
}
