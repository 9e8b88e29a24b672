// The part of a night's report about its searches for missing tests and for calls that break.

import { counted } from '../../util/counted.ts';
import { md, type Insertable } from '../../protocol/markdown.ts';
import { MAX_MISSES } from './askingReport.ts';
import type { Night } from './nights.ts';

/** Maximum number of functions that a line names. */
const MAX_NAMED = 5;

/** The section; empty without a search. Tests that a search wrote are listed among the changes. */
export function searchesOf({ searches }: Night): readonly Insertable[] {
  if (searches.length === 0) return [];
  const lacking = [...new Set(searches.flatMap(({ search, found }) => (search === 'tests' ? found : [])))];
  const others = lacking.length > MAX_NAMED ? ` and ${lacking.length - MAX_NAMED} more` : '';
  const named = lacking.length === 0 ? '' : `: ${lacking.slice(0, MAX_NAMED).join(', ')}${others}`;
  const breaking = [...new Set(searches.flatMap(({ search, found }) => (search === 'calls' ? found : [])))];
  const more = breaking.length - MAX_MISSES;
  return [
    md`## Searched for`,
    '',
    md`- Missing tests: ${counted(lacking.length, 'function')} with mistakes that no test noticed${named}${leftUndone(searches)}${triedIn(searches)}`,
    ...obstaclesOf(searches),
    ...(lacking.length > 0 ? [md`- What they are, and tests that notice them: \`selfware unguarded --test\``] : []),
    ...breaking.slice(0, MAX_MISSES).map((call) => md`- Breaks: ${call}`),
    ...(more > 0 ? [md`- … and ${more} more`] : []),
    ...(breaking.length > 0 ? [md`- Tests that show it: \`selfware counterexamples --test\``] : []),
    '',
  ];
}

/**
 * How many mistakes were tried, as a sentence; empty if only older versions of Selfware have searched. Of each file,
 * only the newest search counts, because a search tries mistakes again. The totals of versions that did not count by
 * file are added.
 */
function triedIn(searches: Night['searches']): string {
  const counts = searches.flatMap(({ mistakes }) => mistakes ?? []);
  if (counts.length === 0) return '';
  const ofFiles = new Map(counts.flatMap(({ files = [] }) => files).map((one) => [one.path, one]));
  const all = [...ofFiles.values(), ...counts.filter(({ files }) => files === undefined)];
  const tried = all.reduce((sum, one) => sum + one.tried, 0);
  const missed = all.reduce((sum, one) => sum + one.missed, 0);
  return `. Of ${counted(tried, 'mistake')} that were tried, no test noticed ${missed}.`;
}

/** What stood in the way of the searches, and what the newest one that came to its end has left out. */
function obstaclesOf(searches: Night['searches']): readonly Insertable[] {
  const last = newestOf(searches);
  const obstacles = [...new Set(searches.flatMap(({ obstacle }) => obstacle ?? []))];
  return [
    ...obstacles.map((obstacle) => md`- A search ended early: ${obstacle}`),
    ...(last?.leftOut ?? []).map(({ reason, places }) => md`- Left out, ${counted(places, 'place')}: ${reason}`),
  ];
}

/** The newest search for missing tests that did not end early; undefined if there is none. */
function newestOf(searches: Night['searches']): Night['searches'][number] | undefined {
  return searches.findLast(({ search, obstacle }) => search === 'tests' && obstacle === undefined);
}

/**
 * For how many files the newest complete search for missing tests had no time, as the end of a sentence; empty if none.
 */
function leftUndone(searches: Night['searches']): string {
  const last = newestOf(searches);
  return last && last.undone > 0 ? `; for ${counted(last.undone, 'file')} the time was not enough` : '';
}
