// Names what the files of a repository would have a package manager install.

import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangedFiles } from '../../core/ports/sandbox.ts';
import { asksForNothing, shapeOf, shapingFiles, type ShapingFile } from '../../core/setup/shaping.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { readBelow } from '../files/door.ts';
import type { RepositoryContent } from '../sandbox/repositoryContent.ts';

/** Of the files of now, with the changes (by paths below the root); null: they ask for no packages. */
export async function shapeHere(
  { top, prefix, files }: RepositoryContent,
  changed: ChangedFiles,
  signal: AbortSignal,
): Promise<string | null> {
  const root = await realpath(join(top, prefix));
  const here = files.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  const contents: ShapingFile[] = [];
  for (const path of shapingFiles([...new Set([...here, ...changed.keys()])])) {
    throwIfCancelled(signal);
    const bytes = changed.get(path);
    // One that a change removes is not among the files of a set-up after it.
    if (bytes !== null) contents.push({ path, bytes: bytes ?? (await bytesOf(root, path)) });
  }
  return asksForNothing(contents) ? null : shapeOf(contents);
}

async function bytesOf(root: string, path: string): Promise<Uint8Array | null> {
  try {
    return await readBelow(root, path);
  } catch (error) {
    if (error instanceof SelfwareError && error.reason === 'unreadable') return null;
    throw error;
  }
}
