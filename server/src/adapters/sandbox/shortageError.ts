// The error for a command that could not work because the machine has no room or no memory left. The command's result
// would say nothing about the code.

import type { RunRequest } from '../../core/ports/sandbox.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { MIN_FREE_DISK_BYTES } from '../system/freeRoom.ts';
import type { ExceededLimit } from './watchLimits.ts';

/**
 * A later attempt may succeed, because room or memory may be free then. The attempt counts as charged, because a
 * command that is an agent may have cost something.
 */
const RETRY = { afterMs: null, isCharged: true };
/** `MIN_FREE_DISK_BYTES` in MB, for messages. */
const MIN_FREE_MB = Math.round(MIN_FREE_DISK_BYTES / 1024 ** 2);

/**
 * The error for an exceeded limit that says nothing about the command. Null for a limit of the command itself. Null
 * also if the machine had enough memory and room when the command began, and the command runs a mutant or has itself
 * used most of what is gone.
 */
export function createErrorIfShort(
  { machineShortage }: ExceededLimit,
  { isMutant }: Pick<RunRequest, 'isMutant'>,
  folder: string,
): SelfwareError | null {
  if (!machineShortage) return null;
  const isCausedByCommand = !machineShortage.wasShort && (isMutant === true || machineShortage.isOwn);
  return isCausedByCommand ? null : createShortageError(machineShortage, folder);
}

/**
 * The error for this shortage. For the disk, it is `diskFull` if there was little room from the start. Otherwise, the
 * command may have used up the room itself, so another command may work: `unavailable`. For the memory, it is always
 * `unavailable`.
 */
export function createShortageError(
  { resource, wasShort }: Pick<NonNullable<ExceededLimit['machineShortage']>, 'resource' | 'wasShort'>,
  folder: string,
): SelfwareError {
  if (resource === 'memory')
    return new SelfwareError('unavailable', 'A command was ended: it took the last free memory of the machine.', {
      action: 'Close other programs.',
      retry: RETRY,
    });
  const requirementSentence = `Commands of the repository need at least ${MIN_FREE_MB} MB of free room on the disk of ${folder}.`;
  return wasShort
    ? new SelfwareError('diskFull', `The disk is nearly full. ${requirementSentence}`, {
        action: 'Free some space.',
        retry: RETRY,
      })
    : new SelfwareError(
        'unavailable',
        `A command was ended: it took the last free room on the disk. ${requirementSentence}`,
        {
          action: 'Free some space.',
          retry: RETRY,
        },
      );
}
