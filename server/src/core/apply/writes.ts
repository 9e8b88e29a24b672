// Writes complete files, compares files with the texts before and after a write, and undoes writes.

import { SelfwareError } from '../../util/typedError.ts';
import type { ApplyContext } from './context.ts';
import { mergeBytes } from './mergeTexts.ts';
import type { FileWrite } from '../ports/files.ts';

/** The side of a write that a file contains. `other`: the user has changed the file. */
export type WriteSide = 'before' | 'after' | 'other';

/** The side of a write that the file on disk contains now. */
export async function readCurrentSide(context: ApplyContext, write: FileWrite): Promise<WriteSide> {
  return (await readSide(context, write)).side;
}

/**
 * Writes the files and compares them with the written bytes. Throws the errors of the writer, and `writeFailed` if a
 * file has another content. A file that somebody has edited at the same moment is accepted if it still contains the
 * change.
 */
export async function writeAndCheck(context: ApplyContext, writes: readonly FileWrite[], label: string): Promise<void> {
  await context.writer.write(writes, label);
  for (const write of writes) {
    const { side, current } = await readSide(context, write);
    // Somebody edited the file at the same moment: it has both the change and their edits.
    if (side === 'other' && containsChange(write, current))
      context.log.write('info', `${write.path} was edited right after the change was written.`);
    else if (side !== 'after') {
      throw new SelfwareError('writeFailed', `${write.path} does not hold what was written to it.`, {
        action: 'Check whether another program writes to it, then try again.',
      });
    }
  }
}

/**
 * Restores `before` in every file that contains `after`. In a file that was edited meanwhile, only the change is
 * removed; if that is impossible, the file is not changed. Returns the paths of the unchanged files. Throws if a file
 * could not be written; then the remaining files are not restored either, and this function must be called again.
 */
export async function undoWrites(
  context: ApplyContext,
  writes: readonly FileWrite[],
  label: string,
): Promise<readonly string[]> {
  await context.writer.removeTemporaryFiles?.(writes.map(({ path }) => path));
  const editedFiles: string[] = [];
  for (const write of writes) {
    const { side, current } = await readSide(context, write);
    if (side === 'before') continue;
    const restoredBytes = side === 'after' ? write.before : mergeBytes(write.after, current, write.before);
    if (side === 'other' && restoredBytes === null) {
      editedFiles.push(write.path);
      continue;
    }
    if (areEqualBytes(restoredBytes, current)) continue;
    try {
      await writeAndCheck(context, [{ ...write, before: current, after: restoredBytes }], label);
    } catch (error) {
      // A link is in the way, or somebody changed the file in the meantime: leave it.
      if (!(error instanceof SelfwareError && (error.reason === 'forbidden' || error.reason === 'stale'))) throw error;
      context.log.write('warn', `${write.path} is left as it is.`, error);
      editedFiles.push(write.path);
    }
  }
  return editedFiles;
}

/**
 * True if the text is the result of the change and of edits in other places, so that the change can be removed from it
 * and applied again.
 */
export function containsChange(
  { before, after }: Pick<FileWrite, 'before' | 'after'>,
  current: Uint8Array | null,
): boolean {
  const restoredBytes = mergeBytes(after, current, before);
  return !areEqualBytes(restoredBytes, current) && areEqualBytes(mergeBytes(before, restoredBytes, after), current);
}

/**
 * The side of a write that a file contains. `current`: its content; null if there is no file, or if it cannot be read.
 */
async function readSide(
  context: ApplyContext,
  write: FileWrite,
): Promise<{ readonly side: WriteSide; readonly current: Uint8Array | null }> {
  let current: Uint8Array | null;
  try {
    current = await context.files.read(write.path);
  } catch (error) {
    // A folder or an unreadable file lies where the written file should be.
    if (error instanceof SelfwareError && error.reason === 'unreadable') return { side: 'other', current: null };
    throw error;
  }
  return {
    side: areEqualBytes(current, write.after) ? 'after' : areEqualBytes(current, write.before) ? 'before' : 'other',
    current,
  };
}

/** True if both arrays have equal bytes, or if both are null. */
export function areEqualBytes(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.length !== b.length) return false;
  return a.every((byte, index) => byte === b[index]);
}
