// Checks that the edits fit the current repository, change something and can be written. If so, writes them.

import { SelfwareError } from '../../../../util/typedError.ts';
import type { FileEdit } from '../../../model.ts';
import type { Gate } from '../../gate.ts';
import type { Worktree } from '../../../ports/sandbox.ts';
import { formatCount, failed, passed } from '../../answer.ts';

export const gate: Gate = async ({ edits, worktree }) => {
  if (edits.length === 0) return failed('The proposal has no edit.');
  const paths = new Set<string>();
  for (const edit of edits) {
    const obstacle = paths.has(edit.path)
      ? 'is edited twice'
      : edit.before === edit.after
        ? 'is not changed by its edit'
        : await explainStale(worktree, edit);
    if (obstacle) return failed(`${edit.path} ${obstacle}.`, { path: edit.path });
    paths.add(edit.path);
  }
  try {
    await worktree.write(edits);
  } catch (error) {
    if (error instanceof SelfwareError && error.reason === 'forbidden') return failed(error.message);
    throw error;
  }
  return passed(`${formatCount(edits.length, 'file')} as expected.`, { files: edits.length });
};

/**
 * The reason why the edit does not fit the file, as the end of a sentence; null if it fits. Compares bytes, so
 * byte-order marks and line endings matter.
 */
async function explainStale(worktree: Worktree, { path, before }: FileEdit): Promise<string | null> {
  const bytes = await worktree.read(path);
  if (before === null) return bytes === null && !(await worktree.exists(path)) ? null : 'is there already';
  if (bytes === null) return 'no longer exists';
  return areSameBytes(bytes, new TextEncoder().encode(before)) ? null : 'has changed since the proposal was made';
}

function areSameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.byteLength === right.byteLength && left.every((byte, index) => byte === right[index]);
}
