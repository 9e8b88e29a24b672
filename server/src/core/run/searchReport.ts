// The section of a night's report on its searches for missing tests and for calls that break.

import { counted } from '../../util/counted.ts';
import { md, type Insertable } from '../../protocol/markdown.ts';
import { MAX_MISSES } from './askingReport.ts';
import type { Night } from './nightTypes.ts';

/** Maximum number of functions named in one line. */
const MAX_NAMED = 5;

/** The section; empty without a search. Tests that a search wrote are in the list of changes. */
export function searchesSection({ searches }: Night): readonly Insertable[] {
  if (searches.length === 0) return [];
  const lacking = [...new Set(searches.flatMap(({ search, found }) => (search === 'tests' ? found : [])))];
  const remainder = lacking.length > MAX_NAMED ? ` and ${lacking.length - MAX_NAMED} more` : '';
  const functionNames = lacking.length === 0 ? '' : `: ${lacking.slice(0, MAX_NAMED).join(', ')}${remainder}`;
  const breaking = [...new Set(searches.flatMap(({ search, found }) => (search === 'calls' ? found : [])))];
  const more = breaking.length - MAX_MISSES;
  return [
    md`## Searched for`,
    '',
    md`- Missing tests: ${counted(lacking.length, 'function')} with mistakes that no test noticed${functionNames}${skippedFilesText(searches)}${triedMutantsSentence(searches)}`,
    ...obstaclesList(searches),
    ...(lacking.length > 0 ? [md`- What they are, and tests that notice them: \`selfware unguarded --test\``] : []),
    ...breaking.slice(0, MAX_MISSES).map((call) => md`- Breaks: ${call}`),
    ...(more > 0 ? [md`- … and ${more} more`] : []),
    ...(breaking.length > 0 ? [md`- Tests that show it: \`selfware counterexamples --test\``] : []),
    '',
  ];
}

/**
 * The number of mutants that were tried, as a sentence; empty if only older versions of Selfware have searched. Only
 * the newest search of each file counts, because a search tries the same mutants again. The totals of versions that
 * did not count by file are added.
 */
function triedMutantsSentence(searches: Night['searches']): string {
  const counts = searches.flatMap(({ mistakes }) => mistakes ?? []);
  if (counts.length === 0) return '';
  const newestByPath = new Map(counts.flatMap(({ files = [] }) => files).map((count) => [count.path, count]));
  const newestCounts = [...newestByPath.values(), ...counts.filter(({ files }) => files === undefined)];
  const triedCount = newestCounts.reduce((sum, count) => sum + count.tried, 0);
  const survivorCount = newestCounts.reduce((sum, count) => sum + count.missed, 0);
  return `. Of ${counted(triedCount, 'mistake')} that were tried, no test noticed ${survivorCount}.`;
}

/** The obstacles of the searches, and the places that the newest complete one has skipped. */
function obstaclesList(searches: Night['searches']): readonly Insertable[] {
  const last = newestCompleteSearch(searches);
  const obstacles = [...new Set(searches.flatMap(({ obstacle }) => obstacle ?? []))];
  return [
    ...obstacles.map((obstacle) => md`- A search ended early: ${obstacle}`),
    ...(last?.leftOut ?? []).map(({ reason, places }) => md`- Left out, ${counted(places, 'place')}: ${reason}`),
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
  const last = newestCompleteSearch(searches);
  return last && last.undone > 0 ? `; for ${counted(last.undone, 'file')} the time was not enough` : '';
}
