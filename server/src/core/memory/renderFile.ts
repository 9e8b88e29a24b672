// Renders one file of a context pack (the files that a model receives) within its limit: whole, or in parts in the
// order of its lines.

import { CHARACTERS_PER_TOKEN, cutToSize, estimateTokens, sizeOf } from '../../util/tokens.ts';
import { findFirstLineWithComment } from './fileParts.ts';
import { OMISSION_MARK, formatHeading } from './packLines.ts';
import { renderLines } from './renderLines.ts';
import { computeSpans } from './packingUnits.ts';
import type { ContextPack } from './contextPack.ts';
import type { FileRecord } from '../ports/catalogue.ts';
import { addFinalNewline } from '../../util/values/lineEnds.ts';

type Item = ContextPack['items'][number];

/** Size (`sizeOf`) from which a line may be cut in the middle. */
const LONG_LINE = 80;

/**
 * Renders the items of one file. `record`: null if the file has changed since it was indexed. `text`: null if only
 * names are shown, or there is no text. Takes at most the items' tokens.
 */
export function renderFile(
  path: string,
  items: readonly Item[],
  record: FileRecord | null,
  text: string | null,
): string {
  const maxCharacters = Math.floor(items.reduce((sum, { tokens }) => sum + tokens, 0) * CHARACTERS_PER_TOKEN);
  const renderBody = (showsMarks: boolean): string => {
    if (record && text !== null && items.some(({ lines }) => lines)) return renderLines(items, text);
    if (record)
      return record.symbols.length > 0 && !items.every(({ resolution }) => resolution === 'body')
        ? renderParts(record, items, text, showsMarks)
        : renderWhole(items, text);
    // The lines of the definitions are unknown now, so the beginning is shown, within the same limit.
    return text ?? '';
  };
  const renderWithHeading = (showsMarks: boolean) =>
    `${formatHeading(path)}${addFinalNewline(renderBody(showsMarks))}\n`;
  const markedText = renderWithHeading(true);
  if (sizeOf(markedText) <= maxCharacters) return markedText;
  const withoutMarks = renderWithHeading(false);
  return sizeOf(withoutMarks) <= maxCharacters ? withoutMarks : truncateAtLine(withoutMarks, maxCharacters);
}

/** Prints a file without definitions: the text, or as much of its beginning as the tokens allow. */
function renderWhole([item]: readonly Item[], text: string | null): string {
  if (!item || text === null || item.resolution === 'name') return '';
  if (item.resolution === 'body') return text;
  const lines = createLineBudget(item.tokens - estimateTokens(formatHeading(item.path)) - 1);
  return (
    text
      .split('\n')
      .map((line) => lines.take(`${line}\n`) ?? '')
      .join('') + OMISSION_MARK
  );
}

/**
 * Renders the lines and names that the items select, in the order of the file. `showsMarks`: whether a mark shows each
 * cut.
 */
function renderParts(record: FileRecord, items: readonly Item[], text: string | null, showsMarks: boolean): string {
  const { spans } = computeSpans(record);
  const lines = text === null ? null : text.split('\n');
  const itemBySymbol = new Map(items.map((item) => [item.symbol, item]));
  const shownItems = spans.map(({ symbols }) => itemBySymbol.get(record.symbols[symbols[0]!]!.path));
  const fileLevelItem = itemBySymbol.get(null);
  const firstLines = spans.map(({ startLine, endLine, tokens }) =>
    lines ? findFirstLineWithComment(lines, startLine, endLine, tokens) : startLine,
  );

  // The index of the innermost span of each line, counted from 1; 0 outside of spans. Inner spans overwrite outer ones,
  // because they come later.
  const spanIndexByLine = new Int32Array(Math.max(lines?.length ?? 0, ...spans.map(({ endLine }) => endLine)) + 1);
  const spansByFirstLine = new Map<number, number[]>();
  spans.forEach(({ endLine }, index) => {
    const firstLineOfSpan = firstLines[index]!;
    spanIndexByLine.fill(index + 1, firstLineOfSpan, endLine + 1);
    spansByFirstLine.set(firstLineOfSpan, [...(spansByFirstLine.get(firstLineOfSpan) ?? []), index]);
  });
  const depths = computeDepths(spans);
  const allowances = spans.map((_, index) => createItemBudget(shownItems[index], 1));
  const allowanceOutside = createItemBudget(fileLevelItem, estimateTokens(formatHeading(record.path)) + 1);

  const output: string[] = [];
  const names = createNameListWriter(output);
  for (let line = 1; line < spanIndexByLine.length; line++) {
    for (const index of spansByFirstLine.get(line) ?? []) {
      if (shownItems[index]?.resolution !== 'name') continue;
      for (const symbol of spans[index]!.symbols) names.add(record.symbols[symbol]!.name, depths[index]!);
    }
    if (!lines || line > lines.length || (line === lines.length && lines[line - 1] === '')) continue;
    const index = spanIndexByLine[line]! - 1;
    const item = index < 0 ? fileLevelItem : shownItems[index];
    const allowance = index < 0 ? allowanceOutside : allowances[index]!;
    if (!item || item.resolution === 'name') continue;
    const shownLine = allowance.take(`${lines[line - 1]!}\n`);
    if (shownLine !== null) {
      names.end();
      output.push(shownLine);
    } else if (showsMarks && allowance.shouldMarkCut()) {
      names.end();
      markCut(output);
    }
  }
  names.end();
  return output.join('');
}

/**
 * The limit for the lines of an item: its tokens without `overhead`. A whole body has no limit, because its definition
 * bounds it.
 */
function createItemBudget(item: Item | undefined, overhead: number): LineBudget {
  return createLineBudget(item?.resolution === 'body' ? Infinity : (item?.tokens ?? 0) - overhead);
}

/** Limits the number of tokens that are shown of an item. */
interface LineBudget {
  /**
   * Returns the line while it fits. The first line that does not fit is cut if it is long. After that, returns null.
   */
  take(line: string): string | null;
  /** Returns true the first time that it is called after a line did not fit; then false. */
  shouldMarkCut(): boolean;
}

/** Creates a limit of this many tokens. A long line that does not fit is cut if enough of it fits. */
function createLineBudget(tokens: number): LineBudget {
  let remaining = Math.floor(tokens * CHARACTERS_PER_TOKEN);
  let state: 'empty' | 'open' | 'closing' | 'closed' = 'empty';
  return {
    take(line) {
      if (state === 'closing' || state === 'closed') return null;
      const size = sizeOf(line);
      if (size > remaining) {
        const start = size >= LONG_LINE && remaining > LONG_LINE / 2 ? `${cutToSize(line, remaining - 1)}\n` : null;
        state = start !== null || state === 'open' ? 'closing' : 'closed';
        return start;
      }
      remaining -= size;
      state = 'open';
      return line;
    },
    shouldMarkCut() {
      if (state !== 'closing') return false;
      state = 'closed';
      return true;
    },
  };
}

/**
 * Creates a writer of names in a row, inner ones in brackets: `Store{get put} open`. `end` adds the row to `output`.
 */
function createNameListWriter(output: string[]): { add(name: string, depth: number): void; end(): void } {
  let row = '';
  let base = 0;
  let currentDepth = 0;
  return {
    add(name, depth) {
      if (row === '') [base, currentDepth] = [depth, depth];
      const nameDepth = Math.max(base, depth);
      row +=
        row === '' ? name : nameDepth > currentDepth ? `{${name}` : `${'}'.repeat(currentDepth - nameDepth)} ${name}`;
      // A name with a lower depth than the first one begins a new level.
      currentDepth = row === '' ? depth : nameDepth > currentDepth ? currentDepth + 1 : nameDepth;
    },
    end() {
      if (row !== '') output.push(`${row}${'}'.repeat(currentDepth - base)}\n`);
      row = '';
    },
  };
}

/** The nesting depth of each span, 1 for an outermost one. */
function computeDepths(spans: readonly { readonly startLine: number; readonly endLine: number }[]): number[] {
  const ends: number[] = [];
  return spans.map(({ endLine, startLine }) => {
    while (ends.length > 0 && (ends.at(-1)! < endLine || ends.at(-1)! < startLine)) ends.pop();
    ends.push(endLine);
    return ends.length;
  });
}

/** Puts the mark for omitted text at the end of the last line. */
function markCut(output: string[]): void {
  const lastLine = output.at(-1);
  if (lastLine?.endsWith('\n')) output[output.length - 1] = `${lastLine.slice(0, -1)}${OMISSION_MARK}\n`;
}

/** The beginning of a text, of at most this size, up to the end of a line if there is one in it. */
function truncateAtLine(text: string, size: number): string {
  const beginning = cutToSize(text, size);
  const end = beginning.lastIndexOf('\n');
  return end > 0 ? beginning.slice(0, end + 1) : beginning;
}
