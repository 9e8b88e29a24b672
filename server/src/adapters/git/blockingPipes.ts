// Finds .gitignore and .gitattributes files that are pipes or devices, for which git would wait forever.

import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Names of files that git reads in every folder. */
const READ_BY_GIT = new Set(['.gitignore', '.gitattributes']);
/** Names of folders that are not searched. */
const NEVER_ENTERED = new Set(['.git', 'node_modules']);
/** Maximum number of folders that are searched. Git is slow anyway in a repository with more of them. */
const MAX_FOLDERS = 50_000;

/**
 * The path of a pipe or device that git would read, in or below `dir` or in a folder above it. Null if none is found in
 * the first `MAX_FOLDERS` folders.
 */
export async function findPipeForGit(dir: string): Promise<string | null> {
  for (let parent = dirname(dir); dirname(parent) !== parent; parent = dirname(parent)) {
    for (const name of READ_BY_GIT) if (await isPipe(join(parent, name))) return join(parent, name);
  }
  const folders = [dir];
  for (let index = 0; index < folders.length && index < MAX_FOLDERS; index += 1) {
    const folder = folders[index]!;
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (READ_BY_GIT.has(entry.name) && (entry.isFIFO() || entry.isCharacterDevice())) return join(folder, entry.name);
      if (entry.isDirectory() && !NEVER_ENTERED.has(entry.name)) folders.push(join(folder, entry.name));
    }
  }
  return null;
}

async function isPipe(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  return stats !== null && (stats.isFIFO() || stats.isCharacterDevice());
}
