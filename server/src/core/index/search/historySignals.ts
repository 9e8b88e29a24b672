// What the commits of a repository say of its files.

import type { Commit } from '../../indexPorts.ts';
import type { RepositorySignals } from './searcher.ts';

/** A commit that touches n files counts 1/√n for each: sweeping changes say little of a single file. */
export function historySignals(commits: readonly Commit[]): Pick<RepositorySignals, 'subjects' | 'activity'> {
  const subjects = new Map<string, string[]>();
  const activity = new Map<string, number>();
  for (const { subject, paths } of commits) {
    for (const path of paths) {
      const list = subjects.get(path);
      if (list) list.push(subject);
      else subjects.set(path, [subject]);
      activity.set(path, (activity.get(path) ?? 0) + 1 / Math.sqrt(paths.length));
    }
  }
  return { subjects, activity };
}
