// Why a place that a recipe could fix was left alone, and since when.

import type { Millis } from '../model.ts';

/**
 * `resting`: the rule rests after five failures in a row. `declined`: by the recipe. `refused`: by a check. `unsure`:
 * too little confidence.
 */
export type PassedOverBy =
  | 'protected'
  | 'unfinished'
  | 'resting'
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

export interface PassedOver {
  /** Id. */
  readonly opportunity: string;
  readonly rule: string;
  readonly path: string;
  readonly by: PassedOverBy;
  /** A sentence that stays the same as long as nothing changes. */
  readonly reason: string;
  /** When it was so first; null = not before now. */
  readonly since: Millis | null;
}

/** The first refusal of a place, or of exactly these edits. */
export interface Refusal {
  readonly by: Extract<PassedOverBy, 'declined' | 'refused' | 'rejected' | 'rolledBack'>;
  readonly at: Millis;
  readonly reason: string | null;
}

/** What a person says who counts such places: `3 protected`. */
export const PASSED_OVER_WORDS: Readonly<Record<PassedOverBy, string>> = {
  protected: 'protected',
  unfinished: 'with unfinished work',
  resting: 'of a resting rule',
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

/** What a person turned down, or a check: asked for by itself, the same change is tried once more. */
export const TURNED_DOWN: ReadonlySet<PassedOverBy> = new Set(['refused', 'rejected', 'rolledBack']);

/** For whoever turned a change down without a word. A person reads nothing instead. */
export const NO_REASON = 'No reason was given.';

/** Beside the place itself: `Rolled back before: the tests failed (since 2026-11-23 14:05 UTC).` */
export function turnedDownSentence({ by, reason, since }: Pick<PassedOver, 'by' | 'reason' | 'since'>): string {
  const words = PASSED_OVER_WORDS[by];
  const when = since === null ? '' : ` (since ${momentOf(since)})`;
  return `${words[0]!.toUpperCase()}${words.slice(1)}${afterColon(reason)}${when}.`;
}

/** `2026-11-23 14:05 UTC`. */
export function momentOf(at: Millis): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Why a place that was asked for gave no proposal, and since when. */
export function whyNotProposed({ rule, path, by, reason, since }: PassedOver): string {
  const when = since === null ? '' : ` (so since ${momentOf(since)})`;
  return `(${rule} in ${path}), ${PASSED_OVER_WORDS[by]}${afterColon(reason)}${when}.`;
}

function afterColon(reason: string): string {
  return reason === NO_REASON ? '' : `: ${reason.replace(/\.$/, '')}`;
}

/** What a refusal says to whoever meets it again. */
export function refusalSentence({ by, reason }: Pick<Refusal, 'by' | 'reason'>): string {
  const deed = {
    declined: 'was declined',
    refused: 'was refused',
    rejected: 'was rejected',
    rolledBack: 'was rolled back',
  }[by];
  return `The same change ${deed} before${reason ? `: ${reason.replace(/\.$/, '')}` : ''}.`;
}

/** How many there are of each kind. */
export function countsOf(kinds: Iterable<PassedOverBy>): Partial<Record<PassedOverBy, number>> {
  const counts: Partial<Record<PassedOverBy, number>> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
