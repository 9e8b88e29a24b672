// Turns the texts of a proposal into bytes to write. Refuses if a file has changed.

import { SelfwareError } from '../../util/typedError.ts';
import type { FileEdit } from '../model.ts';
import type { ApplyContext } from './context.ts';
import { sameBytes } from './writes.ts';
import type { FileWrite } from '../ports/files.ts';

/** The byte-order mark in UTF-8. */
const MARK = Uint8Array.of(0xef, 0xbb, 0xbf);
const NEW_FILE_MODE = 0o644;

/**
 * The whole-file writes of these edits. Every file must hold exactly `before` of its edit, in UTF-8. A byte-order mark
 * that the texts do not have stays. Throws `stale` with the names of the files, and `usage` if the edits change
 * nothing.
 */
export async function planWrites(ctx: ApplyContext, edits: readonly FileEdit[]): Promise<readonly FileWrite[]> {
  const writes: FileWrite[] = [];
  const stale: string[] = [];
  for (const { path, before, after } of edits) {
    if (before === after) continue;
    const disk = await ctx.files.read(path);
    const mark =
      disk !== null && before !== null && !sameBytes(disk, encodeText(before)) && startsWithMark(disk) ? MARK : null;
    if (!sameBytes(disk, withMark(before, mark))) stale.push(path);
    const stat = disk === null ? null : await ctx.files.stat(path);
    writes.push({ path, before: disk, after: withMark(after, mark), mode: stat ? stat.mode & 0o777 : NEW_FILE_MODE });
  }
  if (stale.length > 0)
    throw new SelfwareError('stale', `Changed since the change was planned: ${stale.join(', ')}.`, {
      action: 'Propose the change again.',
    });
  if (writes.length === 0) throw new SelfwareError('usage', 'The proposal changes nothing.');
  return writes;
}

function withMark(text: string | null, mark: Uint8Array | null): Uint8Array | null {
  if (text === null) return null;
  const bytes = encodeText(text);
  return mark && !startsWithMark(bytes) ? Buffer.concat([mark, bytes]) : bytes;
}

function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function startsWithMark(bytes: Uint8Array): boolean {
  return MARK.every((byte, index) => bytes[index] === byte);
}
