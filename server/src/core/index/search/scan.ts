// Answers a query from the plain text of files that are not indexed yet. It ranks windows of lines by the same signals
// as the index, as far as they need no preparation.

import { extractTerms } from '../terms/terms.ts';
import { findDefinitionAt } from './definitionAt.ts';
import { extractFileNameTerms } from './fileName.ts';
import { computePathShare, type MeasuredChunks } from './measure.ts';
import { normaliseName } from './definitionNames.ts';
import { computePenalties, createPenaltyFactor } from './penalties.ts';
import { parseQuery, type SearchQuery } from './searchQuery.ts';
import { rankChunks } from './rank.ts';
import { bm25, COHERENT_CHUNKS, proseWeights, SIGNALS, symbolWeights, type Signal } from './weights.ts';
import type { ScannedWindow } from '../jobs.ts';

/** A scan for one query. */
export interface Scan {
  /** Searches the text of a file. */
  add(path: string, text: string): void;
  /** True if the query has only ASCII letters, so that texts may be decoded as one character per byte. */
  readonly isPlain: boolean;
  /** The best windows, best first. */
  findBest(top: number): ScannedWindow[];
}

/** Length of a window in UTF-16 units. */
const WINDOW_LENGTH = 1_024;
/** Minimum length of a beginning. Shorter ones occur in nearly every text. */
const MIN_BEGINNING_LENGTH = 2;
/** Number of occurrences in a window that one occurrence in the path of the file is worth. */
const PATH_FACTOR = 2;
/** Maximum number of terms of a query that are searched for. Further ones are ignored. */
const MAX_TERMS = 32;

/** By number of a term: the number of its occurrences in a text. */
type Counts = Uint16Array;

/** A file that was searched. */
interface ScannedFile {
  readonly record: { readonly path: string };
  /** Number of occurrences of each term in the path. */
  readonly pathCounts: Counts;
}

/** A part of a file in which a term occurs. */
interface Window {
  readonly file: ScannedFile;
  /** Index of the window in the file. */
  readonly position: number;
  readonly startLine: number;
  endLine: number;
  readonly counts: Counts;
  /** True if a name in the query is defined here. */
  definesName: boolean;
}

/** Creates a scan for a query; null if the query has no word to search for. */
export function createScan(text: string): Scan | null {
  const query = parseQuery(text);
  const beginnings = [...new Set(query.terms.map(findWordBeginning))]
    .filter((term) => term.length >= MIN_BEGINNING_LENGTH)
    .slice(0, MAX_TERMS);
  if (beginnings.length === 0) return null;
  const numberByTerm = new Map(beginnings.map((term, number) => [term, number]));
  const areAscii = beginnings.every((term) => /^[ -~]+$/.test(term));
  // If two terms begin at the same place, the longer one matches.
  const expression = new RegExp(
    beginnings
      .toSorted((a, b) => b.length - a.length)
      .map((term) => term.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      .join('|'),
    areAscii ? 'gi' : 'giu',
  );
  const names = new Set(query.names.map((name) => normaliseName(name.at(-1)!)));
  const createCounts = (): Counts => new Uint16Array(beginnings.length);
  const scannedWindows: Window[] = [];
  const countsOfPaths: Counts[] = [];
  let windowCount = 0;
  let fileCount = 0;

  return {
    isPlain: areAscii,
    add(path, text) {
      windowCount += Math.ceil(text.length / WINDOW_LENGTH);
      fileCount++;
      const inPath = createCounts();
      for (const [, number] of findTerms(expression, path.replace(/\.[^./]+$/, ''), numberByTerm)) inPath[number]!++;
      const isPathNamed = inPath.some((count) => count > 0);
      if (isPathNamed) countsOfPaths.push(inPath);
      const file: ScannedFile = { record: { path }, pathCounts: inPath };
      const createWindow = (windowIndex: number, startLine: number): Window => ({
        file,
        position: windowIndex,
        startLine,
        endLine: 0,
        counts: inPath.map((count) => count * PATH_FACTOR),
        definesName: false,
      });
      const lines = createLineCounter(text);
      let lastWindow: Window | null = null;
      for (const [offset, number] of findTerms(expression, text, numberByTerm)) {
        const windowIndex = Math.floor(offset / WINDOW_LENGTH);
        if (lastWindow?.position !== windowIndex) {
          if (lastWindow) lastWindow.endLine = lines.upTo((lastWindow.position + 1) * WINDOW_LENGTH);
          lastWindow = createWindow(windowIndex, lines.upTo(windowIndex * WINDOW_LENGTH));
          scannedWindows.push(lastWindow);
        }
        lastWindow.counts[number]!++;
        if (names.size > 0 && !lastWindow.definesName)
          lastWindow.definesName = names.has(normaliseName(findDefinitionAt(text, offset) ?? ''));
      }
      if (lastWindow) lastWindow.endLine = lines.upTo((lastWindow.position + 1) * WINDOW_LENGTH);
      else if (isPathNamed) scannedWindows.push({ ...createWindow(0, 1), endLine: lines.upTo(WINDOW_LENGTH) });
    },
    findBest(top) {
      return rankChunks(
        measureWindows(scannedWindows, countsOfPaths, { windows: windowCount, files: fileCount }, query),
        query.isSymbol ? symbolWeights : proseWeights,
        top,
      ).map(({ chunk: { file, startLine, endLine }, score }) => ({
        path: file.record.path,
        startLine,
        endLine,
        score,
      }));
    },
  };
}

/**
 * Computes the signals lexical, named, path, coherence and stem of each window. The others need an index and stay 0.
 */
function measureWindows(
  scannedWindows: readonly Window[],
  inPaths: readonly Counts[],
  { windows, files }: { readonly windows: number; readonly files: number },
  query: SearchQuery,
): MeasuredChunks<Window> {
  const signals = Object.fromEntries(
    SIGNALS.map((signal) => [signal, new Float64Array(scannedWindows.length)]),
  ) as Record<Signal, Float64Array>;
  const penalties = new Float64Array(scannedWindows.length);
  const scoreWindow = createScorer(
    scannedWindows.map(({ counts }) => counts),
    windows,
    bm25.lexical.k1,
  );
  const scorePath = createScorer(inPaths, files, bm25.path.k1);
  scannedWindows.forEach(({ counts, definesName }, row) => {
    signals.lexical[row] = scoreWindow(counts);
    signals.named[row] = definesName ? 1 : 0;
  });
  const wantedTerms = new Set([
    ...query.terms,
    ...query.beginnings,
    ...query.names.flatMap((name) => extractTerms(name.join('.'))),
  ]);
  const penalty = createPenaltyFactor(query.terms);
  // Windows of a file follow one another.
  for (let from = 0, to = 0; from < scannedWindows.length; from = to) {
    const { file } = scannedWindows[from]!;
    while (to < scannedWindows.length && scannedWindows[to]!.file === file) to++;
    const name = extractFileNameTerms(file.record.path);
    const fileSignals: Partial<Record<Signal, number>> = {
      path: scorePath(file.pathCounts),
      coherence: signals.lexical
        .slice(from, to)
        .sort()
        .subarray(-COHERENT_CHUNKS)
        .reduce((sum, score) => sum + score, 0),
      stem: name.filter((term) => wantedTerms.has(term)).length / Math.max(1, name.length),
    };
    for (const [signal, value] of Object.entries(fileSignals)) signals[signal as Signal].fill(value, from, to);
    penalties.fill(penalty(computePenalties({ path: file.record.path, generated: false })), from, to);
  }
  const bestPath = signals.path.reduce((best, score) => Math.max(best, score), 0) || 1;
  const frequencies = Array.from(
    inPaths[0] ?? [],
    (_, number) => inPaths.filter((counts) => counts[number]! > 0).length,
  );
  // The scorer leaves out the factor k1 + 1, which all scores have.
  const factor = computePathShare(query, bestPath * (bm25.path.k1 + 1), frequencies, files) / bestPath;
  signals.path.forEach((score, row) => (signals.path[row] = score * factor));
  return { chunks: scannedWindows, signals, penalties };
}

/**
 * Scores counts by BM25 among `texts` texts of similar length. `countsOfTexts`: the counts of the texts that have any
 * term.
 */
function createScorer(countsOfTexts: readonly Counts[], texts: number, k1: number): (counts: Counts) => number {
  const frequency: number[] = [];
  for (const counts of countsOfTexts)
    counts.forEach((count, number) => (frequency[number] = (frequency[number] ?? 0) + (count > 0 ? 1 : 0)));
  const rarity = frequency.map((count) => Math.log(1 + (texts - count + 0.5) / (count + 0.5)));
  return (counts) =>
    counts.reduce((sum, count, number) => (count === 0 ? sum : sum + (rarity[number]! * count) / (count + k1)), 0);
}

/** The common beginning of the words with this stem: queri → quer, as in query. */
function findWordBeginning(stem: string): string {
  return stem.length > 3 && stem.endsWith('i') ? stem.slice(0, -1) : stem;
}

/** Yields each offset at which a word or a part of a name begins with a term, and the number of the term. */
function* findTerms(
  expression: RegExp,
  text: string,
  numberOf: ReadonlyMap<string, number>,
): Generator<readonly [place: number, number: number]> {
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match; match = expression.exec(text)) {
    const { index } = match;
    const number = numberOf.get(match[0].toLowerCase());
    if (number !== undefined && beginsPart(text.charCodeAt(index - 1), text.charCodeAt(index))) yield [index, number];
  }
}

/** True for `L` in `createLock`, false for `l` in `clock`; of several capitals only the first begins a part. */
function beginsPart(before: number, firstCode: number): boolean {
  if (isUpper(firstCode)) return !isUpper(before);
  return !isUpper(before) && !(before >= 97 && before <= 122);
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

/** Creates a counter of lines. It must be called with ascending offsets. */
function createLineCounter(text: string): { upTo(index: number): number } {
  let line = 1;
  let nextBreak = text.indexOf('\n');
  return {
    /** The line (from 1) with the character before an offset; 1 for the offset 0. */
    upTo(index) {
      for (
        const lastIndex = Math.min(index, text.length) - 1;
        nextBreak >= 0 && nextBreak < lastIndex;
        nextBreak = text.indexOf('\n', nextBreak + 1)
      )
        line++;
      return line;
    },
  };
}
