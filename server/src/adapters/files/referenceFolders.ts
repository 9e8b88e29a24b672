// Finds other repositories on this machine: in the folders beside the open one, and below roots that a person named.

import { existsSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';
import type { ReferenceRepository } from '../../core/ports/references.ts';

/** Maximum number of repositories. */
const MAX_REPOSITORIES = 30;

/**
 * The repositories, those below named roots first, each once. A root may be a repository itself; otherwise its folders
 * are looked at. Links are followed once. The open repository, those around it and those in it are left out.
 */
export async function findReferences(
  rootDir: string,
  roots: readonly string[],
): Promise<readonly ReferenceRepository[]> {
  const found = new Map<string, ReferenceRepository>();
  const add = (folder: string, how: ReferenceRepository['found']) => {
    if (!found.has(folder) && !overlaps(folder, rootDir)) found.set(folder, { folder, found: how });
  };
  for (const root of roots.filter((one) => isAbsolute(one)))
    for (const folder of await repositoriesIn(root)) add(folder, 'named');
  for (const folder of await repositoriesIn(dirname(rootDir))) add(folder, 'beside');
  return [...found.values()].slice(0, MAX_REPOSITORIES);
}

async function repositoriesIn(root: string): Promise<readonly string[]> {
  if (isRepository(root)) return [await realpath(root)];
  const names = await readdir(root).catch(() => []);
  const folders = names.map((name) => join(root, name)).filter(isRepository);
  return Promise.all(folders.map((folder) => realpath(folder)));
}

function isRepository(folder: string): boolean {
  return existsSync(join(folder, '.git'));
}

function overlaps(one: string, other: string): boolean {
  return one === other || one.startsWith(other + sep) || other.startsWith(one + sep);
}
