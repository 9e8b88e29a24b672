// Ends a search for missing tests early if a person stops it, and keeps its results so far.

import type { MutantStatus } from '../../../verify/guard/mutantRuns.ts';
import type { Mutant } from '../../../verify/guard/planMutants.ts';
import { countMutantsByFile, listJudgedMutants } from './judged.ts';
import { groupKeysByPath } from './mutantKeys.ts';
import { collectNoticedKeys } from './repeatedSearch.ts';
import type { FoundInFiles, UnguardedSearchRequest, Search } from './search.ts';

/** The request with a signal that is also aborted if the search is stopped. */
export function addStopSignal(request: UnguardedSearchRequest): UnguardedSearchRequest {
  return request.stop ? { ...request, signal: AbortSignal.any([request.signal, request.stop]) } : request;
}

/** The `stop` signal of the search as an object with that field; an empty object if nothing can stop the search. */
export function pickStop({ stop }: UnguardedSearchRequest): Pick<UnguardedSearchRequest, 'stop'> {
  return stop ? { stop } : {};
}

/**
 * The result of the work; null if the search was stopped meanwhile. The `signal` of the request must not include its
 * `stop`.
 */
export async function nullIfStopped<T>({ signal, stop }: UnguardedSearchRequest, work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (stop?.aborted && !signal.aborted) return null;
    throw error;
  }
}

/**
 * Adds the mutants that were judged before the search was stopped to the totals. Returns the results for `paths`, the
 * files at which it was stopped, from which the next search continues.
 */
export function recordUnfinished(
  { totals }: Search,
  paths: readonly string[],
  mutants: readonly Mutant[],
  statuses: ReadonlyMap<Mutant, MutantStatus>,
): FoundInFiles {
  const judgedMutants = listJudgedMutants(statuses);
  const missed = mutants.filter((mutant) => statuses.get(mutant) === 'survived');
  totals.mutants += judgedMutants.length;
  totals.survivors += missed.length;
  totals.tried.push(...countMutantsByFile(judgedMutants, missed));
  const incomplete = new Set(paths);
  const noticed = collectNoticedKeys(statuses);
  return { foundFunctions: [], incomplete, atNextSearch: incomplete, noticed, missed: groupKeysByPath(missed) };
}
