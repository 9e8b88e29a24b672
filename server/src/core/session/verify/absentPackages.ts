// Finds which installed packages nothing needs once a dependency is removed, so that checks run without them.

import { posix } from 'node:path';
import { removedDependencies, type RemovedDependency } from '../../model/removedDependency.ts';
import type { FileEdit } from '../../model.ts';
import type { SessionContext } from '../context.ts';
import { neededNames, placesGone } from '../../verify/absence.ts';
import { readFresh } from '../search/remembering.ts';

/** Files that list what is installed, if no lock file changes with the manifest. */
const LISTS = ['package-lock.json', 'npm-shrinkwrap.json', 'node_modules/.package-lock.json', 'yarn.lock'] as const;

/**
 * The entries of node_modules that a removal makes superfluous, as paths from the root; none for other edits. If a lock
 * file changes, the two texts tell. If none does, it is each removed package, unless a list of what is installed says
 * that another package needs it.
 */
export async function absentWith(context: SessionContext, edits: readonly FileEdit[]): Promise<readonly string[]> {
  const removed = removedDependencies(edits);
  if (removed === null) return [];
  const fromLocks = edits.flatMap((edit) => placesGone(edit, removed));
  if (edits.some(({ path }) => posix.basename(path) !== 'package.json')) return [...new Set(fromLocks)];
  const needed = await neededElsewhere(context, removed);
  return removed.flatMap((one) => (needed.has(one.name) ? [] : placesAround(one)));
}

/** Names of packages that other installed packages, or other manifests of the repository, ask for. */
async function neededElsewhere(
  context: SessionContext,
  removed: readonly RemovedDependency[],
): Promise<ReadonlySet<string>> {
  const folders = new Set(['', ...removed.map(({ dir }) => dir)]);
  const lists = await Promise.all(
    [...folders].flatMap((folder) => LISTS.map((list) => readFresh(context, posix.join(folder, list)))),
  );
  return new Set(lists.flatMap((text) => (text === null ? [] : [...neededNames(text)])));
}

/** The places from which code in the folder would get the package. */
function placesAround({ dir, name }: RemovedDependency): string[] {
  const own = posix.join(dir, 'node_modules', name);
  return dir === '' ? [own] : [own, posix.join('node_modules', name)];
}
