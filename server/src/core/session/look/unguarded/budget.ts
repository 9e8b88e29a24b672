// How many mistakes a search for missing tests puts into scripts, and how many of them it has to try.

/** Number of mutants of a file that are enough for a search, and the maximum if many files are searched. */
const ENOUGH = 60;
/** Maximum for all files together if these are few: a small package is often one long file. */
const MAX_OF_FEW = 720;

/** The maximum number of mutants of a file on average. They are spread over its lines. `files`: how many are searched. */
export function mutantsPerFile(files: number): number {
  return Math.max(ENOUGH, Math.floor(MAX_OF_FEW / Math.max(1, files)));
}

/**
 * The mutants, of those planned for so many files, that are to be tried before the files count as searched. The others
 * are tried if there is time.
 */
export function neededOf<T>(planned: readonly T[], files: number): readonly T[] {
  return planned.slice(0, ENOUGH * files);
}
