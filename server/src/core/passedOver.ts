// Why a place that a recipe could mend was left alone, since when, and what would let it be tried again.

import type { Millis } from './model.ts';

/** `resting`: its rule, after five failures in a row. `declined`: by the recipe. `refused`: by a check. `unsure`: too little confidence. */
export type PassedOverBy =
  | 'protected' | 'unfinished' | 'resting' | 'dismissed' | 'notOurs' | 'baseline' | 'comment'
  | 'declined' | 'refused' | 'rejected' | 'rolledBack' | 'waiting' | 'unsure';

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

/** What became of a place, or of exactly these edits, at the first time. */
export interface Refusal {
  readonly by: Extract<PassedOverBy, 'declined' | 'refused' | 'rejected' | 'rolledBack'>;
  readonly at: Millis;
  readonly reason: string | null;
}

/** What a person says who counts such places: `3 protected`. */
export const PASSED_OVER_WORDS: Readonly<Record<PassedOverBy, string>> = {
  protected: 'protected',
  unfinished: 'with unfinished work',
  resting: 'of a rule that rests',
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

const AGAIN: Readonly<Record<PassedOverBy, (id: string) => string>> = {
  protected: () => 'Make the change by hand, or take the path out of the protected ones if it is one of your own.',
  unfinished: () => 'Finish or undo what stands in the file, then ask again.',
  resting: (id) => `\`selfware propose ${id}\` tries it now.`,
  dismissed: (id) => `\`selfware undismiss ${id}\` takes that back.`,
  notOurs: (id) => `\`selfware propose ${id}\` tries it all the same.`,
  baseline: (id) => `\`selfware propose ${id}\` tries it all the same.`,
  comment: () => 'Take the comment out of the code, then ask again.',
  declined: () => 'It is tried anew each time that you ask: change the code there first, or bring your own edits by `selfware propose --request FILE`.',
  refused: (id) => `\`selfware propose ${id} --again\` has the same change checked once more.`,
  rejected: (id) => `\`selfware propose ${id} --again\` proposes the same change once more.`,
  rolledBack: (id) => `\`selfware propose ${id} --again\` proposes the same change once more.`,
  waiting: () => 'Decide about what waits: `selfware proposals list`.',
  unsure: (id) => `\`selfware propose ${id}\` tries it all the same.`,
};

/** What to do to have it tried again, in a sentence. */
export function wayToRetry({ by, opportunity }: Pick<PassedOver, 'by' | 'opportunity'>): string {
  return AGAIN[by](opportunity);
}

/** `2026-11-23 14:05 UTC`. */
export function momentOf(at: Millis): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** What a refusal says to who meets it again. */
export function refusalSentence({ by, reason }: Pick<Refusal, 'by' | 'reason'>, what = 'The same change'): string {
  const deed = { declined: 'was declined', refused: 'was refused', rejected: 'was rejected', rolledBack: 'was rolled back' }[by];
  return `${what} ${deed} before${reason ? `: ${reason.replace(/\.$/, '')}` : ''}.`;
}

/** How many there are of each kind. */
export function countsOf(kinds: Iterable<PassedOverBy>): Partial<Record<PassedOverBy, number>> {
  const counts: Partial<Record<PassedOverBy, number>> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
