// Formats the places that a run has passed over, for a terminal: their number for each cause, or the reason and the
// advice for one place.

import {
  countByCause,
  SKIPPED_TEXTS,
  describeSkippedRequest,
  type SkippedPlace,
  type SkipCause,
} from '../../core/model/skippedPlaces.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { escapeInvisible } from '../../util/visible.ts';

/** For each cause, the sentence that says how to have the place tried again. */
const RETRY_HINTS: Readonly<Record<SkipCause, (id: string) => string>> = {
  protected: () => 'Make the change by hand, or remove the path from your own protected paths.',
  unfinished: () => 'Finish or undo the work in the file, then ask again.',
  resting: (id) => `\`selfware propose ${id}\` tries it now.`,
  unwanted: (id) => `\`selfware propose ${id}\` tries it anyway.`,
  dismissed: (id) => `\`selfware undismiss ${id}\` undoes that.`,
  notOurs: (id) => `\`selfware propose ${id}\` tries it anyway.`,
  baseline: (id) => `\`selfware propose ${id}\` tries it anyway.`,
  comment: () => 'Take the comment out of the code, then ask again.',
  declined: () =>
    'It is tried again each time you ask: change the code there first, or send your own edits by `selfware propose --request FILE`.',
  refused: (id) => `\`selfware propose ${id} --again\` has the same change checked once more.`,
  rejected: (id) => `\`selfware propose ${id} --again\` proposes the same change once more.`,
  rolledBack: (id) => `\`selfware propose ${id} --again\` proposes the same change once more.`,
  waiting: () => 'Decide about what waits: `selfware proposals list`.',
  unsure: (id) => `\`selfware propose ${id}\` tries it anyway.`,
};

/** How a person can have this place tried again, as a sentence. */
function retryAdvice({ by, opportunity }: Pick<SkippedPlace, 'by' | 'opportunity'>): string {
  return RETRY_HINTS[by](opportunity);
}

/**
 * The counts in the form `5 places were passed over: 3 protected, 2 declined by the recipe`; empty if there are none.
 */
export function formatPassedOver(counts: Partial<Record<SkipCause, number>>): string {
  const rows = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  const total = rows.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return '';
  const countsText = rows.map(([cause, count]) => `${count} ${SKIPPED_TEXTS[cause as SkipCause]}`).join(', ');
  return `${total === 1 ? '1 place was' : `${total} places were`} passed over: ${countsText}`;
}

/**
 * The number of places for each cause, in the form `5 places were passed over: 3 protected, 2 declined by the recipe`;
 * '' if there are none.
 */
export function formatPassedOverPlaces(places: readonly SkippedPlace[]): string {
  return formatPassedOver(countByCause(places.map(({ by }) => by)));
}

/**
 * The error if there is no proposal for the place that a person has named: the reason, its date, and how to try again.
 */
export function createNotProposedError(id: string, skipped: SkippedPlace | undefined): SelfwareError {
  if (!skipped)
    return new SelfwareError('unavailable', `Nothing is proposed for ${id}: there is no longer anything to change.`, {
      action: 'Run `selfware analyse` to see what there is.',
    });
  return new SelfwareError('unavailable', escapeInvisible(`Nothing is proposed ${describeSkippedRequest(skipped)}`), {
    action: retryAdvice(skipped),
  });
}
