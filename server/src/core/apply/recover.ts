// Settles changes that a killed process left unfinished: afterwards, the tree has each change either completely or not
// at all, except in files that the user has edited in between.

import { SelfwareError, describeError } from '../../util/typedError.ts';
import type { Checkpoint, Notice } from '../model.ts';
import { forgetEntries, markEntry, readBook, type BookEntry } from './checkpointBook.ts';
import type { ApplyContext } from './context.ts';
import { readCurrentSide, undoWrites } from './writes.ts';
import type { JournalEntry } from '../ports/files.ts';

/**
 * A change that was settled, with its outcome. `proposal`: null if the checkpoint is no longer known. `record`: the
 * checkpoint to be recorded; null if nothing was applied, or if the checkpoint is no longer known.
 */
export interface SettledChange {
  readonly checkpoint: string;
  readonly proposal: string | null;
  readonly outcome: 'applied' | 'notApplied' | 'rolledBack';
  readonly record: Checkpoint | null;
}

/** The result of a recovery. */
export interface Recovery {
  readonly notices: readonly Notice[];
  /**
   * Changes that were settled now, and all others that the checkpoint book lists as applied or rolled back: the caller
   * records those that the ledger lacks.
   */
  readonly settled: readonly SettledChange[];
}

/**
 * Settles all unfinished changes. It must be called at the start, before anything else is written. A change is complete
 * if it is recorded as complete, or if all its files contain the text that it wrote; otherwise the files that contain
 * this text are restored. Files that contain neither the old nor the new text are the user's: they are not changed, and
 * a notice names them. A damaged journal entry is named and kept. While another process is writing, nothing is done and
 * the result is empty. A second call changes nothing.
 */
export async function recover(context: ApplyContext): Promise<Recovery> {
  const lock = await context.lock.acquire('apply');
  if (!lock) return { notices: [], settled: [] };
  try {
    return await settleChanges(context);
  } finally {
    await lock.release();
  }
}

/**
 * Settles interrupted changes right before a new change, under its lock. The caller holds the lock of the tree. Throws
 * `writeFailed` if one of them cannot be settled.
 */
export async function settleBefore(context: ApplyContext): Promise<void> {
  if ((await context.journal.openEntries()).entries.length === 0) return;
  for (const notice of (await settleChanges(context)).notices) context.log.write('warn', notice.message);
  const { entries } = await context.journal.openEntries();
  if (entries.length > 0) {
    throw new SelfwareError(
      'writeFailed',
      `An earlier change of ${formatPaths(entries.flatMap(({ writes }) => writes))} is not settled yet.`,
      { action: 'Make these files writable and start again.' },
    );
  }
}

async function settleChanges(context: ApplyContext): Promise<Recovery> {
  const notices: Notice[] = [];
  const settled: SettledChange[] = [];
  const { entries, damaged } = await context.journal.openEntries();
  for (const name of damaged) {
    notices.push({
      severity: 'error',
      message: `The journal entry ${name} is damaged, so it is unknown whether a change was left half-way.`,
      action: 'Look through `git diff`, then move the entry away.',
    });
  }
  const book = await readBookOrNotify(context, notices);
  for (const entry of entries) settled.push(...(await settleEntry(context, entry, book, notices)));
  if (book === null) return { notices, settled };

  const unfinishedIds = new Set((await context.journal.openEntries()).entries.map(({ checkpoint }) => checkpoint));
  const currentBook = await readBook(context);
  const abandonedEntries = currentBook.filter(
    ({ checkpoint, state }) => state === 'prepared' && !unfinishedIds.has(checkpoint.id),
  );
  if (abandonedEntries.length > 0) await removeAbandoned(context, abandonedEntries);
  for (const { checkpoint } of abandonedEntries)
    settled.push({ checkpoint: checkpoint.id, proposal: checkpoint.proposal, outcome: 'notApplied', record: null });
  const reportedIds = new Set(settled.map(({ checkpoint }) => checkpoint));
  for (const { checkpoint, state } of currentBook) {
    if (state !== 'prepared' && !reportedIds.has(checkpoint.id))
      settled.push({ checkpoint: checkpoint.id, proposal: checkpoint.proposal, outcome: state, record: checkpoint });
  }
  return { notices, settled };
}

/**
 * Finishes or undoes one interrupted change; adds a notice if that fails. If the checkpoint book is unreadable, the
 * files are restored anyway, but the entry stays open, because the outcome cannot be recorded.
 */
async function settleEntry(
  context: ApplyContext,
  entry: JournalEntry,
  book: readonly BookEntry[] | null,
  notices: Notice[],
): Promise<readonly SettledChange[]> {
  const bookEntry = book?.find(({ checkpoint }) => checkpoint.id === entry.checkpoint);
  try {
    const isComplete = await isWriteComplete(context, entry, bookEntry);
    await (isComplete
      ? context.writer.removeTemporaryFiles?.(entry.writes.map(({ path }) => path))
      : restoreFiles(context, entry, notices));
    if (book === null) return [];
    // If a rollback is undone, its change stays applied.
    const outcome =
      entry.kind === 'apply' ? (isComplete ? 'applied' : 'notApplied') : isComplete ? 'rolledBack' : 'applied';
    const record =
      outcome === 'notApplied' ? null : bookEntry ? await recordOutcome(context, bookEntry.checkpoint, outcome) : null;
    if (outcome === 'notApplied') await forgetEntries(context, [entry.checkpoint]);
    await context.journal.finish(entry.id);
    return [{ checkpoint: entry.checkpoint, proposal: bookEntry?.checkpoint.proposal ?? null, outcome, record }];
  } catch (error) {
    context.log.write('error', `The change ${entry.checkpoint} could not be settled.`, error);
    notices.push({
      severity: 'error',
      message: `A change of ${formatPaths(entry.writes)} was left half-way and cannot be settled: ${describeError(error)}`,
      action: 'It is tried again at the next start.',
    });
    return [];
  }
}

/**
 * True if all files of the entry contain the text that it wrote, or if the change is recorded as complete. The latter
 * stays complete, whatever the user has done to the files since.
 */
async function isWriteComplete(
  context: ApplyContext,
  entry: JournalEntry,
  bookEntry: BookEntry | undefined,
): Promise<boolean> {
  if (bookEntry && bookEntry.state === (entry.kind === 'apply' ? 'applied' : 'rolledBack')) return true;
  for (const write of entry.writes) if ((await readCurrentSide(context, write)) !== 'after') return false;
  return true;
}

/** Undoes the writes of an entry. A notice names files that the user has edited meanwhile. */
async function restoreFiles(context: ApplyContext, entry: JournalEntry, notices: Notice[]): Promise<void> {
  const editedFiles = await undoWrites(context, entry.writes, 'Undo an interrupted change');
  if (editedFiles.length === 0) return;
  notices.push({
    severity: 'warning',
    message: `A change was interrupted and rolled back, except for files that were changed in the meantime: ${editedFiles.join(', ')}.`,
    action: 'Check these files; they were left as they are.',
  });
}

/** Records the outcome in the checkpoint book, and returns the checkpoint to be recorded in the ledger. */
async function recordOutcome(
  context: ApplyContext,
  checkpoint: Checkpoint,
  state: 'applied' | 'rolledBack',
): Promise<Checkpoint> {
  const record = {
    ...checkpoint,
    rolledBackAt: state === 'rolledBack' ? (checkpoint.rolledBackAt ?? context.clock.now()) : null,
  };
  await markEntry(context, record, state);
  return record;
}

/** Removes checkpoints of changes that never began. They do no harm, so an error here does not stop the start. */
async function removeAbandoned(context: ApplyContext, abandonedEntries: readonly BookEntry[]): Promise<void> {
  try {
    for (const { checkpoint } of abandonedEntries) {
      // The ref, which has the name of the checkpoint, may exist although it was not recorded.
      if (checkpoint.ref === null && (await context.git.state()))
        await context.git.deleteCheckpoint(`refs/selfware/checkpoints/${checkpoint.id}`);
    }
    await forgetEntries(
      context,
      abandonedEntries.map(({ checkpoint }) => checkpoint.id),
    );
  } catch (error) {
    context.log.write('warn', 'Checkpoints of changes that never began could not be removed.', error);
  }
}

/** The checkpoint book; null, with a notice, if it cannot be read. */
async function readBookOrNotify(context: ApplyContext, notices: Notice[]): Promise<readonly BookEntry[] | null> {
  try {
    return await readBook(context);
  } catch (error) {
    if (!(error instanceof SelfwareError)) throw error;
    notices.push({
      severity: 'error',
      message: `The list of checkpoints cannot be read: ${error.message}`,
      action: error.action,
    });
    return null;
  }
}

function formatPaths(writes: readonly { readonly path: string }[]): string {
  return writes.map(({ path }) => path).join(', ');
}
