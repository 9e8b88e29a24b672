// Divides a file into chunks, the pieces that a search returns. Small definitions are merged and large ones split to
// 800–1,200 characters.

import type { Chunk, SymbolInfo } from '../../model.ts';
import { sha256 } from '../../../util/hash.ts';
import { detectLanguage } from './language.ts';
import { findFirstLineWithComments } from './leading.ts';
import { splitWithoutLineEnds, type Lines } from './lines.ts';
import { createTermPacker, type TermPacker } from '../terms/termPacker.ts';

/** Maximum length of a chunk, in UTF-16 units. Only a single long line may give larger chunks. */
export const MAX_CHUNK = 1_200;
/** Number of UTF-16 units from which a chunk may end at any line, and at which a window ends. */
const PREFERRED_CHUNK = 800;
/** Minimum number of UTF-16 units of a chunk that ends before a definition. */
const MIN_BEFORE_BOUNDARY = 400;
/** Maximum number of folders above the file whose names are among the terms of its chunks. */
const MAX_NAMED_FOLDERS = 3;

/** Scores of a line as the beginning of a chunk. */
const TOP_SYMBOL_SCORE = 4,
  INNER_SYMBOL_SCORE = 3,
  BLANK_ABOVE_SCORE = 2,
  OUTDENTED_SCORE = 1;

/**
 * The chunks of a file, in order; together they cover every line that is not blank. Ids are unique within the file.
 * `sharedPacker`: the packer to which the terms are added; without it, the chunks store their terms as words. `lines`:
 * the lines of the text.
 */
export function divideIntoChunks(
  path: string,
  text: string,
  symbols: readonly SymbolInfo[],
  sharedPacker?: TermPacker,
  lines: Lines = splitWithoutLineEnds(text),
): Chunk[] {
  const packer = sharedPacker ?? createTermPacker();
  const storesWords = !sharedPacker;
  const quality = rateBeginnings(lines, symbols, path);
  const occurrenceOf = createOccurrenceCounter();
  const pathTerms = termsOfPath(path, packer);
  const chunks: Chunk[] = [];
  packer.open(text);
  for (const [startLine, endLine] of cutLines(lines, quality)) {
    const [from, to] = [lines.startOf(startLine), lines.startOf(endLine + 1) - 1];
    const symbol = chooseSymbol(symbols, startLine, endLine);
    const defined = listDefinedNames(symbols, startLine, endLine).map((name) => packer.numbersOf(name));
    // Names of definitions get two extra counts, the name of the enclosing scope gets one.
    const nameTerms = [...defined, ...defined, ...(symbol ? [packer.numbersOf(symbol)] : [])];
    const spelled = nameTerms.map(packer.joinTerms).join(' ');
    const chunkTerms = pathTerms.concat(...nameTerms);
    const step = to - from <= MAX_CHUNK * 2 ? to - from : MAX_CHUNK;
    // A single line can be longer than a chunk.
    for (let current = from; current < to; current += step) {
      const end = Math.min(to, current + step);
      const piece = text.slice(current, end);
      const occurrence = occurrenceOf(piece);
      packer.add(chunkTerms, current, end);
      chunks.push({
        // The id covers everything from which the terms and the vector are made, so that an edit of the names in
        // another place also changes it.
        id: sha256(`${path}\0${occurrence}\0${symbol ?? ''}\0${spelled}\0${piece}`).slice(0, 32),
        path,
        startLine,
        endLine,
        symbol,
        text: piece,
        terms: storesWords ? packer.joinTerms(chunkTerms.concat(packer.numbersOf(piece))) : '',
      });
    }
  }
  return chunks;
}

/**
 * The windows of a file: pieces of about the size of chunks that may end at any line. They need no parser, so that a
 * new file can be searched at once; chunks soon replace them. Ids are unique within the file. The terms are added to
 * `packer`.
 */
export function divideIntoWindows(
  path: string,
  text: string,
  packer: TermPacker = createTermPacker(),
): Omit<Chunk, 'terms'>[] {
  const pathTerms = termsOfPath(path, packer);
  const windows: Omit<Chunk, 'terms'>[] = [];
  packer.open(text);
  let line = 1;
  for (let from = 0; from < text.length; ) {
    const lineEnd = text.indexOf('\n', from + PREFERRED_CHUNK);
    const to = Math.min(lineEnd < 0 ? text.length : lineEnd + 1, from + MAX_CHUNK * 2);
    const piece = text.slice(from, to);
    const lines = piece.split('\n').length - (piece.endsWith('\n') ? 1 : 0);
    packer.add(pathTerms, from, to);
    windows.push({
      id: `${path}\0${windows.length}`,
      path,
      startLine: line,
      endLine: line + lines - 1,
      symbol: null,
      text: piece,
    });
    // A line that was cut continues in the next window.
    line += lines - (piece.endsWith('\n') ? 0 : 1);
    from = to;
  }
  return windows;
}

/** Yields the line ranges of the chunks (1-based, inclusive). `quality`: the result of `rateBeginnings`. */
function* cutLines(lines: Lines, quality: Uint8Array): Generator<[number, number]> {
  const { count } = lines;
  let start = 1;
  while (start <= count) {
    while (start <= count && lines.isBlank(start)) start++;
    if (start > count) return;
    let size = 0;
    let end = start;
    let bestEnd = 0;
    let bestQuality = 0;
    for (; end <= count; end++) {
      // A chunk may end before `end` if there is a better place above to begin the next chunk.
      if (end > start && size >= MIN_BEFORE_BOUNDARY) {
        const lineQuality = quality[end]!;
        const isAcceptable = lineQuality >= INNER_SYMBOL_SCORE || size >= PREFERRED_CHUNK;
        if (isAcceptable && lineQuality >= bestQuality) [bestEnd, bestQuality] = [end, lineQuality];
      }
      size += lines.lengthOf(end) + 1;
      if (size > MAX_CHUNK && end > start) break;
    }
    const isLast = end > count;
    const next = isLast ? count + 1 : bestEnd > start ? bestEnd : Math.max(end, start + 1);
    let lastLine = next - 1;
    while (lastLine > start && lines.isBlank(lastLine)) lastLine--;
    yield [start, lastLine];
    start = next;
  }
}

/** The score of each line (by its number, from 1) as the beginning of a chunk; 0 if it is a bad one. */
function rateBeginnings(lines: Lines, symbols: readonly SymbolInfo[], path: string): Uint8Array {
  const quality = new Uint8Array(lines.count + 2);
  // At the beginning of each round, `isBlank` and `isIndented` describe the line above.
  let [isBlank, isIndented] = [false, false];
  for (let line = 1; line <= lines.count; line++) {
    const [wasBlank, wasIndented] = [isBlank, isIndented];
    isIndented = lines.isIndented(line);
    isBlank = isIndented ? lines.isBlank(line) : lines.lengthOf(line) === 0;
    if (isBlank || line === 1) continue;
    if (wasBlank) quality[line] = BLANK_ABOVE_SCORE;
    else if (!isIndented && wasIndented) quality[line] = OUTDENTED_SCORE;
  }
  const language = detectLanguage(path);
  let topLevelEnd = 0;
  for (const { range } of symbols) {
    const line = findFirstLineWithComments(lines, Math.min(range.startLine, lines.count), language);
    const isTop = range.startLine > topLevelEnd;
    if (isTop) topLevelEnd = range.endLine;
    quality[line] = Math.max(quality[line]!, isTop ? TOP_SYMBOL_SCORE : INNER_SYMBOL_SCORE);
  }
  return quality;
}

/**
 * Returns a function that counts the earlier occurrences of the same piece. Only pieces of the same length are
 * compared, because repetitions are rare.
 */
function createOccurrenceCounter(): (piece: string) => number {
  const byLength = new Map<number, string[]>();
  return (piece) => {
    const samePieces = byLength.get(piece.length);
    if (!samePieces) {
      byLength.set(piece.length, [piece]);
      return 0;
    }
    const before = samePieces.filter((otherPiece) => otherPiece === piece).length;
    samePieces.push(piece);
    return before;
  };
}

/**
 * The path of the innermost definition that contains the first line, otherwise of the first one that begins inside;
 * null if there is neither.
 */
function chooseSymbol(symbols: readonly SymbolInfo[], startLine: number, endLine: number): string | null {
  let enclosingSymbol: SymbolInfo | null = null;
  let firstInside: SymbolInfo | null = null;
  for (const symbol of symbols) {
    if (symbol.range.startLine > endLine) break;
    if (symbol.range.startLine <= startLine && symbol.range.endLine >= startLine) enclosingSymbol = symbol;
    else if (!firstInside && symbol.range.startLine > startLine) firstInside = symbol;
  }
  return (enclosingSymbol ?? firstInside)?.path ?? null;
}

/** The terms of the file's name twice, and the terms of the nearest folders once. */
function termsOfPath(path: string, { numbersOf }: TermPacker): number[] {
  const folders = path.split('/');
  const stemTerms = numbersOf(folders.pop()!.replace(/\.[^.]*$/, ''));
  return [...stemTerms, ...stemTerms, ...folders.slice(-MAX_NAMED_FOLDERS).flatMap((folder) => numbersOf(folder))];
}

/** The names of the definitions that begin in these lines. */
function listDefinedNames(symbols: readonly SymbolInfo[], startLine: number, endLine: number): string[] {
  const names: string[] = [];
  for (const { name, range } of symbols) {
    if (range.startLine > endLine) break;
    if (range.startLine >= startLine) names.push(name);
  }
  return names;
}
