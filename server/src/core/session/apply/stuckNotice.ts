// Creates the notice that a change failed its probation and could not be rolled back.

import type { Notice } from '../../model.ts';

/**
 * Creates the notice. `id`: the id of the proposal. `checkpointId`: the id of its checkpoint, or an empty text if that
 * is unknown.
 */
export function createStuckNotice(title: string, reason: string, id: string, checkpointId: string): Notice {
  return {
    change: { proposal: id, title, status: 'conflicted', checkpoint: checkpointId || null },
    severity: 'error',
    message: `${title} failed the checks after applying and is still in your files. ${reason}`,
    action: `Undo your edits of its lines and run \`selfware checkpoints rollback ${checkpointId}\`, or keep it: \`selfware proposals keep ${id}\`.`,
  };
}
