// Distinguishes errors of a run that need a person from errors that may not occur at another start.

import { UnknownIdentity } from '../../adapters/git/committerIdentity.ts';
import { SelfwareError } from '../../util/typedError.ts';

/**
 * Reasons of errors that may not occur at another start. `cancelled` is included, because a person has then ended the
 * run.
 */
const TEMPORARY_REASONS: ReadonlySet<SelfwareError['reason']> = new Set([
  'internal',
  'timedOut',
  'unavailable',
  'stale',
  'locked',
  'cancelled',
  'diskFull',
]);

/** True for an error that would occur again at another start. */
export function needsPerson(error: unknown): boolean {
  return error instanceof UnknownIdentity || (error instanceof SelfwareError && !TEMPORARY_REASONS.has(error.reason));
}
