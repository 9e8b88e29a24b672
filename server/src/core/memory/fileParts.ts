// Divides the text of a file into the parts that a pack shows or omits: definitions, imports, and the remaining lines.

import { estimateTokens, sizeOf } from '../../util/tokens.ts';
import { findImportLines, findLicenceLines } from './boilerplate.ts';
import { computeSpans } from './packingUnits.ts';
import type { FileRecord } from '../ports/catalogue.ts';

/** Lines of a file that are shown together. */
export interface FilePart {
  /** The definitions in it, which share their first line. Empty for the remaining lines of the file. */
  readonly symbols: readonly string[];
  readonly isImports: boolean;
  /** Numbers of its lines, from 1, ascending, without the lines of inner definitions. */
  readonly lines: readonly number[];
  /** Numbers, from 1, of the first lines of the enclosing definitions, outermost first. */
  readonly enclosingLines: readonly number[];
}

/**
 * The parts of a file, which share no line. A licence at the top belongs to none of them. Parts with only blank lines
 * are omitted.
 */
export function splitFile(record: FileRecord, text: string): readonly FilePart[] {
  const lines = text.split('\n');
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  const { spans } = computeSpans(record);
  const ownerByLine = new Int32Array(count + 1);
  const enclosingLinesByOwner: number[][] = [[]];
  spans.forEach(({ startLine, endLine, tokens }, index) => {
    const outer = ownerByLine[Math.min(startLine, count)]!;
    enclosingLinesByOwner.push(outer === 0 ? [] : [...enclosingLinesByOwner[outer]!, spans[outer - 1]!.startLine]);
    ownerByLine.fill(index + 1, findFirstLineWithComment(lines, startLine, endLine, tokens), endLine + 1);
  });

  const licenceLines = findLicenceLines(text);
  const importLines = findImportLines(lines);
  const linesByOwner: number[][] = [[], ...spans.map(() => [])];
  const unownedImportLines: number[] = [];
  for (let line = 1; line <= count; line++) {
    if (licenceLines.has(line)) continue;
    if (ownerByLine[line] === 0 && importLines.has(line)) unownedImportLines.push(line);
    else linesByOwner[ownerByLine[line]!]!.push(line);
  }
  const parts = linesByOwner.map(
    (ownLines, index): FilePart => ({
      symbols: index === 0 ? [] : spans[index - 1]!.symbols.map((symbol) => record.symbols[symbol]!.path),
      isImports: false,
      lines: ownLines,
      enclosingLines: enclosingLinesByOwner[index]!,
    }),
  );
  const hasText = ({ lines: partLines }: FilePart) => partLines.some((line) => lines[line - 1]!.trim() !== '');
  return [...parts, { symbols: [], isImports: true, lines: unownedImportLines, enclosingLines: [] }].filter(hasText);
}

/**
 * The first line of a definition with the comment above it, which has as many lines as the tokens of the definition
 * suggest. Lines are numbered from 1.
 */
export function findFirstLineWithComment(
  lines: readonly string[],
  startLine: number,
  endLine: number,
  tokens: number,
): number {
  let size = 0;
  for (let line = startLine; line <= endLine; line++) size += sizeOf(lines[line - 1] ?? '') + 1;
  let firstLineNumber = startLine;
  while (
    firstLineNumber > 1 &&
    estimateTokens(size) < tokens &&
    estimateTokens(size + sizeOf(lines[firstLineNumber - 2]!) + 1) <= tokens
  ) {
    size += sizeOf(lines[firstLineNumber - 2]!) + 1;
    firstLineNumber--;
  }
  return firstLineNumber;
}
