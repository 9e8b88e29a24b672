// Rolls a change back: removes it from its files, and keeps all later edits of these files.

import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { sha256 } from '../../util/hash.ts';
import type { Checkpoint } from '../model.ts';
import { closeEntry, undoPartialWrites } from './apply.ts';
import { markEntry, readPreImage } from './checkpointBook.ts';
import { withTreeLock, type ApplyContext } from './context.ts';
import { mergeBytes } from './mergeTexts.ts';
import { settleBefore } from './recover.ts';
import { areEqualBytes, writeAndCheck } from './writes.ts';
import type { FileWrite, JournalEntry } from '../ports/files.ts';

/**
 * Rolls back the change of a checkpoint. A file that contains exactly the text of the change gets its previous bytes.
 * In a file that was edited since, only the change is removed, if its lines are still as the change left them;
 * otherwise nothing is written at all. A file is deleted only if the change created it and it still contains the text
 * of the change. The charter is not asked, because a change that was permitted may always be undone. Returns the
 * checkpoint with `rolledBackAt`. Throws `conflict` with the names of the files, `notFound` if the pre-images are gone,
 * `illegalStep` if it has already been rolled back, `locked` if another process is writing, and `cancelled`,
 * `diskFull`, `readOnly` or `writeFailed`.
 */
export async function rollback(
  context: ApplyContext,
  checkpoint: Checkpoint,
  signal: AbortSignal,
): Promise<Checkpoint> {
  if (checkpoint.rolledBackAt !== null)
    throw new SelfwareError('illegalStep', `The checkpoint ${checkpoint.id} has already been rolled back.`);
  throwIfCancelled(signal);
  return withTreeLock(context, async () => {
    await settleBefore(context);
    const writes = await planRestoring(context, checkpoint);
    throwIfCancelled(signal);
    const restoredCheckpoint: Checkpoint = { ...checkpoint, rolledBackAt: context.clock.now() };
    if (writes.length === 0) {
      await markEntry(context, restoredCheckpoint, 'rolledBack');
      return restoredCheckpoint;
    }
    const label = `Roll back: ${checkpoint.title}`;
    const entry: JournalEntry = {
      id: context.ids.next('checkpoint'),
      kind: 'rollback',
      checkpoint: checkpoint.id,
      startedAt: context.clock.now(),
      writes,
    };
    await context.journal.begin(entry);
    try {
      await writeAndCheck(context, writes, label);
      await markEntry(context, restoredCheckpoint, 'rolledBack');
    } catch (error) {
      await undoPartialWrites(context, entry, label, error);
      throw error;
    }
    await closeEntry(context, entry.id);
    return restoredCheckpoint;
  });
}

/**
 * The writes that remove the change. Files that already have their earlier content need none. Throws `conflict` with
 * all files from which the change cannot be removed.
 */
async function planRestoring(context: ApplyContext, checkpoint: Checkpoint): Promise<readonly FileWrite[]> {
  const writes: FileWrite[] = [];
  const conflicts: string[] = [];
  for (const { path, before, after, mode } of checkpoint.files) {
    const resolved = await context.files.resolve(path);
    const current =
      resolved && !resolved.throughLink && resolved.path === path ? await readOrConflict(context, path) : 'conflict';
    const hash = current instanceof Uint8Array ? sha256(current) : null;
    if (current === 'conflict') conflicts.push(path);
    else if (hash === after && after !== before)
      writes.push({
        path,
        before: current,
        after: before === null ? null : await requirePreImage(context, checkpoint, path, before),
        mode,
      });
    else if (hash !== before) {
      const mergedBytes =
        current && before !== null && after !== null
          ? mergeBytes(
              await findPostImage(context, after),
              current,
              await requirePreImage(context, checkpoint, path, before),
            )
          : null;
      if (mergedBytes === null) conflicts.push(path);
      else if (!areEqualBytes(mergedBytes, current)) writes.push({ path, before: current, after: mergedBytes, mode });
    }
  }
  if (conflicts.length > 0) {
    throw new SelfwareError(
      'conflict',
      `The lines of the change were edited since: ${conflicts.join(', ')}. Nothing was rolled back.`,
      { action: 'Roll back newer changes of these files first, or undo your own edits of them.' },
    );
  }
  return writes;
}

/** The bytes of a file; null if it does not exist; `conflict` if it cannot be read. */
async function readOrConflict(context: ApplyContext, path: string): Promise<Uint8Array | null | 'conflict'> {
  try {
    return await context.files.read(path);
  } catch (error) {
    if (error instanceof SelfwareError && error.reason === 'unreadable') return 'conflict';
    throw error;
  }
}

/** The bytes that a change wrote; null if they are not stored. */
async function findPostImage(context: ApplyContext, hash: string): Promise<Uint8Array | null> {
  const bytes = (await context.postImage?.(hash)) ?? null;
  return bytes && sha256(bytes) === hash ? bytes : null;
}

/** The bytes before a change. Throws `notFound` if they are no longer stored. */
async function requirePreImage(
  context: ApplyContext,
  checkpoint: Checkpoint,
  path: string,
  hash: string,
): Promise<Uint8Array> {
  const bytes = await readPreImage(context, checkpoint, path, hash);
  if (bytes) return bytes;
  throw new SelfwareError(
    'notFound',
    `What ${path} held before is no longer kept (checkpoint ${checkpoint.id}). Nothing was rolled back.`,
    { action: 'Older checkpoints are removed; raise selfware.checkpoints.keep to keep more.' },
  );
}
