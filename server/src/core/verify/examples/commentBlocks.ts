// Finds the code of `@example` tags in the comments of TypeScript and JavaScript.

import { findCodeBlocks, type CodeBlock } from './codeBlocks.ts';

/** Matches a documentation comment that begins its line. Such a text in a template string is rare and harmless. */
const COMMENT_PATTERN = /^[ \t]*\/\*\*(?!\/)[^]*?\*\//gm;
/** Matches what precedes the text of a line in a comment. */
const LINE_START_PATTERN = /^[ \t]*(?:\/\*\*|\*(?!\/))?[ ]?/;
const EXAMPLE_PATTERN = /^\s*@example\b/;
const TAG_PATTERN = /^\s*@[a-z]\w*/i;
const FENCE_PATTERN = /^\s*(?:`{3,}|~{3,})/;

/**
 * The code blocks of all `@example` tags, in order: the fenced blocks of a tag, or all its lines if it has none. The
 * line of the tag itself is a title.
 */
export function findCommentBlocks(source: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  for (const match of source.matchAll(COMMENT_PATTERN)) {
    const firstLine = source.slice(0, match.index).split('\n').length;
    const rawLines = match[0].split(/\r?\n/);
    const columns = rawLines.map((line) => LINE_START_PATTERN.exec(line)![0].length);
    const lines = rawLines.map((line, index) => removeEnd(line).slice(columns[index]));
    for (const { start, end } of findExamples(lines)) {
      const text = lines.slice(start, end).join('\n');
      const fencedBlocks = findCodeBlocks(text, { includesUnnamed: true });
      const codeBlocks =
        fencedBlocks.length > 0
          ? fencedBlocks
          : [{ code: text, line: 1, columns: lines.slice(start, end).map(() => 0) }];
      for (const block of codeBlocks)
        blocks.push({
          code: block.code,
          line: firstLine + start + block.line - 1,
          columns: block.columns.map((column, index) => column + columns[start + block.line - 1 + index]!),
        });
    }
  }
  return blocks;
}

/** The line without the end of the comment. */
function removeEnd(line: string): string {
  return line.endsWith('*/') ? line.slice(0, -2).trimEnd() : line;
}

/** The ranges of lines that follow an `@example`, up to the next tag outside fenced code. */
function findExamples(lines: readonly string[]): readonly { readonly start: number; readonly end: number }[] {
  const ranges: { readonly start: number; readonly end: number }[] = [];
  let start: number | null = null;
  let isFenced = false;
  for (const [index, line] of lines.entries()) {
    if (FENCE_PATTERN.test(line)) isFenced = !isFenced;
    if (isFenced || !TAG_PATTERN.test(line)) continue;
    if (start !== null) ranges.push({ start, end: index });
    start = EXAMPLE_PATTERN.test(line) ? index + 1 : null;
  }
  if (start !== null) ranges.push({ start, end: lines.length });
  return ranges.filter(({ start, end }) => end > start);
}
