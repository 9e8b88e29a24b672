// Reads the comments at the top of a file, before its first line of code.

/** Matches the beginning of a line without code: blank, a comment, a shebang, `'use strict'`, an opening tag. */
const NO_CODE_PATTERN = /^\s*($|\/\/|\/\*|\*|#|"""|'''|--|<!--|;|%|\{-|<\?php|<\?xml|(['"])use \w+\2;?\s*$)/;
/** The marks of comment blocks: a pattern for the beginning, and the text that ends the block. */
const BLOCK_COMMENT_MARKS: readonly (readonly [opens: RegExp, closes: string])[] = [
  [/^\s*\/\*/, '*/'],
  [/^\s*"""/, '"""'],
  [/^\s*'''/, "'''"],
  [/^\s*<!--/, '-->'],
  [/^\s*\{-/, '-}'],
];

/**
 * The comments at the top of a text as written, with their comment marks. Only the first `characters` characters of the
 * text are read.
 */
export function findTopComment(text: string, characters: number): string {
  const lines: string[] = [];
  let closingMark: string | null = null;
  for (const line of text.slice(0, characters).split('\n')) {
    if (closingMark === null && !NO_CODE_PATTERN.test(line)) break;
    lines.push(line);
    closingMark = findOpenBlockEnd(line, closingMark);
  }
  return lines.join('\n');
}

/** A comment at the top of a file. */
export interface TopComment {
  /** The 1-based first line. */
  readonly startLine: number;
  /** The 1-based last line. */
  readonly endLine: number;
  readonly text: string;
}

/**
 * The comments in the first `characters` characters of a text, before its first line of code. A block is one comment,
 * and so are consecutive comment lines.
 */
export function listTopComments(text: string, characters: number): readonly TopComment[] {
  const comments: TopComment[] = [];
  let closingMark: string | null = null;
  let startsNewComment = true;
  findTopComment(text, characters)
    .split('\n')
    .forEach((line, index) => {
      const closingMarkAfter = findOpenBlockEnd(line, closingMark);
      const isBlank = closingMark === null && line.trim() === '';
      const lastComment = comments.at(-1);
      const isBlockStart = closingMark === null && BLOCK_COMMENT_MARKS.some(([opens]) => opens.test(line));
      if (!isBlank && (startsNewComment || isBlockStart || !lastComment))
        comments.push({ startLine: index + 1, endLine: index + 1, text: line });
      else if (!isBlank && lastComment)
        comments[comments.length - 1] = { ...lastComment, endLine: index + 1, text: `${lastComment.text}\n${line}` };
      startsNewComment = isBlank || ((closingMark !== null || isBlockStart) && closingMarkAfter === null);
      closingMark = closingMarkAfter;
    });
  return comments;
}

/**
 * The mark that ends the comment block that is still open after this line; null outside of a block. `closingMark`: the
 * mark of the block that was open before this line, or null.
 */
function findOpenBlockEnd(line: string, closingMark: string | null): string | null {
  if (closingMark !== null) return line.includes(closingMark) ? null : closingMark;
  const block = BLOCK_COMMENT_MARKS.find(([opens]) => opens.test(line));
  if (!block) return null;
  const [opens, end] = block;
  return line.replace(opens, '').includes(end) ? null : end;
}
