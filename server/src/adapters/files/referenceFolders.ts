// Finds other repositories on this machine: next to the open one, and below roots that a person has named.

import { existsSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { ReferenceRepository } from '../../core/ports/references.ts';
import { readRegular } from './safeRead.ts';

/** Maximum number of bytes of a file in which git names another folder. Such files are short. */
const MAX_POINTER_BYTES = 65_536;

/** Maximum number of repositories that are returned. */
const MAX_REPOSITORIES = 30;

/**
 * The repositories, each once, those below named roots first. A named root may be a repository itself; otherwise the
 * folders directly in it are examined, including links to folders. Relative roots are skipped. Skips the open
 * repository, its other work trees, and repositories around or inside it. Returns at most `MAX_REPOSITORIES`.
 */
export async function findReferenceRepositories(
  rootDir: string,
  roots: readonly string[],
): Promise<readonly ReferenceRepository[]> {
  const references: ReferenceRepository[] = [];
  const knownGitFolders = new Set([await findSharedGitFolder(findTopFolder(rootDir))]);
  const addReference = async (folder: string, reason: ReferenceRepository['found']) => {
    const gitFolder = await findSharedGitFolder(folder);
    if (!knownGitFolders.has(gitFolder) && !foldersOverlap(folder, rootDir)) references.push({ folder, found: reason });
    knownGitFolders.add(gitFolder);
  };
  for (const root of roots.filter((root) => isAbsolute(root)))
    for (const folder of await findRepositories(root)) await addReference(folder, 'named');
  for (const folder of await findRepositories(dirname(rootDir))) await addReference(folder, 'beside');
  return references.slice(0, MAX_REPOSITORIES);
}

async function findRepositories(root: string): Promise<readonly string[]> {
  if (isRepository(root)) return resolveFolders([root]);
  const names = await readdir(root).catch(() => []);
  const folders = names.map((name) => join(root, name)).filter(isRepository);
  return resolveFolders(folders);
}

/** The real paths of the folders; skips folders that cannot be resolved. */
async function resolveFolders(folders: readonly string[]): Promise<readonly string[]> {
  const realPaths = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
  return realPaths.filter((place) => place !== null);
}

/** The top of the repository around a folder; the folder itself if there is none. */
function findTopFolder(folder: string): string {
  for (let top = folder; top !== dirname(top); top = dirname(top)) if (isRepository(top)) return top;
  return folder;
}

/** The real path of the git folder that all work trees of a repository share. */
async function findSharedGitFolder(folder: string): Promise<string> {
  const gitEntry = join(folder, '.git');
  const text = await readSmallText(gitEntry, '');
  const workTreeGitFolder = resolve(folder, /^gitdir: (.+)/.exec(text)?.[1]?.trim() ?? gitEntry);
  const common = (await readSmallText(join(workTreeGitFolder, 'commondir'), '.')).trim();
  const path = resolve(workTreeGitFolder, common);
  return realpath(path).catch(() => path);
}

function isRepository(folder: string): boolean {
  return existsSync(join(folder, '.git'));
}

function foldersOverlap(folder: string, otherFolder: string): boolean {
  return folder === otherFolder || folder.startsWith(otherFolder + sep) || otherFolder.startsWith(folder + sep);
}

/** The text of a small file of git; `otherwise` if it cannot be read. */
async function readSmallText(path: string, otherwise: string): Promise<string> {
  try {
    return Buffer.from(await readRegular(path, path, MAX_POINTER_BYTES)).toString('utf8');
  } catch {
    return otherwise;
  }
}
