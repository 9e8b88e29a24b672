// The reasons why a place that a recipe could fix was skipped, and sentences about them for people.

import { plainReason } from '../../protocol/plainWords.ts';
import type { Millis } from '../model.ts';

/**
 * The cause of skipping a place. `protected`: no change may touch the file. `unfinished`: the file has unfinished work.
 * `resting`: the rule is paused after five consecutive failures. `unwanted`: a person has rejected such changes.
 * `dismissed`: a person has dismissed the place. `notOurs`: the file is not edited by hand. `comment`: a comment
 * suppresses the rule. `declined`: the recipe declined. `refused`: a check refused such a change. `waiting`: a change
 * of the place waits for a decision. `unsure`: the confidence is too low.
 */
export type SkipCause =
  | 'protected'
  | 'unfinished'
  | 'resting'
  | 'unwanted'
  | 'dismissed'
  | 'notOurs'
  | 'baseline'
  | 'comment'
  | 'declined'
  | 'refused'
  | 'rejected'
  | 'rolledBack'
  | 'waiting'
  | 'unsure';

/** A skipped place with its reason. */
export interface SkippedPlace {
  /** Id of the opportunity. */
  readonly opportunity: string;
  readonly rule: string;
  readonly path: string;
  readonly by: SkipCause;
  /** A sentence that stays the same as long as the cause does. */
  readonly reason: string;
  /** The time at which this reason first applied; null if it was not recorded before. */
  readonly since: Millis | null;
}

/** A refusal of a place, or of exactly these edits. */
export interface Refusal {
  readonly by: Extract<SkipCause, 'declined' | 'refused' | 'rejected' | 'rolledBack'>;
  readonly at: Millis;
  readonly reason: string | null;
}

/** Words for people that follow a count, as in `3 protected`. */
export const SKIPPED_TEXTS: Readonly<Record<SkipCause, string>> = {
  protected: 'protected',
  unfinished: 'with unfinished work',
  resting: 'of a resting rule',
  unwanted: 'like changes that were turned down',
  dismissed: 'dismissed',
  notOurs: 'not edited by hand',
  baseline: 'in the baseline',
  comment: 'suppressed in the code',
  declined: 'declined by the recipe',
  refused: 'refused by a check before',
  rejected: 'rejected before',
  rolledBack: 'rolled back before',
  waiting: 'waiting for a decision',
  unsure: 'not sure enough',
};

/**
 * Causes that mean that a person or a check has rejected a change. If somebody requests the place, the same change is
 * tried once more.
 */
export const TURNED_DOWN: ReadonlySet<SkipCause> = new Set(['refused', 'rejected', 'rolledBack']);

/** The reason to record if a change was rejected without one. It is not shown to a person. */
export const NO_REASON = 'No reason was given.';

/** Matches the start of a recipe's reason that only says that nothing is proposed. */
const LEFT_TO_PERSON_PATTERN = /^It is left to a person: /;

/**
 * The sentence about a cause, which follows the place: `Rolled back before: the tests failed (since 2026-11-23 14:05
 * UTC).`
 */
export function describeSkip({ by, reason, since }: Pick<SkippedPlace, 'by' | 'reason' | 'since'>): string {
  const sinceText = since === null ? '' : ` (since ${formatMoment(since)})`;
  return `${describeSkipCause(by)}${formatReason(reason)}${sinceText}.`;
}

/** The cause alone, without reason and time, for a narrow list: `Rolled back before`. */
export function describeSkipCause(cause: SkipCause): string {
  const text = SKIPPED_TEXTS[cause];
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

/** Formats a moment: `2026-11-23 14:05 UTC`. */
export function formatMoment(time: Millis): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** The reason why a requested place led to no proposal, with its time, as the end of a sentence. */
export function describeSkippedRequest({ rule, path, by, reason, since }: SkippedPlace): string {
  const sinceText = since === null ? '' : ` (since ${formatMoment(since)})`;
  // The reason that a recipe states is clear without the word for the cause.
  const reasonText = formatReason(by === 'declined' ? reason.replace(LEFT_TO_PERSON_PATTERN, '') : reason);
  return `for ${rule} in ${path}${by === 'declined' && reasonText !== '' ? '' : `, ${SKIPPED_TEXTS[by]}`}${reasonText}${sinceText}.`;
}

/** The reason after a colon; empty for `NO_REASON`, and for a reason that only repeats the cause. */
function formatReason(reason: string): string {
  return reason === NO_REASON || /^The same change was [a-z ]+ before\.$/.test(reason)
    ? ''
    : `: ${plainReason(reason).replace(/\.$/, '')}`;
}

/** The sentence for a change that is refused because the same change was refused before. */
export function refusalSentence({ by, reason }: Pick<Refusal, 'by' | 'reason'>): string {
  const verb = {
    declined: 'was declined',
    refused: 'was refused',
    rejected: 'was rejected',
    rolledBack: 'was rolled back',
  }[by];
  return `The same change ${verb} before${reason ? `: ${plainReason(reason).replace(/\.$/, '')}` : ''}.`;
}

/** The number of places of each kind. */
export function countByCause(kinds: Iterable<SkipCause>): Partial<Record<SkipCause, number>> {
  const counts: Partial<Record<SkipCause, number>> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
