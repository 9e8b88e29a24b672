// Limits a search for missing tests in scripts: the number of mutants per file, the mutants that it has to try, and the
// time at which it ends.

import { groupBy } from '../../../../util/values/groupBy.ts';
import type { UnguardedRequest } from '../analysisTypes.ts';

/**
 * Number of mutants of a file that must be tried. If many files are searched, also the average number that a file gets.
 */
const MIN_MUTANTS_PER_FILE = 60;
/**
 * Maximum number of mutants in all files together, in a short and in a long search. It matters only for few files,
 * because many files get `MIN_MUTANTS_PER_FILE` each. A small package is often one long file. More mutants leave less time
 * for calls.
 */
const [MAX_IN_SHORT_SEARCH, MAX_IN_LONG_SEARCH] = [720, 1_440];
/** Number of mutants for each second of a search, between the maximum of a short search and that of a long search. */
const MUTANTS_PER_SECOND = 5;

/**
 * The average number of mutants that a file may have. They are spread over its lines. `files`: number of files that are
 * searched.
 */
export function computeMutantsPerFile(files: number, seconds: number): number {
  const maxMutants = Math.min(MAX_IN_LONG_SEARCH, Math.max(MAX_IN_SHORT_SEARCH, MUTANTS_PER_SECOND * seconds));
  return Math.max(MIN_MUTANTS_PER_FILE, Math.floor(maxMutants / Math.max(1, files)));
}

/**
 * The planned mutants that have to be tried before their files count as searched: the first ones of each file. The
 * others are tried if there is time.
 */
export function selectNeededMutants<T extends { readonly path: string }>(planned: readonly T[]): readonly T[] {
  return groupBy(planned, ({ path }) => path).flatMap((plannedOfFile) => plannedOfFile.slice(0, MIN_MUTANTS_PER_FILE));
}

/**
 * The time at which a search ends, in milliseconds since the epoch. `startedAt`: the time before the tests ran without
 * mutants. `now`: the time at which the search starts its mutants.
 */
export function computeEndOfSearch(
  startedAt: number,
  now: number,
  { seconds, secondsInAll = Infinity }: Pick<UnguardedRequest, 'seconds' | 'secondsInAll'>,
): number {
  return Math.min(now + seconds * 1000, startedAt + secondsInAll * 1000);
}
