// Finds the fenced blocks of JavaScript and TypeScript in Markdown.

/** A code block of a document. */
export interface CodeBlock {
  readonly code: string;
  /** 1-based line of the first line of code. */
  readonly line: number;
  /** 0-based column of the document at which each line of code begins, as in a list or a comment. */
  readonly columns: readonly number[];
}

const FENCE_PATTERN = /^([ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)?)(`{3,}|~{3,})[ \t]*([^`\n]*)$/;
const LANGUAGE_PATTERN = /^(?:js|javascript|mjs|cjs|ts|typescript|mts)\b/i;

/**
 * The blocks in these languages, in order. A block that nothing closes ends with the document, and is left out.
 * `includesUnnamed`: blocks without a language count, too.
 */
export function findCodeBlocks(
  markdown: string,
  { includesUnnamed = false }: { readonly includesUnnamed?: boolean } = {},
): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let openBlock: {
    readonly fence: string;
    readonly indent: string;
    readonly isCode: boolean;
    readonly line: number;
  } | null = null;
  let codeLines: string[] = [];
  let columns: number[] = [];
  for (const [index, line] of markdown.split(/\r?\n/).entries()) {
    const match = FENCE_PATTERN.exec(line);
    if (openBlock === null) {
      if (!match) continue;
      const [, indent = '', fence = '', info = ''] = match;
      const language = info.trim();
      const isCode = LANGUAGE_PATTERN.test(language) || (includesUnnamed && language === '');
      openBlock = { fence, indent, isCode, line: index + 2 };
      codeLines = [];
      columns = [];
    } else if (match && match[2]!.startsWith(openBlock.fence) && match[3]!.trim() === '') {
      if (openBlock.isCode) blocks.push({ code: codeLines.join('\n'), line: openBlock.line, columns });
      openBlock = null;
    } else {
      const codeLine = removeIndent(line, openBlock.indent.length);
      codeLines.push(codeLine);
      columns.push(line.length - codeLine.length);
    }
  }
  return blocks;
}

/** The line without the indentation of its block; a line that is indented less loses all of it. */
function removeIndent(line: string, width: number): string {
  return /^[ \t]*$/.test(line.slice(0, width)) ? line.slice(width) : line.trimStart();
}
