// Describes how many of the requested mistakes the new tests notice.

import type { MutantStatus } from '../guard/mutantRuns.ts';
import { formatCount } from '../../../util/counted.ts';

/**
 * The end of a sentence about new tests, and the number of mistakes that they notice. `example`: the confirmed mistake.
 * `requested`: the statuses, with the new tests, of the mistakes for which the tests were written. `count`: the number
 * of these mistakes. An earlier search has shown that no other test notices them. With `isNearby`, that search covered
 * only the tests nearby, so only the confirmed mistake counts, unless `isPart` says that not all other tests ran this
 * time either.
 */
export function describeNoticedMistakes(
  example: string,
  requested: Iterable<MutantStatus>,
  count: number,
  {
    isPart = false,
    isNearby = false,
  }: { readonly isPart?: boolean | undefined; readonly isNearby?: boolean | undefined } = {},
): { readonly text: string; readonly noticed: number } {
  const unnoticed = isPart ? 'that no other test that ran notices' : 'that no other test notices';
  const countedStatuses = isNearby && !isPart ? [] : [...requested];
  const noticed = Math.max(1, countedStatuses.filter((status) => status === 'noticed').length);
  if (noticed > 1 && noticed >= count)
    return { noticed, text: `${formatCount(noticed, 'mistake')} ${unnoticed}, such as ${example}` };
  const part = count > 1 ? `, ${noticed} of the ${count} that they are for` : '';
  const mistakes = noticed === 1 ? 'a mistake' : `${noticed} mistakes`;
  return { noticed, text: `${mistakes} ${unnoticed}${part}: ${example}` };
}
