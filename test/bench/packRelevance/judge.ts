// Makes the context for a bug fix from its parent commit, and measures how many of the lines that the fix touched are
// shown: by a pack, and by plain concatenation of the files that a search finds.

import { collectEpisodes } from '../../../server/src/core/memory/episodes.ts';
import { packContext } from '../../../server/src/core/memory/pack.ts';
import { renderPack } from '../../../server/src/core/memory/render.ts';
import { MAX_RELATED, selectRelatedPlaces } from '../../../server/src/core/memory/related.ts';
import { isTestFile } from '../../../server/src/core/paths/tests.ts';
import { estimateTokens } from '../../../server/src/util/tokens.ts';
import type { Fix } from './fixes.ts';
import type { Moment } from './past.ts';
import { linesOf, shownBy, type Spent } from './shownLines.ts';

/** The result for a fix with one budget. */
export interface Judged {
  /** Tokens of the text, without the reserve for the reply. */
  readonly budget: number;
  /** Share of the touched lines that the pack shows. */
  readonly pack: number;
  /** The same without tests; null if the fix touched only tests. */
  readonly packWithoutTests: number | null;
  /** The share with whole files, and with one file after another (`filesInARow`). */
  readonly whole: number;
  readonly cut: number;
  readonly tokens: number;
  readonly spent: Spent;
  readonly headings: number;
  readonly emptyHeadings: number;
}

/** Numbers of lines, by path. */
type Lines = ReadonlyMap<string, ReadonlySet<number>>;

/** Percentage of the window that is reserved for the reply. */
const RESERVE = 10;

/** Judges a fix with each of the budgets, which are tokens of the text. */
export async function judge(
  { subject, touched: touchedLines }: Fix,
  moment: Moment,
  budgets: readonly number[],
  signal: AbortSignal,
): Promise<Judged[]> {
  const hits = await moment.search(subject, MAX_RELATED);
  const related = selectRelatedPlaces(hits);
  const files = [...new Set(hits.map(({ path }) => path))];
  const read = async (path: string) => moment.texts.get(path) ?? null;
  // An insertion at the end of a file has no line after it.
  const touched = new Map(
    [...touchedLines].map(([path, lines]) => {
      const count = linesOf(moment.texts.get(path) ?? '').length;
      return [path, new Set([...lines].filter((line) => line <= count))];
    }),
  );
  const withoutTests = new Map([...touched].filter(([path]) => !isTestFile(path)));
  const judged: Judged[] = [];
  for (const budget of budgets) {
    const pack = await packContext(
      {
        ...moment,
        records: [...moment.records.values()],
        read,
        ...(related && { relatedPlaces: related }),
        episodes: { all: collectEpisodes([], moment.commits), now: moment.commits[0]?.atMs ?? 0 },
      },
      {
        task: subject,
        taskType: 'SelfImprovement',
        budget: Math.floor(budget / (1 - RESERVE / 100)),
        activeFiles: [],
      },
      signal,
    );
    const text = await renderPack(pack, { records: moment.records, read }, signal);
    const { lines, spent, headings, emptyHeadings } = shownBy(text, moment.texts);
    judged.push({
      budget,
      pack: shareOf(touched, lines)!,
      packWithoutTests: shareOf(withoutTests, lines),
      whole: shareOf(touched, wholeFiles(files, moment.texts, budget))!,
      cut: shareOf(touched, filesInARow(files, moment.texts, budget))!,
      tokens: estimateTokens(text),
      spent,
      headings,
      emptyHeadings,
    });
  }
  return judged;
}

/** Share of the touched lines that are shown; null if there are none. */
function shareOf(touched: Lines, shown: Lines): number | null {
  let all = 0;
  let seen = 0;
  for (const [path, lines] of touched)
    for (const line of lines) {
      all++;
      if (shown.get(path)?.has(line)) seen++;
    }
  return all === 0 ? null : seen / all;
}

/** A peer: whole files in the order of the search; a file that does not fit is skipped. */
export function wholeFiles(files: readonly string[], texts: ReadonlyMap<string, string>, budget: number): Lines {
  const shown = new Map<string, Set<number>>();
  let left = budget;
  for (const path of files) {
    const text = sectionOf(path, texts);
    if (estimateTokens(text) > left) continue;
    left -= estimateTokens(text);
    shown.set(path, numbersOf(text));
  }
  return shown;
}

/** A peer: one file after another in the order of the search; the last one is cut. */
export function filesInARow(files: readonly string[], texts: ReadonlyMap<string, string>, budget: number): Lines {
  const shown = new Map<string, Set<number>>();
  let left = budget;
  for (const path of files) {
    const text = sectionOf(path, texts);
    if (estimateTokens(text) <= left) {
      left -= estimateTokens(text);
      shown.set(path, numbersOf(text));
      continue;
    }
    const beginning = text.slice(0, Math.floor((left / estimateTokens(text)) * text.length));
    shown.set(path, numbersOf(beginning.slice(0, beginning.lastIndexOf('\n') + 1)));
    break;
  }
  return shown;
}

/** A file with its heading. */
function sectionOf(path: string, texts: ReadonlyMap<string, string>): string {
  return `## ${path}\n${texts.get(path) ?? ''}`;
}

/** Numbers of the lines of a file below its heading. */
function numbersOf(section: string): Set<number> {
  const lines = linesOf(section).length - 1;
  return new Set(Array.from({ length: lines }, (_, index) => index + 1));
}
