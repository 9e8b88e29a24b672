// Places that were left alone, in words: how many of each kind, or why the one that was asked for.

import { countsOf, momentOf, PASSED_OVER_WORDS, wayToRetry, type PassedOver, type PassedOverBy } from '../../core/passedOver.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { visible } from './human.ts';

/** `5 places were passed over: 3 protected, 2 declined by the recipe.`; empty for none. */
export function formatPassedOver(counts: Partial<Record<PassedOverBy, number>>): string {
  const rows = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
  const all = rows.reduce((sum, [, count]) => sum + count, 0);
  if (all === 0) return '';
  const said = rows.map(([by, count]) => `${count} ${PASSED_OVER_WORDS[by as PassedOverBy]}`).join(', ');
  return `${all === 1 ? '1 place was' : `${all} places were`} passed over: ${said}`;
}

/** The same of a list. */
export function formatPassed(places: readonly PassedOver[]): string {
  return formatPassedOver(countsOf(places.map(({ by }) => by)));
}

/** The one that was asked for gave no proposal: why, since when, and how to try again. */
export function notProposed(id: string, place: PassedOver | undefined): SelfwareError {
  if (!place) return new SelfwareError('unavailable', `Nothing is proposed for ${id}: there is nothing to change any more.`, { action: 'Run `selfware analyse` to see what there is.' });
  const { rule, path, by, reason, since } = place;
  const when = since === null ? '' : ` (so since ${momentOf(since)})`;
  return new SelfwareError('unavailable', visible(`Nothing is proposed for ${id} (${rule} in ${path}), ${PASSED_OVER_WORDS[by]}: ${reason.replace(/\.$/, '')}${when}.`), { action: wayToRetry(place) });
}
