// Distinguishes errors of a run that need a person from errors that another start may not meet.

import { UnknownIdentity } from '../../adapters/git/committerIdentity.ts';
import { SelfwareError } from '../../util/typedError.ts';

/** Errors that another start may not meet, and `cancelled`, because a person has then ended the run. */
const TEMPORARY_REASONS: ReadonlySet<SelfwareError['reason']> = new Set([
  'internal',
  'timedOut',
  'unavailable',
  'stale',
  'locked',
  'cancelled',
  'diskFull',
]);

/** True for an error that another start would meet again. */
export function needsPerson(error: unknown): boolean {
  return error instanceof UnknownIdentity || (error instanceof SelfwareError && !TEMPORARY_REASONS.has(error.reason));
}
