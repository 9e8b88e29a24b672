// Stores the checkpoints to which a person can roll back: one document that lists them, and one with the pre-images of
// each.

import { sha256 } from '../../util/hash.ts';
import type { Checkpoint } from '../model.ts';
import type { ApplyContext } from './context.ts';
import type { FileWrite } from '../ports/files.ts';

/** A checkpoint with its state. */
export interface BookEntry {
  readonly checkpoint: Checkpoint;
  /**
   * `prepared`: the change must not be written yet. While the journal has an entry for the change, that entry takes
   * precedence.
   */
  readonly state: 'prepared' | 'applied' | 'rolledBack';
  /** Size of the pre-images in the state folder, in characters of base64; 0 if there are none. */
  readonly copySize: number;
}

/** The document that lists the checkpoints. */
interface Book {
  readonly version: 1;
  readonly entries: readonly BookEntry[];
}

/** The document with the pre-images of one checkpoint. */
interface StoredCopy {
  readonly files: readonly { readonly path: string; readonly base64: string }[];
}

const BOOK_NAME = 'checkpoints';

/**
 * All entries, oldest first. Throws `damaged` if the document cannot be read. Callers of this and the other functions
 * of the file must hold the lock `apply`.
 */
export async function readBook(context: ApplyContext): Promise<readonly BookEntry[]> {
  return (await context.documents.read<Book>(BOOK_NAME))?.entries ?? [];
}

/** Adds an entry, or replaces the entry of its checkpoint. */
export async function putEntry(context: ApplyContext, entry: BookEntry): Promise<void> {
  const entries = await readBook(context);
  const hasEntry = entries.some(({ checkpoint }) => checkpoint.id === entry.checkpoint.id);
  await writeBook(
    context,
    hasEntry
      ? entries.map((existingEntry) => (existingEntry.checkpoint.id === entry.checkpoint.id ? entry : existingEntry))
      : [...entries, entry],
  );
}

/** Sets the state and the checkpoint of an entry. A missing entry is added, with a copy size of 0. */
export async function markEntry(
  context: ApplyContext,
  checkpoint: Checkpoint,
  state: BookEntry['state'],
): Promise<void> {
  const existingEntry = (await readBook(context)).find((entry) => entry.checkpoint.id === checkpoint.id);
  await putEntry(context, { checkpoint, state, copySize: existingEntry?.copySize ?? 0 });
}

/** Saves the pre-images in the state folder. Returns their size in characters of base64. */
export async function saveCopy(context: ApplyContext, id: string, writes: readonly FileWrite[]): Promise<number> {
  const files = writes.flatMap(({ path, before }) =>
    before === null ? [] : [{ path, base64: Buffer.from(before).toString('base64') }],
  );
  await context.documents.write(copyName(id), { files } satisfies StoredCopy);
  return files.reduce((sum, { base64 }) => sum + base64.length, 0);
}

/**
 * The bytes of a file before the change, from the state folder or from git; null if neither has bytes with this hash.
 * A copy that cannot be read is logged and counts as missing.
 */
export async function readPreImage(
  context: ApplyContext,
  checkpoint: Checkpoint,
  path: string,
  hash: string,
): Promise<Uint8Array | null> {
  for (const source of [readFromCopy, readFromGit]) {
    try {
      const bytes = await source(context, checkpoint, path);
      if (bytes && sha256(bytes) === hash) return bytes;
    } catch (error) {
      context.log.write('warn', `A pre-image of ${path} could not be read; the other copy is tried.`, error);
    }
  }
  return null;
}

/** Removes checkpoints completely: their copies, refs and entries. Unknown ids are ignored. */
export async function forgetEntries(context: ApplyContext, ids: readonly string[]): Promise<void> {
  const forgottenIds = new Set(ids);
  const entries = await readBook(context);
  for (const { checkpoint } of entries.filter((entry) => forgottenIds.has(entry.checkpoint.id))) {
    if (checkpoint.ref !== null) await context.git.deleteCheckpoint(checkpoint.ref);
    await dropCopy(context, checkpoint.id);
  }
  await writeBook(
    context,
    entries.filter((entry) => !forgottenIds.has(entry.checkpoint.id)),
  );
}

/** Deletes the pre-images of a checkpoint from the state folder. */
export async function dropCopy(context: ApplyContext, id: string): Promise<void> {
  if (context.documents.remove) await context.documents.remove(copyName(id));
  else await context.documents.write(copyName(id), null);
}

async function writeBook(context: ApplyContext, entries: readonly BookEntry[]): Promise<void> {
  await context.documents.write(BOOK_NAME, { version: 1, entries } satisfies Book);
}

async function readFromCopy(context: ApplyContext, checkpoint: Checkpoint, path: string): Promise<Uint8Array | null> {
  const copy = await context.documents.read<StoredCopy>(copyName(checkpoint.id));
  const file = copy?.files.find((candidate) => candidate.path === path);
  return file ? Buffer.from(file.base64, 'base64') : null;
}

async function readFromGit(context: ApplyContext, checkpoint: Checkpoint, path: string): Promise<Uint8Array | null> {
  return checkpoint.ref === null ? null : context.git.readCheckpoint(checkpoint.ref, path);
}

function copyName(id: string): string {
  return `checkpoint-${id}`;
}
