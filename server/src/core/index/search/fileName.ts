// Reads the search terms in the name of a file.

import { extractTerms } from '../terms/terms.ts';

/** Usual names of a file that represents its folder. */
const ENTRY_NAMES = new Set(['index', 'mod', 'lib', 'main', 'init', '__init__']);
/** Folder names that only mean that the folder contains code. */
const PLAIN_FOLDERS = new Set(['src', 'source', 'lib', 'main']);

/**
 * Terms of a file's name without extension, each once. For a file that represents its folder, the terms of the
 * folder's name.
 */
export function extractFileNameTerms(path: string): readonly string[] {
  const folders = path.split('/');
  const stem = folders.pop()!.replace(/\.[^.]*$/, '');
  const folder = ENTRY_NAMES.has(stem) ? folders.findLast((name) => !PLAIN_FOLDERS.has(name)) : null;
  return [...new Set(extractTerms(folder ?? stem))];
}
