// Writes a proposal to the user's tree, completely or not at all, so that it can be rolled back. If the process is
// killed at any step, recovery completes or undoes the change.

import { sha256 } from '../../util/hash.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import type { Checkpoint, Proposal } from '../model.ts';
import { forgetEntries, markEntry, putEntry, saveCopy } from './checkpointBook.ts';
import { withTreeLock, type ApplyContext } from './context.ts';
import { planWrites } from './planWrites.ts';
import { settleBefore } from './recover.ts';
import { undoWrites, writeAndCheck } from './writes.ts';
import type { FileWrite, JournalEntry } from '../ports/files.ts';

export type { ApplyContext } from './context.ts';

/**
 * Applies the edits of a proposal under the lock of the tree, in this order: settle earlier changes, ask the charter,
 * plan the bytes, save a checkpoint, open a journal entry, write the files, check them, and close the entry. The caller
 * records `applied` afterwards; if that fails, `recover` reports the change again. A signal is obeyed until the first
 * byte is written. Throws `locked`, `forbidden`, `stale`, `usage`, `cancelled`, `diskFull`, `readOnly`, `writeFailed`;
 * then the tree is as before, or is restored at the next start if that was not possible. Throws `conflict` with the
 * names of files that somebody edited during a failed write and that were not restored.
 */
export async function applyEdits(
  context: ApplyContext,
  request: { readonly proposal: Pick<Proposal, 'id' | 'title' | 'edits'> & Partial<Pick<Proposal, 'recipe'>> },
  signal: AbortSignal,
): Promise<Checkpoint> {
  const { proposal } = request;
  throwIfCancelled(signal);
  return withTreeLock(context, async () => {
    await settleBefore(context);
    const answer = await context.charter.check(proposal.edits, proposal.recipe);
    if (!answer.allowed) throw new SelfwareError('forbidden', answer.reason, { action: 'Nothing was written.' });
    const writes = await planWrites(context, proposal.edits);
    throwIfCancelled(signal);
    const checkpoint = await createCheckpoint(context, proposal, writes);
    const entry: JournalEntry = {
      id: checkpoint.id,
      kind: 'apply',
      checkpoint: checkpoint.id,
      startedAt: context.clock.now(),
      writes,
    };
    try {
      throwIfCancelled(signal);
      await context.journal.begin(entry);
    } catch (error) {
      await discardCheckpoint(context, checkpoint.id);
      throw error;
    }
    try {
      await writeAndCheck(context, writes, proposal.title);
      await markEntry(context, checkpoint, 'applied');
    } catch (error) {
      await undoPartialWrites(context, entry, proposal.title, error);
      throw error;
    }
    await closeEntry(context, entry.id);
    return checkpoint;
  });
}

/**
 * Undoes a partly written change or rollback, and closes its journal entry; the checkpoint of a change is removed.
 * `title`: the title of the change, for the label in the editor. `cause`: the error that stopped it. Returns only if
 * the tree is as before. Throws `writeFailed` if the files could not be restored, and `conflict` if some were edited
 * meanwhile.
 */
export async function undoPartialWrites(
  context: ApplyContext,
  entry: JournalEntry,
  title: string,
  cause: unknown,
): Promise<void> {
  let editedFiles: readonly string[];
  try {
    editedFiles = await undoWrites(context, entry.writes, `Undo: ${title}`);
    if (entry.kind === 'apply') await forgetEntries(context, [entry.checkpoint]);
    await context.journal.finish(entry.id);
  } catch (error) {
    context.log.write('error', 'A change could not be rolled back.', error);
    throw new SelfwareError('writeFailed', 'A change failed half-way and could not be rolled back yet.', {
      action: 'It is settled at the next start, once the files can be written again.',
      cause,
    });
  }
  if (editedFiles.length > 0) {
    throw new SelfwareError(
      'conflict',
      `A change failed half-way. It was rolled back, except for files that were changed in the meantime: ${editedFiles.join(', ')}.`,
      { action: 'Check these files.', cause },
    );
  }
}

/**
 * Removes the journal entry of a change that is completely written. If that fails, this is logged, and the next start
 * checks and closes the entry.
 */
export async function closeEntry(context: ApplyContext, id: string): Promise<void> {
  try {
    await context.journal.finish(id);
  } catch (error) {
    context.log.write('warn', `The journal entry ${id} could not be closed.`, error);
  }
}

/**
 * Stores the pre-images in the state folder and, if there is a git repository, in git as well: a lost folder or a
 * garbage collection destroys only one of the two copies.
 */
async function createCheckpoint(
  context: ApplyContext,
  proposal: Pick<Proposal, 'id' | 'title'>,
  writes: readonly FileWrite[],
): Promise<Checkpoint> {
  const repository = await context.git.state();
  const id = context.ids.next('checkpoint');
  const checkpoint: Checkpoint = {
    id,
    proposal: proposal.id,
    title: proposal.title,
    createdAt: context.clock.now(),
    head: repository?.head ?? null,
    ref: null,
    files: writes.map(({ path, before, after, mode }) => ({
      path,
      before: before && sha256(before),
      after: after && sha256(after),
      mode,
    })),
    rolledBackAt: null,
  };
  try {
    await putEntry(context, { checkpoint, state: 'prepared', copySize: 0 });
    const copySize = await saveCopy(context, id, writes);
    const images = writes.flatMap(({ path, before, mode }) => (before === null ? [] : [{ path, bytes: before, mode }]));
    const ref = repository ? await context.git.saveCheckpoint(id, proposal.title, images) : null;
    const saved = { ...checkpoint, ref };
    await putEntry(context, { checkpoint: saved, state: 'prepared', copySize });
    return saved;
  } catch (error) {
    await discardCheckpoint(context, id);
    throw error;
  }
}

/** Removes the checkpoint of a change that was not written at all; if that fails, recovery removes it later. */
async function discardCheckpoint(context: ApplyContext, id: string): Promise<void> {
  try {
    await forgetEntries(context, [id]);
  } catch (error) {
    context.log.write('warn', `The checkpoint ${id} could not be removed.`, error);
  }
}
