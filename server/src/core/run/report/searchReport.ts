// The section of a night's report on its searches for missing tests and for calls that break.

import { counted } from '../../../util/counted.ts';
import { md, type Insertable } from '../../../protocol/markdown.ts';
import { MAX_MISSES } from './askingReport.ts';
import type { Night } from '../nightTypes.ts';

/** Maximum number of functions named in one line. */
const MAX_NAMED = 5;

/**
 * The section; empty if the night did not search. Tests that a search wrote are in the list of changes. `earlier`: the
 * nights of the repository before this one.
 */
export function searchesSection({ searches }: Night, earlier: readonly Night[]): readonly Insertable[] {
  if (searches.length === 0) return [];
  const lacking = [...new Set(searches.flatMap(({ search, found }) => (search === 'tests' ? found : [])))];
  const remainder = lacking.length > MAX_NAMED ? ` and ${lacking.length - MAX_NAMED} more` : '';
  const mistakes = countMistakes(searches);
  const isAllKnown =
    mistakes?.tried === 0 &&
    newestCompleteSearch(searches)?.undone === 0 &&
    earlier.some((night) => newestCompleteSearch(night.searches));
  const lackingText =
    lacking.length === 0
      ? isAllKnown
        ? 'earlier nights have searched all of this code, so nothing was searched again'
        : 'none could be written'
      : `${counted(lacking.length, 'function')} with mistakes that no test noticed: ${lacking.slice(0, MAX_NAMED).join(', ')}${remainder}`;
  const isTestsSearched = searches.some(({ search, obstacle }) => search === 'tests' && obstacle === undefined);
  const breaking = [...new Set(searches.flatMap(({ search, found }) => (search === 'calls' ? found : [])))];
  const omittedCount = breaking.length - MAX_MISSES;
  return [
    md`## Searched`,
    '',
    ...(isTestsSearched
      ? [md`- Missing tests: ${lackingText}${skippedFilesText(searches)}.${triedMutantsSentence(mistakes)}`]
      : []),
    ...obstaclesList(searches),
    ...(mistakes !== null && mistakes.missed > 0 ? [md`- What is left of them: \`selfware unguarded\``] : []),
    ...breaking.slice(0, MAX_MISSES).map((call) => md`- Breaks: ${call}`),
    ...(omittedCount > 0 ? [md`- … and ${omittedCount} more`] : []),
    ...(breaking.length > 0 ? [md`- Tests that show it: \`selfware counterexamples --test\``] : []),
    '',
  ];
}

interface MistakeCounts {
  readonly tried: number;
  readonly missed: number;
}

/**
 * The mistakes that were tried before tests were added, and those that no test noticed then. A later search of a file
 * tries only its remaining mistakes, so the largest search of each file counts. Records of old versions have only
 * totals, which are added. Null if no search has counted mistakes.
 */
function countMistakes(searches: Night['searches']): MistakeCounts | null {
  const counts = searches.flatMap(({ mistakes }) => mistakes ?? []);
  if (counts.length === 0) return null;
  const byPath = new Map<string, MistakeCounts>();
  for (const { path, tried, missed } of counts.flatMap(({ files = [] }) => files))
    if (tried >= (byPath.get(path)?.tried ?? 0)) byPath.set(path, { tried, missed });
  const searchCounts = [...byPath.values(), ...counts.filter(({ files }) => files === undefined)];
  return {
    tried: searchCounts.reduce((sum, { tried }) => sum + tried, 0),
    missed: searchCounts.reduce((sum, { missed }) => sum + missed, 0),
  };
}

/** The counts as a sentence; empty if they are unknown. */
function triedMutantsSentence(counts: MistakeCounts | null): string {
  if (counts === null || counts.tried === 0) return '';
  const { tried, missed } = counts;
  if (missed === 0) return ` The tests noticed ${tried === 1 ? 'the one mistake' : `all ${tried} mistakes`}.`;
  return ` Of ${counted(tried, 'mistake')}, no test had noticed ${missed}.`;
}

/** The obstacles of the searches, and the places that the newest complete search has skipped. */
function obstaclesList(searches: Night['searches']): readonly Insertable[] {
  const newestSearch = newestCompleteSearch(searches);
  const obstacles = [...new Set(searches.flatMap(({ obstacle }) => obstacle ?? []))];
  return [
    ...obstacles.map((obstacle) => md`- A search ended early: ${obstacle}`),
    ...(newestSearch?.leftOut ?? []).map(
      ({ reason, places }) => md`- Left out, ${counted(places, 'place')}: ${reason}`,
    ),
  ];
}

/** The newest search for missing tests that was completed; undefined if there is none. */
function newestCompleteSearch(searches: Night['searches']): Night['searches'][number] | undefined {
  return searches.findLast(({ search, obstacle }) => search === 'tests' && obstacle === undefined);
}

/**
 * The number of files for which the newest complete search for missing tests had no time, as the end of a sentence;
 * empty if none.
 */
function skippedFilesText(searches: Night['searches']): string {
  const newestSearch = newestCompleteSearch(searches);
  return newestSearch && newestSearch.undone > 0
    ? `; for ${counted(newestSearch.undone, 'file')} the time was not enough`
    : '';
}
