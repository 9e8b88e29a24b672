// Defines the messages of a supervisor and its worker over the channel between them.

import type { WorkerStep } from '../../core/run/supervision.ts';

/** A message of the worker: it is alive, with its step and its resident memory in MB. */
export interface BeatMessage extends WorkerStep {
  readonly type: 'beat';
  readonly rssMb: number;
}

/** A message of the supervisor: the worker should complete its current step, then exit with `WORKER_EXIT.drained`. */
export interface DrainMessage {
  readonly type: 'drain';
}

/** Name of the environment variable with the token that a worker receives from its supervisor. */
export const SUPERVISOR_TOKEN = 'SELFWARE_SUPERVISOR';

/**
 * Name of the environment variable with the number of the newest event in the ledger when the supervisor of a run
 * began.
 */
export const SUPERVISED_AFTER = 'SELFWARE_SUPERVISED_AFTER';

/**
 * Name of the environment variable with the time, in milliseconds since the epoch, at which the supervisor of a run
 * began. Older versions know only this one; newer ones use it if `SUPERVISED_AFTER` is missing.
 */
export const SUPERVISED_SINCE = 'SELFWARE_SUPERVISED_SINCE';

/** The beat in a message; null for any other message. */
export function parseBeat(message: unknown): BeatMessage | null {
  const beat = message as Partial<BeatMessage> | null;
  const isBeat =
    typeof beat === 'object' &&
    beat?.type === 'beat' &&
    typeof beat.step === 'string' &&
    typeof beat.done === 'number' &&
    typeof beat.rssMb === 'number';
  return isBeat ? (beat as BeatMessage) : null;
}

/** True if the supervisor asks the worker to drain. */
export function isDrain(message: unknown): message is DrainMessage {
  return typeof message === 'object' && (message as Partial<DrainMessage> | null)?.type === 'drain';
}
