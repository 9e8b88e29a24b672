// Measures the size of files and folders.

import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Bytes of a file, or of all files in a folder and its folders. Links are not followed. Whatever cannot be read counts
 * as 0.
 */
export async function measureBytes(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => null);
  if (!stats?.isDirectory()) return stats?.size ?? 0;
  let bytes = 0;
  for (const name of await readdir(path).catch(() => [])) bytes += await measureBytes(join(path, name));
  return bytes;
}
