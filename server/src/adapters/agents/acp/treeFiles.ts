// Reads and writes files of the work tree at the request of an agent. Runs in the enclosure together with the agent, so
// it can access only the files that the agent can access. The change is later read from the tree, not from these
// requests.

import { RequestError } from '@agentclientprotocol/sdk';
import { lstat, mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { readBelow } from '../../files/safeRead.ts';
import { isInTree } from './permission.ts';
import { decodeUtf8 } from '../../../util/values/bytes.ts';

/** Maximum number of bytes of a file. A larger one cannot be part of a change either. */
const MAX_FILE_BYTES = 1024 * 1024;

/**
 * The text of a file, or `limit` lines from `line` (1-based) on. Throws a RequestError if the file is missing, too
 * large, not in UTF-8 or outside of the tree.
 */
export async function readTreeText(
  root: string,
  { path, line, limit }: { path: string; line?: number | null | undefined; limit?: number | null | undefined },
): Promise<string> {
  const relativePath = relative(root, resolveTreePath(root, path));
  const bytes = await readBelow(await realpath(root), relativePath, MAX_FILE_BYTES).catch(() => {
    throw createRefusal(path, 'is not a file, or is too large');
  });
  if (bytes === null) throw RequestError.resourceNotFound(path);
  const text = decodeUtf8(bytes);
  if (text === null) throw createRefusal(path, 'is not text in UTF-8');
  if (line === undefined && limit === undefined) return text;
  const firstIndex = Math.max(0, (line ?? 1) - 1);
  const lines = text.split(/(?<=\n)/);
  return lines
    .slice(firstIndex, limit === undefined || limit === null ? undefined : firstIndex + Math.max(0, limit))
    .join('');
}

/**
 * Replaces or creates a file, and creates the folders above it. Throws a RequestError if the text is too large, if a
 * link or something other than a file is in the way, or if the path is outside of the tree.
 */
export async function writeTreeText(root: string, path: string, content: string): Promise<void> {
  if (Buffer.byteLength(content) > MAX_FILE_BYTES) throw createRefusal(path, 'would be too large');
  const segments = relative(root, resolveTreePath(root, path)).split(/[\\/]/);
  // Checks every folder above the file before creating a folder in it.
  for (const index of segments.keys()) {
    const folder = join(root, ...segments.slice(0, index));
    const stats = await lstat(folder).catch(() => null);
    if (stats !== null && !stats.isDirectory()) throw createRefusal(path, 'is behind a link or a file');
  }
  const absolutePath = resolveTreePath(root, path);
  const stats = await lstat(absolutePath).catch(() => null);
  if (stats !== null && !stats.isFile()) throw createRefusal(path, 'is not a file');
  try {
    await mkdir(dirname(absolutePath), { recursive: true });
    await writeFile(absolutePath, content);
  } catch (error) {
    throw createRefusal(path, `cannot be written: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`);
  }
}

/** The absolute path. Throws a RequestError if it is not below the root. */
function resolveTreePath(root: string, path: string): string {
  if (!isInTree(root, path)) throw createRefusal(path, 'lies outside of the repository');
  return isAbsolute(path) ? path : join(root, path);
}

function createRefusal(path: string, reason: string): RequestError {
  return RequestError.invalidParams(undefined, `${path.slice(0, 200)} ${reason}.`);
}
