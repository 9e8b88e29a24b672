// Computes from the commits of a repository how active its files are.

import type { RepositorySignals } from './searcher.ts';
import { HALF_LIFE_MS } from './weights.ts';
import type { Commit } from '../../ports/git.ts';

/**
 * The commits, and the activity of each file by path. A commit that touches n files counts 1/√n for each of them,
 * because a large commit is less characteristic of a single file. Age is measured from the newest commit, so that a
 * result does not depend on the current day.
 */
export function computeHistorySignals(commits: readonly Commit[]): Pick<RepositorySignals, 'commits' | 'activity'> {
  const newestMs = commits.reduce((newest, { atMs }) => Math.max(newest, atMs), 0);
  const activity = new Map<string, number>();
  for (const { atMs, paths } of commits) {
    const weight = 0.5 ** ((newestMs - atMs) / HALF_LIFE_MS) / Math.sqrt(paths.length);
    for (const path of paths) activity.set(path, (activity.get(path) ?? 0) + weight);
  }
  return { commits, activity };
}
