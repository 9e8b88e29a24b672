// Computes the number of mistakes that a search for missing tests puts into scripts, and the number of them that it has
// to try.

import { groupBy } from '../../../../util/values/groupBy.ts';
import type { UnguardedRequest } from '../analysisTypes.ts';

/** Number of mutants of a file that are enough for a search, and the maximum if many files are searched. */
const ENOUGH_MUTANTS = 60;
/**
 * Maximum number of mutants in all files together, in a short and in a long search. It applies to few files, because a
 * small package is often one long file. More mutants leave less time for calls.
 */
const [MAX_OF_FEW, MAX_IN_LONG_SEARCH] = [720, 1_440];
/** Number of mutants for each second of a search, between these two maxima. */
const MUTANTS_PER_SECOND = 5;

/**
 * The maximum number of mutants of a file on average. They are spread over its lines. `files`: number of files that are
 * searched.
 */
export function computeMutantsPerFile(files: number, seconds: number): number {
  const maxMutants = Math.min(MAX_IN_LONG_SEARCH, Math.max(MAX_OF_FEW, MUTANTS_PER_SECOND * seconds));
  return Math.max(ENOUGH_MUTANTS, Math.floor(maxMutants / Math.max(1, files)));
}

/**
 * The planned mutants that have to be tried before their files count as searched: the first ones of each file. The
 * others are tried if there is time.
 */
export function selectNeededMutants<T extends { readonly path: string }>(planned: readonly T[]): readonly T[] {
  return groupBy(planned, ({ path }) => path).flatMap((plannedOfFile) => plannedOfFile.slice(0, ENOUGH_MUTANTS));
}

/**
 * The time, in milliseconds, at which a search ends that starts its mutants `now`. `startedAt`: the time before the
 * tests ran without mutants.
 */
export function computeEndOfSearch(
  startedAt: number,
  now: number,
  { seconds, secondsInAll = Infinity }: Pick<UnguardedRequest, 'seconds' | 'secondsInAll'>,
): number {
  return Math.min(now + seconds * 1000, startedAt + secondsInAll * 1000);
}
