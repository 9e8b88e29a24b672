// Finds the stored packages that sandboxes get, for threads that must not wait.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseJsonOrNull } from '../../util/parseJson.ts';
import { readRegularSync } from '../files/safeRead.ts';
import { SHARED_TREE_FILE, TREE_FOLDER, TREE_NAME_PATTERN } from './packageTrees.ts';

/**
 * The folder whose `node_modules` folders stand as below the top of the repository; null if `stateDir` has no shared
 * packages. Does not check whether they have changed, because their types decide nothing alone.
 */
export function findSharedTreeFolder(stateDir: string): string | null {
  const packagesFolder = join(stateDir, 'packages');
  const recordPath = join(packagesFolder, SHARED_TREE_FILE);
  if (!existsSync(recordPath)) return null;
  const bytes = readRegularSync(recordPath, SHARED_TREE_FILE);
  const sharedRecord = bytes && parseJsonOrNull(Buffer.from(bytes).toString('utf8'));
  const name = (sharedRecord as { readonly name?: unknown } | null | undefined)?.name;
  if (typeof name !== 'string' || !TREE_NAME_PATTERN.test(name)) return null;
  const folder = join(packagesFolder, name, TREE_FOLDER);
  return existsSync(folder) ? folder : null;
}
