// Finds .gitignore and .gitattributes files that are pipes or devices: git would wait for them forever.

import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const READ_BY_GIT = new Set(['.gitignore', '.gitattributes']);
const NEVER_ENTERED = new Set(['.git', 'node_modules']);
/** Maximum number of folders that are searched. In a repository with more, git is slow anyway. */
const MAX_FOLDERS = 50_000;

/**
 * The path of a pipe that git would read, below `dir` or in a folder above it; null if the search, of at most
 * `MAX_FOLDERS` folders, finds none.
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
