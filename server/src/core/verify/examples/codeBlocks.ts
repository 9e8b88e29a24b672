// Finds the fenced blocks of JavaScript and TypeScript in Markdown.

/** A fenced code block. */
export interface CodeBlock {
  readonly code: string;
  /** 1-based line of the first line of code. */
  readonly line: number;
  /** Number of characters by which the block is indented in the document, as in a list. */
  readonly indent: number;
}

const FENCE_PATTERN = /^([ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)?)(`{3,}|~{3,})[ \t]*([^`\n]*)$/;
const LANGUAGE_PATTERN = /^(?:js|javascript|mjs|cjs|ts|typescript|mts)\b/i;

/** The blocks in these languages, in order. A block that nothing closes ends with the document, and is left out. */
export function findCodeBlocks(markdown: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: {
    readonly fence: string;
    readonly indent: string;
    readonly isCode: boolean;
    readonly line: number;
  } | null = null;
  let codeLines: string[] = [];
  for (const [index, line] of markdown.split(/\r?\n/).entries()) {
    const match = FENCE_PATTERN.exec(line);
    if (open === null) {
      if (!match) continue;
      const [, indent = '', fence = '', info = ''] = match;
      open = { fence, indent, isCode: LANGUAGE_PATTERN.test(info.trim()), line: index + 2 };
      codeLines = [];
    } else if (match && match[2]!.startsWith(open.fence) && match[3]!.trim() === '') {
      if (open.isCode) blocks.push({ code: codeLines.join('\n'), line: open.line, indent: open.indent.length });
      open = null;
    } else codeLines.push(removeIndent(line, open.indent.length));
  }
  return blocks;
}

/** The line without the indentation of its block; a line that is indented less loses all of it. */
function removeIndent(line: string, width: number): string {
  return /^[ \t]*$/.test(line.slice(0, width)) ? line.slice(width) : line.trimStart();
}
