// Divides the text of a file into the parts that a pack shows or leaves out: definitions, imports, and the rest.

import { leadingLine } from '../index/parse/leading.ts';
import { linesOf } from '../index/parse/lines.ts';
import { importLines, licenceLines } from './boilerplate.ts';
import { spansOf } from './units.ts';
import type { FileRecord } from '../ports/catalogue.ts';

/** Lines of a file that are shown together. */
export interface FilePart {
  /** The definitions in it, which share their first line. Empty: the rest of the file. */
  readonly symbols: readonly string[];
  readonly isImports: boolean;
  /** Numbers of its own lines, ascending; those of inner definitions belong to these. */
  readonly lines: readonly number[];
  /** Numbers of the first lines of the definitions around it. */
  readonly around: readonly number[];
}

/** The parts of a file, which share no line. A licence at the top belongs to none of them. */
export function partsOf(record: FileRecord, text: string): readonly FilePart[] {
  const lines = linesOf(text);
  const count = text.endsWith('\n') ? lines.count - 1 : lines.count;
  const { spans } = spansOf(record);
  const owner = new Int32Array(count + 1);
  const arounds: number[][] = [[]];
  spans.forEach(({ startLine, endLine }, index) => {
    const firstLine = leadingLine(lines, Math.min(startLine, lines.count), record.language);
    const outer = owner[Math.min(startLine, count)]!;
    arounds.push(outer === 0 ? [] : [...arounds[outer]!, spans[outer - 1]!.startLine]);
    owner.fill(index + 1, firstLine, endLine + 1);
  });

  const licence = licenceLines(text);
  const imports = importLines(text.split('\n', count));
  const own: number[][] = [[], ...spans.map(() => [])];
  const ofImports: number[] = [];
  for (let line = 1; line <= count; line++) {
    if (licence.has(line)) continue;
    if (owner[line] === 0 && imports.has(line)) ofImports.push(line);
    else own[owner[line]!]!.push(line);
  }
  const parts = own.map(
    (ownLines, index): FilePart => ({
      symbols: index === 0 ? [] : spans[index - 1]!.symbols.map((symbol) => record.symbols[symbol]!.path),
      isImports: false,
      lines: ownLines,
      around: arounds[index]!,
    }),
  );
  const isFilled = ({ lines: partLines }: FilePart) => partLines.some((line) => !lines.isBlank(line));
  return [...parts, { symbols: [], isImports: true, lines: ofImports, around: [] }].filter(isFilled);
}
