// Limits the number of checkpoints and the space that their pre-images take.

import type { Checkpoint } from '../model.ts';
import { dropCopy, forgetEntries, putEntry, readBook } from './checkpointBook.ts';
import type { ApplyContext } from './context.ts';

/** Maximum size of all pre-images in the state folder, in characters of base64, as they are stored. */
const MAX_COPY_CHARACTERS = 256 * 1024 * 1024;

/**
 * Removes all but the newest `maxCheckpoints` checkpoints, and returns the ids of all removed checkpoints. The sizes of
 * copies are added from the newest on. A copy with which the sum exceeds `maxCopyCharacters` characters of base64 is
 * removed, and its checkpoint remains only in git, or is removed if git does not have it. The newest checkpoint always
 * keeps its copy. `recorded`: the checkpoints that the ledger knows. A change that is not recorded yet, or that has an
 * open journal entry, keeps its checkpoint. While another process is writing, nothing is removed and the result is
 * empty.
 */
export async function pruneCheckpoints(
  context: ApplyContext,
  recorded: readonly Checkpoint[],
  maxCheckpoints: number,
  maxCopyCharacters: number = MAX_COPY_CHARACTERS,
): Promise<readonly string[]> {
  const lock = await context.lock.acquire('apply');
  if (!lock) return [];
  try {
    const recordedIds = new Set(recorded.map(({ id }) => id));
    const unfinishedIds = new Set((await context.journal.openEntries()).entries.map(({ checkpoint }) => checkpoint));
    const newestFirst = (await readBook(context)).toReversed();
    const canForget = (id: string) => recordedIds.has(id) && !unfinishedIds.has(id);
    const forgottenIds = newestFirst
      .slice(Math.max(maxCheckpoints, 0))
      .map(({ checkpoint }) => checkpoint.id)
      .filter(canForget);
    let size = 0;
    for (const entry of newestFirst.slice(0, Math.max(maxCheckpoints, 0))) {
      const { checkpoint, copySize } = entry;
      size += copySize;
      if (
        size <= maxCopyCharacters ||
        copySize === 0 ||
        checkpoint === newestFirst[0]?.checkpoint ||
        !canForget(checkpoint.id)
      )
        continue;
      size -= copySize;
      if (checkpoint.ref === null) forgottenIds.push(checkpoint.id);
      else {
        await putEntry(context, { ...entry, copySize: 0 });
        await dropCopy(context, checkpoint.id);
      }
    }
    if (forgottenIds.length > 0) await forgetEntries(context, forgottenIds);
    return forgottenIds;
  } finally {
    await lock.release();
  }
}
