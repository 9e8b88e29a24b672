// Finds the packages that are shared with sandboxes: the result of a set-up, as long as the files that determined it
// are unchanged.

import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangedFiles } from '../../core/ports/sandbox.ts';
import type { RepositoryContent } from '../sandbox/repositoryContent.ts';
import { ONLY_INSTALLED_PACKAGES, type PackageSources } from '../sandbox/sandbox.ts';
import { MANAGER_FOLDER, TREE_FOLDER, type PackageTrees } from './packageTrees.ts';
import { findManagerPrograms } from './packages.ts';
import { computeCurrentShape } from './currentShape.ts';

/** No packages: for the scratch copy of an installation, and for files that need none. */
export const NO_PACKAGES: PackageSources = { storedTrees: [], sharesInstalled: false, programs: [], shownFolders: [] };

/**
 * The packages that are shared for the current files with the changes. If no set-up fits them, those that the user has
 * installed.
 */
export async function findPackageSources(
  packageTrees: PackageTrees,
  content: RepositoryContent,
  changed: ChangedFiles,
  signal: AbortSignal,
): Promise<PackageSources> {
  const tree = await packageTrees.fitting(() => computeCurrentShape(content, changed, signal));
  if (tree === null) return ONLY_INSTALLED_PACKAGES;
  if (tree === 'none') return NO_PACKAGES;
  const absolutePath = await realpath(packageTrees.place(tree.name));
  const root = join(absolutePath, TREE_FOLDER);
  return {
    storedTrees: tree.entries.map((path) => ({ root, path })),
    sharesInstalled: false,
    programs: findManagerPrograms(join(absolutePath, MANAGER_FOLDER)).filter((folder) => existsSync(folder)),
    shownFolders: existsSync(join(absolutePath, MANAGER_FOLDER)) ? [join(absolutePath, MANAGER_FOLDER)] : [],
  };
}
