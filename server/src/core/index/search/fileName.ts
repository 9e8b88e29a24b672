// What the name of a file says about it.

import { termsOf } from '../terms/terms.ts';

/** Names by which languages and habit call the file that stands for its folder. */
const entryNames = new Set(['index', 'mod', 'lib', 'main', 'init', '__init__']);
/** Folders whose names say only that they hold code. */
const plainFolders = new Set(['src', 'source', 'lib', 'main']);

/** Terms of a file's name without extension, each once; for a file that stands for its folder, of the folder's name. */
export function fileNameOf(path: string): readonly string[] {
  const folders = path.split('/');
  const stem = folders.pop()!.replace(/\.[^.]*$/, '');
  const folder = entryNames.has(stem) ? folders.findLast((name) => !plainFolders.has(name)) : null;
  return [...new Set(termsOf(folder ?? stem))];
}
