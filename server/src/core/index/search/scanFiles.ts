// Searches the text of files on disk, one after the other, while they are not indexed yet.

import { createScan } from './scan.ts';
import type { SourceTree } from '../../ports/sources.ts';
import type { ScannedWindow } from '../jobs.ts';

/**
 * Maximum number of bytes of all files together. Files beyond it are found only after they are indexed. Searching so
 * many bytes takes about 2 s on a slow processor.
 */
const MAX_BYTES = 128 * 1024 * 1024;

/**
 * Searches the files in the order of `paths`, and returns the best `top` windows, best first. Files that cannot be read
 * or are not text are skipped.
 */
export function scanFiles(tree: SourceTree, paths: readonly string[], query: string, top: number): ScannedWindow[] {
  const scan = createScan(query);
  if (!scan || top <= 0) return [];
  let remainingBytes = MAX_BYTES;
  for (const path of paths) {
    const bytes = tree.bytes(path);
    if (!bytes || bytes.includes(0)) continue;
    if ((remainingBytes -= bytes.length) < 0) break;
    scan.add(
      path,
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(scan.isPlain ? 'latin1' : 'utf8'),
    );
  }
  return scan.findBest(top);
}
