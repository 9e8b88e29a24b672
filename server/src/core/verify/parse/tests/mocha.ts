// Parses the output of Mocha's spec reporter (and of reporters with the same epilogue): `2 passing (4ms)`, `1 pending`,
// `1 failing`. Before 9.2, its JSON reporter cannot write to a file and prints its document.

import { parseJsonOrNull } from '../../../../util/parseJson.ts';
import { readMochaJson } from '../reports/mochaJson.ts';
import { makeCounts, sumMatches, sumCounts, type TestCase, type TestCounts } from '../testCounts.ts';

/** The counts of all runs in the text; null if there is no run. */
export function parseMocha(text: string): TestCounts | null {
  const runs = [parseSpec(text), ...parsePrintedDocuments(text).map(readMochaJson)].filter((run) => run !== null);
  return runs.length === 0 ? null : sumCounts(runs);
}

/** The JSON documents that begin and end at the left margin, as the reporter prints them. */
function parsePrintedDocuments(text: string): readonly unknown[] {
  return text
    .split(/^(?=\{\n {2}"stats": \{$)/m)
    .filter((part) => part.startsWith('{'))
    .map((part) => parseJsonOrNull(part.slice(0, part.search(/^\}/m) + 1)));
}

/** The counts of the runs whose epilogue is in the text; null if there is none. */
function parseSpec(text: string): TestCounts | null {
  if (!/^[ \t]*\d+ passing( \(|$)/m.test(text)) return null;
  return makeCounts(
    sumMatches(text, /^[ \t]*(\d+) passing(?: \(|$)/gm),
    sumMatches(text, /^[ \t]*(\d+) failing$/gm),
    sumMatches(text, /^[ \t]*(\d+) pending$/gm),
    collectFailedNames(text),
    collectCases(text),
  );
}

/** Parses the lines above the epilogue: one line per test, indented under its suites. Failed tests are numbered. */
function collectCases(text: string): TestCase[] {
  const cases: TestCase[] = [];
  const openSuites: string[] = [];
  for (const line of text.split('\n')) {
    if (/^[ \t]*\d+ passing( \(|$)/.test(line)) break;
    const [, indent = '', mark, title = ''] = /^( {2,})(?:([✔✓-]|\d+\)) )?(\S.*?)(?: \(\d+ms\))?$/.exec(line) ?? [];
    if (title === '') continue;
    const depth = Math.floor(indent.length / 2) - 1;
    if (mark === undefined) {
      openSuites[depth] = title;
      openSuites.length = depth + 1;
    } else
      cases.push({
        file: null,
        name: [...openSuites.slice(0, depth), title].join(' › '),
        outcome: mark === '-' ? 'skipped' : /\d/.test(mark) ? 'failed' : 'passed',
        millis: null,
      });
  }
  return cases;
}

/**
 * The titles of the failed tests. In the epilogue, each failure has a number, with its titles on separate lines; the
 * last title ends with a colon.
 */
function collectFailedNames(text: string): string[] {
  const names: string[] = [];
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^[ \t]*\d+ failing$/.test(line));
  if (start < 0) return names;
  let titles: string[] | null = null;
  for (const line of lines.slice(start + 1)) {
    const firstTitle = /^ {2}\d+\) (.+)$/.exec(line)?.[1];
    if (firstTitle) titles = [];
    const title = firstTitle ?? (/^ {7,}\S/.test(line) ? line.trim() : null);
    if (!titles || title === null) continue;
    titles.push(title.replace(/:$/, ''));
    if (!title.endsWith(':')) continue;
    names.push(titles.join(' › '));
    titles = null;
  }
  return names;
}
