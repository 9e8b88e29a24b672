// What the name of a file says of it.

import { termsOf } from '../terms.ts';

export interface FileName {
  /** Terms of the name without extension, each once; for a file that stands for its folder, of the folder's name. */
  readonly terms: readonly string[];
  /** It is where one enters the folder. */
  readonly isEntry: boolean;
}

/** Names by which languages and habit call the file that stands for its folder. */
const entryNames = new Set(['index', 'mod', 'lib', 'main', 'init', '__init__']);
/** Folders that say no more than that there is code. */
const plainFolders = new Set(['src', 'source', 'lib', 'main']);

export function fileNameOf(path: string): FileName {
  const folders = path.split('/');
  const stem = folders.pop()!.replace(/\.[^.]*$/, '');
  const isEntry = entryNames.has(stem);
  const name = (isEntry ? folders.findLast((folder) => !plainFolders.has(folder)) : null) ?? stem;
  return { terms: [...new Set(termsOf(name))], isEntry };
}
