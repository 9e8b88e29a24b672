// What a sandbox is lent: what a set-up has kept, as long as the files that shaped it are as they were.

import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { shapeOf, shapingFiles } from '../../core/setup/shaping.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { readBelow } from '../files/door.ts';
import type { RepositoryContent } from '../sandbox/repositoryContent.ts';
import { AS_INSTALLED, type Lends } from '../sandbox/sandbox.ts';
import { MANAGER, TREE, type KeptTrees } from './keptTrees.ts';
import { managerPrograms } from './packages.ts';

/** For the scratch copy of an installation. */
export const NOTHING: Lends = { kept: [], installed: false, programs: [], shown: [] };

/** Without a set-up that fits the files of now, the packages that the user has installed. */
export async function lendsFor(kept: KeptTrees, content: RepositoryContent, signal: AbortSignal): Promise<Lends> {
  const tree = await kept.lent();
  if (tree === null || (await shapeHere(content, signal)) !== tree.shape) return AS_INSTALLED;
  const place = await realpath(kept.place(tree.name));
  const root = join(place, TREE);
  return {
    kept: tree.entries.map((path) => ({ root, path })),
    installed: false,
    programs: managerPrograms(join(place, MANAGER)).filter((folder) => existsSync(folder)),
    shown: existsSync(join(place, MANAGER)) ? [join(place, MANAGER)] : [],
  };
}

async function shapeHere({ top, prefix, files }: RepositoryContent, signal: AbortSignal): Promise<string> {
  const root = await realpath(join(top, prefix));
  const here = files.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  const contents: { readonly path: string; readonly bytes: Uint8Array | null }[] = [];
  for (const path of shapingFiles([...new Set(here)])) {
    throwIfCancelled(signal);
    contents.push({ path, bytes: await bytesOf(root, path) });
  }
  return shapeOf(contents);
}

async function bytesOf(root: string, path: string): Promise<Uint8Array | null> {
  try {
    return await readBelow(root, path);
  } catch (error) {
    if (error instanceof SelfwareError && error.reason === 'unreadable') return null;
    throw error;
  }
}
