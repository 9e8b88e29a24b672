// Hashes the code that the hunks of a change replace. The hashes show whether a later change restores earlier code.

import { createHunks } from '../../core/propose/hunks.ts';
import type { FileEdit } from '../../core/model.ts';
import type { Turn } from '../../core/model/nights.ts';
import { sha256 } from '../../util/hash.ts';

/**
 * Maximum number of hunks of a change that are hashed. A change with more hunks is a rewrite, which no later change
 * reverts by chance.
 */
const MAX_HUNKS = 200;

/** The hashes of the old and the new text of each hunk; hunks that differ only in white space are skipped. */
export function hashHunks(edits: readonly FileEdit[]): readonly Turn[] {
  return createHunks(edits)
    .slice(0, MAX_HUNKS)
    .map(({ path, lines }) => ({ path, from: hashOf(lines, '-'), to: hashOf(lines, '+') }))
    .filter(({ from, to }) => from !== to);
}

/** The hash of one side of a hunk, without indentation and blank lines; '' if nothing remains. */
function hashOf(lines: readonly string[], sign: '-' | '+'): string {
  const text = lines
    .filter((line) => line.startsWith(sign) || line.startsWith(' '))
    .map((line) => line.slice(1).trim())
    .filter((line) => line !== '');
  return text.length === 0 ? '' : sha256(text.join('\n')).slice(0, 12);
}
