// Says how many of the mistakes for which tests were written the tests notice.

import type { MutantStatus } from '../guard/mutantRuns.ts';
import { counted } from '../../../util/counted.ts';

/**
 * The end of a sentence about new tests, and the number of mistakes that they were seen to notice. `shown`: the mistake
 * that was confirmed, with and without the new tests. `requested`: the statuses, with the new tests, of the mistakes for
 * which the tests were written; the search before has shown that no other test notices these. `count`: their number.
 * `isPart`: true if not all other tests ran.
 */
export function noticedMistakes(
  shown: string,
  requested: Iterable<MutantStatus>,
  count: number,
  isPart = false,
): { readonly text: string; readonly noticed: number } {
  const unnoticed = isPart ? 'that no other test that ran notices' : 'that no other test notices';
  const noticed = Math.max(1, [...requested].filter((status) => status === 'noticed').length);
  if (noticed > 1 && noticed >= count)
    return { noticed, text: `${counted(noticed, 'mistake')} ${unnoticed}, such as ${shown}` };
  const part = count > 1 ? `, ${noticed} of the ${count} that they are for` : '';
  const mistakes = noticed === 1 ? 'a mistake' : `${noticed} mistakes`;
  return { noticed, text: `${mistakes} ${unnoticed}${part}: ${shown}` };
}
