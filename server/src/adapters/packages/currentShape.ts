// Computes the shape of a repository's files, which determines what a package manager would install.

import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangedFiles } from '../../core/ports/sandbox.ts';
import {
  needsNoPackages,
  hashShapingFiles,
  selectShapingFiles,
  type ShapingFile,
} from '../../core/setup/shapingFiles.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { readBelow } from '../files/safeRead.ts';
import type { RepositoryContent } from '../sandbox/repositoryContent.ts';

/** The shape of the current files with the changes (by paths below the root); null if they need no packages. */
export async function computeCurrentShape(
  { top, prefix, files }: RepositoryContent,
  changed: ChangedFiles,
  signal: AbortSignal,
): Promise<string | null> {
  const root = await realpath(join(top, prefix));
  const belowRoot = files.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  const contents: ShapingFile[] = [];
  for (const path of selectShapingFiles([...new Set([...belowRoot, ...changed.keys()])])) {
    throwIfCancelled(signal);
    const bytes = changed.get(path);
    // The bytes are null for a file that a change removes.
    if (bytes !== null) contents.push({ path, bytes: bytes ?? (await readBytesOrNull(root, path)) });
  }
  return needsNoPackages(contents) ? null : hashShapingFiles(contents);
}

/** The bytes of a file below the root; null if it cannot be read. */
async function readBytesOrNull(root: string, path: string): Promise<Uint8Array | null> {
  try {
    return await readBelow(root, path);
  } catch (error) {
    if (error instanceof SelfwareError && error.reason === 'unreadable') return null;
    throw error;
  }
}
