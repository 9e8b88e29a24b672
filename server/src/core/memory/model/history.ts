// Finds recent changes, and hot spots: complex files that change often.

import type { Millis } from '../../model.ts';
import type { Commit } from '../../ports/git.ts';
import type { StoredEvent } from '../../ports/ledger.ts';
import type { FileRecord } from '../../ports/catalogue.ts';

/** A commit, or a change or rollback by Selfware. */
export interface RecentChange {
  readonly kind: 'commit' | 'change' | 'rollback';
  readonly at: Millis;
  readonly title: string;
  /**
   * Id of the state before: for a commit, its parent revision; for a change of Selfware, the checkpoint for rolling it
   * back. Null for a rollback, for the oldest known commit, and if the checkpoint is not known.
   */
  readonly before: string | null;
  /**
   * Id of the state after: for a commit, its revision; for a change of Selfware, its proposal; for a rollback, its
   * checkpoint.
   */
  readonly after: string | null;
  /** Hashes of file contents are known only for changes of Selfware. */
  readonly files: readonly { readonly path: string; readonly before: string | null; readonly after: string | null }[];
}

/** A complex file that changes often. */
export interface HotSpot {
  readonly path: string;
  /** Number of the examined commits that touched it. */
  readonly commits: number;
  /** Sum of the cyclomatic complexity of its functions. */
  readonly complexity: number;
}

/** Maximum number of changes, of which the newest are returned. */
const MAX_CHANGES = 100;

/** Changes by Selfware and commits, newest first. */
export function findRecentChanges(events: readonly StoredEvent[], commits: readonly Commit[]): RecentChange[] {
  const appliedChanges = events.flatMap((event): RecentChange[] => {
    const data = (event.data ?? {}) as { proposal?: unknown; checkpoint?: unknown };
    if (event.type === 'rolledBack')
      return [
        {
          kind: 'rollback',
          at: event.at,
          title: `Checkpoint ${String(data.checkpoint)} was restored`,
          before: null,
          after: String(data.checkpoint),
          files: [],
        },
      ];
    const checkpoint = data.checkpoint as { id?: string; title?: string; files?: RecentChange['files'] } | undefined;
    if (event.type !== 'applied' || !checkpoint?.files) return [];
    return [
      {
        kind: 'change',
        at: event.at,
        title: checkpoint.title ?? '',
        before: checkpoint.id ?? null,
        after: String(data.proposal),
        files: checkpoint.files.map(({ path, before, after }) => ({ path, before, after })),
      },
    ];
  });
  // `^` is git's notation for the parent, which may not exist for the last known commit.
  const commitChanges = commits.slice(0, MAX_CHANGES).map(
    ({ hash, atMs, subject, paths }, index): RecentChange => ({
      kind: 'commit',
      at: atMs,
      title: subject,
      before: index < commits.length - 1 ? `${hash}^` : null,
      after: hash,
      files: paths.map((path) => ({ path, before: null, after: null })),
    }),
  );
  return [...appliedChanges, ...commitChanges].sort((a, b) => b.at - a.at).slice(0, MAX_CHANGES);
}

/**
 * At most `limit` files that change often and are complex, the largest product of commits and complexity first. Only
 * files with measured functions and a commit count.
 */
export function findHotSpots(
  ownFiles: readonly FileRecord[],
  complexity: ReadonlyMap<string, number>,
  commits: readonly Commit[],
  limit: number,
): HotSpot[] {
  const commitCounts = new Map<string, number>();
  for (const { paths } of commits) for (const path of paths) commitCounts.set(path, (commitCounts.get(path) ?? 0) + 1);
  return ownFiles
    .filter(({ path }) => complexity.has(path) && commitCounts.has(path))
    .map(({ path }) => ({ path, commits: commitCounts.get(path)!, complexity: complexity.get(path)! }))
    .sort((a, b) => b.commits * b.complexity - a.commits * a.complexity || (a.path < b.path ? -1 : 1))
    .slice(0, limit);
}
