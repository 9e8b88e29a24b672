// How many mistakes a search for missing tests puts into scripts, and how many of them it has to try.

import { groupedBy } from '../../../verify/guard/groupedBy.ts';

/** Number of mutants of a file that are enough for a search, and the maximum if many files are searched. */
const ENOUGH = 60;
/** Maximum for all files together if these are few: a small package is often one long file. */
const MAX_OF_FEW = 1_440;

/** The maximum number of mutants of a file on average. They are spread over its lines. `files`: how many are searched. */
export function mutantsPerFile(files: number): number {
  return Math.max(ENOUGH, Math.floor(MAX_OF_FEW / Math.max(1, files)));
}

/**
 * The mutants, of those planned that are to be tried before their files count as searched: the first of each file. The
 * others are tried if there is time.
 */
export function neededOf<T extends { readonly path: string }>(planned: readonly T[]): readonly T[] {
  return groupedBy(planned, ({ path }) => path).flatMap((own) => own.slice(0, ENOUGH));
}
