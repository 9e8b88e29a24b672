// Reasons that are recorded for a person who has typed none.

import { USUAL_REASONS } from '../../protocol/usualReasons.ts';

/** The reason of a change that a person has dropped from the branch of a night without giving a reason. */
export const DROPPED_REASON = 'It was dropped from the branch of a night.';

/** The reason of a change that a person has removed from the files before it was judged. */
export const UNDONE_BY_HAND = 'It was undone by hand.';

const OWN_REASONS: ReadonlySet<string> = new Set([...Object.values(USUAL_REASONS), DROPPED_REASON, UNDONE_BY_HAND]);

/**
 * True if Selfware has worded this reason. Such reasons are equal for many changes, so their repetition shows no
 * preference of a person.
 */
export function isOwnReason(reason: string | null): boolean {
  return reason !== null && OWN_REASONS.has(reason);
}
