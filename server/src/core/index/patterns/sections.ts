// Finds the headings of prose as definitions: a section ends before the next heading of the same or a higher level.

import type { SymbolInfo } from '../../model.ts';

/** A heading. Lines and columns are counted from 0. The lower the level, the higher the heading. */
interface Heading {
  readonly line: number;
  readonly column: number;
  readonly name: string;
  readonly level: number;
}

/** Finds the sections of Markdown, AsciiDoc or reStructuredText. Lines and columns of the result are counted from 1. */
export function findSections(lines: readonly string[], format: 'markdown' | 'asciidoc' | 'rst'): SymbolInfo[] {
  const headings =
    format === 'rst' ? findUnderlinedHeadings(lines, []) : findMarkedHeadings(lines, format === 'markdown' ? '#' : '=');
  const enclosingHeadings: Heading[] = [];
  return headings.map((heading, index) => {
    while (enclosingHeadings.length > 0 && enclosingHeadings.at(-1)!.level >= heading.level) enclosingHeadings.pop();
    enclosingHeadings.push(heading);
    let nextHeading = index + 1;
    while (nextHeading < headings.length && headings[nextHeading]!.level > heading.level) nextHeading++;
    let end = nextHeading < headings.length ? headings[nextHeading]!.line - 1 : lines.length - 1;
    while (end > heading.line && lines[end]!.trim() === '') end--;
    const { line, column, name } = heading;
    return {
      name,
      path: enclosingHeadings.map((part) => part.name).join('.'),
      kind: 'module',
      range: { startLine: line + 1, startColumn: 1, endLine: end + 1, endColumn: lines[end]!.trimEnd().length + 1 },
      nameRange: {
        startLine: line + 1,
        startColumn: column + 1,
        endLine: line + 1,
        endColumn: column + name.length + 1,
      },
      exported: true,
    };
  });
}

/** The headings with marks in front, such as `# Title`, outside of fenced code. */
function findMarkedHeadings(lines: readonly string[], mark: '#' | '='): Heading[] {
  const headings: Heading[] = [];
  const expression = mark === '#' ? /^ {0,3}(#{1,6})\s+(\S.*?)(?:\s+#+)?\s*$/ : /^(={1,6})\s+(\S.*?)\s*$/;
  let fence: string | null = null;
  for (const [line, text] of lines.entries()) {
    const fenceMark = /^\s*(`{3,}|~{3,}|-{4,}$)/.exec(text)?.[1];
    if (fenceMark && (mark === '=' || !fenceMark.startsWith('-'))) {
      if (fence === null) fence = fenceMark;
      else if (fenceMark.startsWith(fence)) fence = null;
      continue;
    }
    const match = fence === null ? expression.exec(text) : null;
    if (match)
      headings.push({
        line,
        column: text.indexOf(match[2]!, match[1]!.length),
        name: match[2]!,
        level: match[1]!.length,
      });
  }
  return headings;
}

/**
 * The headings of reStructuredText: a title above a row of one repeated mark that is at least as long. Levels follow
 * the order in which the marks first appear. `markOrder`: the marks that have appeared so far.
 */
function findUnderlinedHeadings(lines: readonly string[], markOrder: string[]): Heading[] {
  const headings: Heading[] = [];
  for (let line = 0; line + 1 < lines.length; line++) {
    const name = lines[line]!.trim();
    const mark = /^([=\-~^"'*+#`:.])\1{2,}\s*$/.exec(lines[line + 1]!)?.[1];
    if (!mark || name === '' || /^([=\-~^"'*+#`:.])\1{2,}$/.test(name) || lines[line + 1]!.trim().length < name.length)
      continue;
    if (!markOrder.includes(mark)) markOrder.push(mark);
    headings.push({ line, column: lines[line]!.indexOf(name), name, level: markOrder.indexOf(mark) });
  }
  return headings;
}
