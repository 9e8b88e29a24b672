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
import { splitLines, readShown, type Spent } from './shownLines.ts';

/** The result for a fix with one budget. */
export interface Judged {
  /** Tokens of the text, without the reserve for the reply. */
  readonly budget: number;
  /** Share of the touched lines that the pack shows. */
  readonly pack: number;
  /** The same without tests; null if the fix touched only tests. */
  readonly packWithoutTests: number | null;
  /** The share with whole files, and with one file after another (`showFilesInARow`). */
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
      const count = splitLines(moment.texts.get(path) ?? '').length;
      return [path, new Set([...lines].filter((line) => line <= count))];
    }),
  );
  const withoutTests = new Map([...touched].filter(([path]) => !isTestFile(path)));
  const results: Judged[] = [];
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
    const { lines, spent, headings, emptyHeadings } = readShown(text, moment.texts);
    results.push({
      budget,
      pack: computeShownShare(touched, lines)!,
      packWithoutTests: computeShownShare(withoutTests, lines),
      whole: computeShownShare(touched, showWholeFiles(files, moment.texts, budget))!,
      cut: computeShownShare(touched, showFilesInARow(files, moment.texts, budget))!,
      tokens: estimateTokens(text),
      spent,
      headings,
      emptyHeadings,
    });
  }
  return results;
}

/** Share of the touched lines that are shown; null if there are none. */
function computeShownShare(touched: Lines, shown: Lines): number | null {
  let lineCount = 0;
  let shownCount = 0;
  for (const [path, lines] of touched)
    for (const line of lines) {
      lineCount++;
      if (shown.get(path)?.has(line)) shownCount++;
    }
  return lineCount === 0 ? null : shownCount / lineCount;
}

/** A peer: whole files in the order of the search; a file that does not fit is skipped. */
export function showWholeFiles(files: readonly string[], texts: ReadonlyMap<string, string>, budget: number): Lines {
  const shown = new Map<string, Set<number>>();
  let remainingBudget = budget;
  for (const path of files) {
    const text = createSection(path, texts);
    if (estimateTokens(text) > remainingBudget) continue;
    remainingBudget -= estimateTokens(text);
    shown.set(path, collectLineNumbers(text));
  }
  return shown;
}

/** A peer: one file after another in the order of the search; the last one is cut. */
export function showFilesInARow(files: readonly string[], texts: ReadonlyMap<string, string>, budget: number): Lines {
  const shown = new Map<string, Set<number>>();
  let remainingBudget = budget;
  for (const path of files) {
    const text = createSection(path, texts);
    if (estimateTokens(text) <= remainingBudget) {
      remainingBudget -= estimateTokens(text);
      shown.set(path, collectLineNumbers(text));
      continue;
    }
    const beginning = text.slice(0, Math.floor((remainingBudget / estimateTokens(text)) * text.length));
    shown.set(path, collectLineNumbers(beginning.slice(0, beginning.lastIndexOf('\n') + 1)));
    break;
  }
  return shown;
}

/** A file with its heading. */
function createSection(path: string, texts: ReadonlyMap<string, string>): string {
  return `## ${path}\n${texts.get(path) ?? ''}`;
}

/** Numbers of the lines of a file below its heading. */
function collectLineNumbers(section: string): Set<number> {
  const lines = splitLines(section).length - 1;
  return new Set(Array.from({ length: lines }, (_, index) => index + 1));
}
