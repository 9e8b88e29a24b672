// The section of a night's report on its searches for wrong examples, for missing tests, and for calls that make a
// function fail.

import { formatCount } from '../../../util/counted.ts';
import { md, type Insertable } from '../../../protocol/markdown.ts';
import { MAX_LISTED } from './askingReport.ts';
import type { Night } from '../nightTypes.ts';

/** Maximum number of functions named in one line. */
const MAX_NAMED_FUNCTIONS = 5;

/**
 * The section; empty if the night did not search. Tests that a search wrote are in the list of changes. `earlier`: the
 * nights of the repository before this one.
 */
export function createSearchSection({ searches }: Night, earlier: readonly Night[]): readonly Insertable[] {
  if (searches.length === 0) return [];
  const unguardedFunctions = [...new Set(searches.flatMap(({ search, found }) => (search === 'tests' ? found : [])))];
  const remainder =
    unguardedFunctions.length > MAX_NAMED_FUNCTIONS
      ? ` and ${unguardedFunctions.length - MAX_NAMED_FUNCTIONS} more`
      : '';
  const mistakes = countMistakes(searches);
  const wasAllSearchedBefore =
    mistakes?.tried === 0 &&
    findNewestCompleteSearch(searches)?.undone === 0 &&
    earlier.some((night) => findNewestCompleteSearch(night.searches));
  const lackingText =
    unguardedFunctions.length === 0
      ? wasAllSearchedBefore
        ? 'earlier nights have searched all of this code, so nothing was searched again'
        : 'none could be written'
      : `${formatCount(unguardedFunctions.length, 'function')} with mistakes that no test noticed: ${unguardedFunctions.slice(0, MAX_NAMED_FUNCTIONS).join(', ')}${remainder}`;
  const hasSearchedTests = searches.some(({ search, obstacle }) => search === 'tests' && obstacle === undefined);
  const breakingCalls = [...new Set(searches.flatMap(({ search, found }) => (search === 'calls' ? found : [])))];
  const wrongExamples = [...new Set(searches.flatMap(({ search, found }) => (search === 'examples' ? found : [])))];
  const omittedCount = breakingCalls.length - MAX_LISTED;
  return [
    md`## Searched`,
    '',
    ...(hasSearchedTests
      ? [md`- Missing tests: ${lackingText}${skippedFilesText(searches)}.${formatTriedMistakes(mistakes)}`]
      : []),
    ...wrongExamples.slice(0, MAX_LISTED).map((example) => md`- Wrong example: ${example}`),
    ...(wrongExamples.length > 0 ? [md`- All of them: \`selfware examples\``] : []),
    ...listObstacles(searches),
    ...(mistakes !== null && mistakes.missed > 0 ? [md`- What is left of them: \`selfware unguarded\``] : []),
    ...breakingCalls.slice(0, MAX_LISTED).map((call) => md`- Breaks: ${call}`),
    ...(omittedCount > 0 ? [md`- … and ${omittedCount} more`] : []),
    ...(breakingCalls.length > 0 ? [md`- Tests that show it: \`selfware counterexamples --test\``] : []),
    '',
  ];
}

interface MistakeCounts {
  readonly tried: number;
  readonly missed: number;
}

/**
 * The numbers of mistakes that were tried before tests were added, and of those that no test noticed then. Later
 * searches of a file try only its remaining mistakes, so the search that tried the most counts for each file. Records
 * of old versions have only totals, which are added. Null if no search has counted mistakes.
 */
function countMistakes(searches: Night['searches']): MistakeCounts | null {
  const counts = searches.flatMap(({ mistakes }) => mistakes ?? []);
  if (counts.length === 0) return null;
  const countsByPath = new Map<string, MistakeCounts>();
  for (const { path, tried, missed } of counts.flatMap(({ files = [] }) => files))
    if (tried >= (countsByPath.get(path)?.tried ?? 0)) countsByPath.set(path, { tried, missed });
  const searchCounts = [...countsByPath.values(), ...counts.filter(({ files }) => files === undefined)];
  return {
    tried: searchCounts.reduce((sum, { tried }) => sum + tried, 0),
    missed: searchCounts.reduce((sum, { missed }) => sum + missed, 0),
  };
}

/** The counts as a sentence; empty if they are unknown. */
function formatTriedMistakes(counts: MistakeCounts | null): string {
  if (counts === null || counts.tried === 0) return '';
  const { tried, missed } = counts;
  if (missed === 0) return ` The tests noticed ${tried === 1 ? 'the one mistake' : `all ${tried} mistakes`}.`;
  return ` Of ${formatCount(tried, 'mistake')}, no test had noticed ${missed}.`;
}

/** The obstacles that ended searches early, and the places that the newest complete search has skipped. */
function listObstacles(searches: Night['searches']): readonly Insertable[] {
  const newestSearch = findNewestCompleteSearch(searches);
  const obstacles = [...new Set(searches.flatMap(({ obstacle }) => obstacle ?? []))];
  return [
    ...obstacles.map((obstacle) => md`- A search ended early: ${obstacle}`),
    ...(newestSearch?.leftOut ?? []).map(
      ({ reason, places }) => md`- Left out, ${formatCount(places, 'place')}: ${reason}`,
    ),
  ];
}

/**
 * The newest search for missing tests that was completed; undefined if there is none. A search with an obstacle was not
 * completed.
 */
function findNewestCompleteSearch(searches: Night['searches']): Night['searches'][number] | undefined {
  return searches.findLast(({ search, obstacle }) => search === 'tests' && obstacle === undefined);
}

/**
 * The number of files for which the newest complete search for missing tests had no time, as the end of a sentence;
 * empty if it had time for all.
 */
function skippedFilesText(searches: Night['searches']): string {
  const newestSearch = findNewestCompleteSearch(searches);
  return newestSearch && newestSearch.undone > 0
    ? `; for ${formatCount(newestSearch.undone, 'file')} the time was not enough`
    : '';
}
