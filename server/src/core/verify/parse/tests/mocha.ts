// Mocha's spec reporter (and those that share its epilogue): `2 passing (4ms)`, `1 pending`, `1 failing`.

import { counts, sum, type TestCounts } from '../testCounts.ts';

export function parseMocha(text: string): TestCounts | null {
  if (!/^[ \t]*\d+ passing( \(|$)/m.test(text)) return null;
  return counts(sum(text, /^[ \t]*(\d+) passing(?: \(|$)/gm), sum(text, /^[ \t]*(\d+) failing$/gm), sum(text, /^[ \t]*(\d+) pending$/gm), failing(text));
}

/** In the epilogue a failure is numbered and its titles stand below each other, the last one with a colon. */
function failing(text: string): string[] {
  const names: string[] = [];
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^[ \t]*\d+ failing$/.test(line));
  if (start < 0) return names;
  let titles: string[] | null = null;
  for (const line of lines.slice(start + 1)) {
    const first = /^ {2}\d+\) (.+)$/.exec(line)?.[1];
    if (first) titles = [];
    const title = first ?? (/^ {7,}\S/.test(line) ? line.trim() : null);
    if (!titles || title === null) continue;
    titles.push(title.replace(/:$/, ''));
    if (!title.endsWith(':')) continue;
    names.push(titles.join(' › '));
    titles = null;
  }
  return names;
}
