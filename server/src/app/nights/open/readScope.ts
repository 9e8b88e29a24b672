// Reads the scope of a run from the names that a person has typed or chosen.

import { createGitRunner } from '../../../adapters/git/runGit.ts';
import { isWorkKind, pickScope, WORK_KINDS, type WorkKind, type WorkScope } from '../../../core/model/workScope.ts';
import { isWithin } from '../../../util/pathWithin.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { requirePlaces, resolveRequestedPaths } from '../../namedPlaces.ts';

/** A scope as a person names it: paths absolute or relative to the root, kinds by their names. */
export interface NamedScope {
  readonly places: readonly string[];
  readonly excluded: readonly string[];
  readonly kinds: readonly string[] | null;
}

/**
 * The scope with paths relative to the root. Throws `usage` for a path that does not exist or is outside of the root,
 * for an unknown kind, and if nothing remains to work on.
 */
export function readScope(rootDir: string, { places, excluded, kinds }: NamedScope): WorkScope {
  requirePlaces([...places, ...excluded], rootDir);
  const placePaths = resolveRequestedPaths(rootDir, places);
  const excludedPaths = resolveRequestedPaths(rootDir, excluded);
  const looked = placePaths.length === 0 ? [''] : placePaths;
  if (looked.every((path) => isWithin(path, excludedPaths)))
    throw new SelfwareError('usage', 'Everything is excluded, so nothing is left to work on.', {
      action: 'Exclude less, or name other files or folders.',
    });
  return pickScope({
    places: placePaths.length === 0 ? null : placePaths,
    excluded: excludedPaths,
    kinds: kinds === null ? null : requireKinds(kinds),
  });
}

/** The named kinds in their usual order. Throws `usage` for an unknown kind, and if none is named. */
function requireKinds(names: readonly string[]): readonly WorkKind[] {
  const unknown = names.find((name) => !isWorkKind(name));
  if (unknown !== undefined || names.length === 0)
    throw new SelfwareError('usage', unknown ? `There is no kind of work “${unknown}”.` : 'No kind of work is named.', {
      action: `The kinds are ${WORK_KINDS.join(', ')}.`,
    });
  return WORK_KINDS.filter((kind) => names.includes(kind));
}

/** Maximum number of folders in a list, and maximum number of names in the path of a folder. */
const [MAX_FOLDERS, MAX_DEPTH] = [300, 3];

/**
 * Paths of the upper folders of the commit at HEAD, relative to the root, sorted. Other folders can be named at a
 * terminal.
 */
export async function listFolders(rootDir: string, signal: AbortSignal): Promise<readonly string[]> {
  const listing = await createGitRunner(rootDir).text(['ls-tree', '-r', '-d', '-z', '--name-only', 'HEAD'], { signal });
  return listing
    .split('\0')
    .filter((folder) => folder !== '' && folder.split('/').length <= MAX_DEPTH)
    .toSorted()
    .slice(0, MAX_FOLDERS);
}
