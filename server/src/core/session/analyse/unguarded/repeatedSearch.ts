// Searches a file again after tests of its findings were kept. Mistakes that a test has noticed are not tried again,
// because the code is the same and tests were only added.

import { describeMutant, type MutantStatus } from '../../../verify/guard/mutantRuns.ts';
import type { Mutant } from '../../../verify/guard/planMutants.ts';
import type { Grounds, KeptUnguarded } from './unguardedMistakes.ts';
import { mutantKey, groupKeysByPath } from './mutantKeys.ts';
import type { FoundInFiles, Search } from './search.ts';

/**
 * Maximum number of searches of a file with the same code. Each of them may propose tests with several calls of a
 * function, which a person has to read.
 */
const MAX_ROUNDS = 3;

/** True if the file was searched completely, and tests of its findings were added since. */
export function isWorthRepeating(path: string, keptFile: KeptUnguarded, grounds: Pick<Grounds, 'doneIn'>): boolean {
  const { seconds, round = 1, done = 0 } = keptFile;
  return seconds === null && round < MAX_ROUNDS && grounds.doneIn(path, keptFile).size > done;
}

/**
 * The mutants that earlier searches of the same code do not know; undefined if all mutants have to be tried. Earlier
 * searches know the noticed mutants, even if tests of findings were added since. In a file that is searched again, they
 * also know the mutants that their findings show.
 */
export function selectUnknownMutants(
  { repeatedFiles, keptByPath, grounds }: Search,
  mutants: readonly Mutant[],
): ReadonlySet<Mutant> | undefined {
  const isKnown = (path: string) => {
    const keptFile = keptByPath.get(path);
    return repeatedFiles.has(path) || ((keptFile?.noticed ?? []).length > 0 && grounds.isStillNoticed(path, keptFile!));
  };
  const files = new Set(mutants.map(({ path }) => path).filter(isKnown));
  if (files.size === 0) return undefined;
  const noticedKeys = new Set(
    [...files].flatMap((path) => (keptByPath.get(path)?.noticed ?? []).map((key) => `${path} ${key}`)),
  );
  const mistakePlaces = new Set(
    [...files].flatMap((path) =>
      repeatedFiles.has(path)
        ? keptByPath.get(path)!.found.flatMap(({ mistakes }) => mistakes.map(({ place }) => place))
        : [],
    ),
  );
  return new Set(
    mutants.filter(
      (mutant) => !noticedKeys.has(`${mutant.path} ${mutantKey(mutant)}`) && !mistakePlaces.has(describeMutant(mutant)),
    ),
  );
}

/**
 * The stored results of a file, without the noticed mutants if a test from the time of the search is gone, for example
 * after a rollback. That test may have been the one that noticed them.
 */
export function removeDoubtfulMutants(
  path: string,
  keptFile: KeptUnguarded,
  grounds: Pick<Grounds, 'heldIn'>,
): KeptUnguarded {
  if (!keptFile.held?.length) return keptFile;
  const heldIds = new Set(grounds.heldIn(path, keptFile.found));
  return keptFile.held.every((id) => heldIds.has(id)) ? keptFile : { ...keptFile, noticed: [], held: [] };
}

/** The keys of the mutants that tests have noticed, by path. */
export function collectNoticedKeys(
  statuses: ReadonlyMap<Mutant, MutantStatus>,
): ReadonlyMap<string, readonly string[]> {
  return groupKeysByPath(
    [...statuses].flatMap(([mutant, status]) => (status === 'noticed' || status === 'stopped' ? [mutant] : [])),
  );
}

/**
 * Adds the results of a repeated search of a file to those of the earlier searches. Functions whose findings are still
 * open stay as they are, because their tests were refused or wait for a decision.
 */
export function mergeRepeatedSearch(
  path: string,
  earlier: KeptUnguarded,
  result: FoundInFiles,
  grounds: Grounds,
): KeptUnguarded {
  const round = (earlier.round ?? 1) + 1;
  const openNames = new Set(grounds.current(path, earlier).map(({ name }) => name));
  const addedFunctions = result.foundFunctions.filter(
    (unguarded) => unguarded.path === path && !openNames.has(unguarded.name),
  );
  const allFound = [...earlier.found, ...addedFunctions.map((unguarded) => ({ ...unguarded, round }))];
  const noticed = [...new Set([...(earlier.noticed ?? []), ...(result.noticed?.get(path) ?? [])])];
  const isDone = !result.incomplete.has(path);
  return {
    ...earlier,
    ground: grounds.of(path, allFound),
    ...{ found: allFound, noticed, round, held: grounds.heldIn(path, allFound) },
    ...(isDone ? { done: grounds.doneIn(path, earlier).size } : {}),
  };
}

/**
 * The number of earlier searches of the same code, and of findings that were done then. The count continues if the file
 * is searched for untried mistakes.
 */
export function continueRounds({ round, done }: KeptUnguarded): Pick<KeptUnguarded, 'round' | 'done'> {
  return { ...(round === undefined ? {} : { round }), ...(done === undefined ? {} : { done }) };
}
