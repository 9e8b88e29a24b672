// Computes one hash per folder from the hashes of its contents, so that two trees can be compared folder by folder
// without reading a file. Merkle, "A Digital Signature Based on a Conventional Encryption Function", 1987.

import { createHash } from 'node:crypto';

/**
 * The hash of each folder by its path; the root is `''`. Without files, the result is empty. The order of `files` does
 * not matter.
 */
export function computeFolderHashes(
  files: Iterable<{ readonly path: string; readonly hash: string }>,
): ReadonlyMap<string, string> {
  const entries = new Map<string, string[]>();
  const addEntry = (path: string, entry: string): void => {
    const index = path.lastIndexOf('/');
    const folder = index < 0 ? '' : path.slice(0, index);
    const children = entries.get(folder);
    if (children) children.push(entry);
    else entries.set(folder, [entry]);
  };
  for (const { path, hash } of files) addEntry(path, `file ${hash} ${nameOf(path)}`);
  for (const folder of [...entries.keys()]) addFoldersAbove(folder, entries);
  const hashes = new Map<string, string>();
  // Deepest first, so that the hashes of a folder's subfolders are known when the folder is hashed.
  for (const folder of [...entries.keys()].sort((a, b) => depthOf(b) - depthOf(a))) {
    const hash = createHash('sha256').update(entries.get(folder)!.sort().join('\0')).digest('hex');
    hashes.set(folder, hash);
    if (folder !== '') addEntry(folder, `folder ${hash} ${nameOf(folder)}`);
  }
  return hashes;
}

/** Adds an empty entry for each folder above `folder` that has none, because it contains only folders. */
function addFoldersAbove(folder: string, entries: Map<string, string[]>): void {
  for (let index = folder.lastIndexOf('/'); folder !== ''; index = folder.lastIndexOf('/', index - 1)) {
    const parent = index < 0 ? '' : folder.slice(0, index);
    if (!entries.has(parent)) entries.set(parent, []);
    if (index < 0) return;
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}
