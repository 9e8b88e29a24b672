// Which errors of a run only a person can help with.

import { SelfwareError } from '../../util/typedError.ts';

/** Errors that another start may not meet, and the word of a person who ends the run. */
const PASSING: ReadonlySet<SelfwareError['reason']> = new Set([
  'internal',
  'timedOut',
  'unavailable',
  'stale',
  'cancelled',
]);

/** True if another process works on the run, which tells its person itself. */
export function isInProgress(error: unknown): boolean {
  return error instanceof SelfwareError && error.reason === 'locked';
}

/** True for an error that another start would meet again. */
export function needsPerson(error: unknown): boolean {
  return error instanceof SelfwareError && !PASSING.has(error.reason);
}
