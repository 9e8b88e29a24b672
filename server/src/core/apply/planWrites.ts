// Turns the texts of a proposal into the bytes to write. Refuses if a file has changed since it was read.

import { SelfwareError } from '../../util/typedError.ts';
import type { FileEdit } from '../model.ts';
import type { ApplyContext } from './context.ts';
import { areEqualBytes } from './writes.ts';
import type { FileWrite } from '../ports/files.ts';

/** The byte-order mark in UTF-8. */
const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);
/** The permissions of a new file. */
const NEW_FILE_MODE = 0o644;

/**
 * The writes of complete files that carry out these edits. Every file must contain exactly the text `before` of its
 * edit, in UTF-8. A byte-order mark in the file is kept, even if the texts of the edit have none. Throws `stale` with
 * the paths of files that contain another text, and `usage` if the edits change nothing.
 */
export async function planWrites(context: ApplyContext, edits: readonly FileEdit[]): Promise<readonly FileWrite[]> {
  const writes: FileWrite[] = [];
  const stalePaths: string[] = [];
  for (const { path, before, after } of edits) {
    if (before === after) continue;
    const currentBytes = await context.files.read(path);
    const byteOrderMark =
      currentBytes !== null &&
      before !== null &&
      !areEqualBytes(currentBytes, encodeText(before)) &&
      startsWithByteOrderMark(currentBytes)
        ? BYTE_ORDER_MARK
        : null;
    if (!areEqualBytes(currentBytes, encodeWithMark(before, byteOrderMark))) stalePaths.push(path);
    const stat = currentBytes === null ? null : await context.files.stat(path);
    writes.push({
      path,
      before: currentBytes,
      after: encodeWithMark(after, byteOrderMark),
      mode: stat ? stat.mode & 0o777 : NEW_FILE_MODE,
    });
  }
  if (stalePaths.length > 0)
    throw new SelfwareError('stale', `Changed since the change was planned: ${stalePaths.join(', ')}.`, {
      action: 'Propose the change again.',
    });
  if (writes.length === 0) throw new SelfwareError('usage', 'The proposal changes nothing.');
  return writes;
}

function encodeWithMark(text: string | null, byteOrderMark: Uint8Array | null): Uint8Array | null {
  if (text === null) return null;
  const bytes = encodeText(text);
  return byteOrderMark && !startsWithByteOrderMark(bytes) ? Buffer.concat([byteOrderMark, bytes]) : bytes;
}

function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function startsWithByteOrderMark(bytes: Uint8Array): boolean {
  return BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte);
}
