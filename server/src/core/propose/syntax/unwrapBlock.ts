// Removes the braces of a block, so that its statements move to the enclosing list.

import type { ts } from 'ts-morph';
import type { Style } from '../fileStyle.ts';
import { isFirstOnLine, lineEnd, lineStart, nextLineStart, type Replacement } from '../textEdit.ts';
import { findCommentsBetween, type Comment } from './comments.ts';
import { reindent } from './reindent.ts';

/** Options for removing the braces of a block. */
export interface UnwrapOptions {
  /**
   * The end of the text before the block that stays. Everything between it and the content of the block is replaced.
   */
  readonly keptEnd: number;
  /** A keyword between `keptEnd` and the block, which is removed, too; null if there is none. */
  readonly keyword: { readonly start: number; readonly end: number } | null;
  /** Text that is inserted directly after `keptEnd`. */
  readonly insertedText: string;
  /** Indentation of the statement that contains the block. */
  readonly indent: string;
}

/**
 * Removes the braces and keeps all comments. Refuses a block of several lines if other code is on the lines of its
 * braces, and a block on one line if other code follows it, because that code would have to be reformatted.
 */
export function unwrapBlock(
  sourceFile: ts.SourceFile,
  block: ts.Block,
  style: Style,
  { keptEnd, keyword, insertedText, indent }: UnwrapOptions,
): readonly Replacement[] | { readonly refused: string } {
  const { text } = sourceFile;
  const openBrace = block.getStart(sourceFile);
  const closeBrace = block.end - 1;
  const textAfter = text.slice(block.end, lineEnd(text, block.end));
  const commentsBefore = keyword
    ? [...findCommentsBetween(text, keptEnd, keyword.start), ...findCommentsBetween(text, keyword.end, openBrace)]
    : findCommentsBetween(text, keptEnd, openBrace);

  if (lineStart(text, closeBrace) <= openBrace) {
    const innerLines = listInnerLines(sourceFile, block);
    if (textAfter.trim() && !/^\s*(\/\/|\/\*)/.test(textAfter))
      return { refused: 'The block shares its line with other code.' };
    return [
      {
        start: keptEnd,
        end: block.end,
        text: `${insertedText}${formatComments(commentsBefore, text, keptEnd, indent, style)}${innerLines.map((line) => style.newline + indent + line).join('')}`,
      },
    ];
  }

  const commentsOnOpenLine = findCommentsBetween(text, openBrace + 1, lineEnd(text, openBrace)).filter(
    (comment) => comment.end <= lineEnd(text, openBrace),
  );
  const textAfterOpen = text.slice(commentsOnOpenLine.at(-1)?.end ?? openBrace + 1, lineEnd(text, openBrace));
  if (textAfterOpen.trim()) return { refused: 'The block has code on the line of its opening brace.' };
  if (!isFirstOnLine(text, closeBrace)) return { refused: 'The block has code on the line of its closing brace.' };
  if (textAfter.trim() && !/^\s*(\/\/|\/\*[^\n]*\*\/\s*$)/.test(textAfter))
    return { refused: 'The block has code after its closing brace.' };

  const contentStart = nextLineStart(text, openBrace);
  const firstStatement = block.statements[0];
  const innerIndent = firstStatement ? indentOf(text, firstStatement.getStart(sourceFile)) : indent + style.indent;
  const commentLines = commentsOnOpenLine.map((comment) => style.newline + indent + comment.text);
  return [
    {
      start: keptEnd,
      end: contentStart,
      text: [
        insertedText,
        formatComments(commentsBefore, text, keptEnd, indent, style),
        ...commentLines,
        style.newline,
      ].join(''),
    },
    ...reindent(sourceFile, { start: contentStart, end: lineStart(text, closeBrace) }, innerIndent, indent),
    removeClosingBrace(text, closeBrace, contentStart, textAfter.trim() !== ''),
  ];
}

/** Writes the comments before the block: those on the line of `keptEnd` stay there, others get lines of their own. */
function formatComments(
  comments: readonly Comment[],
  text: string,
  from: number,
  indent: string,
  style: Style,
): string {
  const end = lineEnd(text, from);
  return comments
    .map((comment) =>
      comment.start < end && !/[^\s]/.test(text.slice(from, comment.start))
        ? ` ${comment.text}`
        : style.newline + indent + comment.text,
    )
    .join('');
}

/** The lines between the braces: the statements, or everything as one line if there is a comment. */
function listInnerLines(sourceFile: ts.SourceFile, block: ts.Block): string[] {
  const { text } = sourceFile;
  const inner = text.slice(block.getStart(sourceFile) + 1, block.end - 1).trim();
  if (!inner) return [];
  return /\/[/*]/.test(inner)
    ? [inner]
    : block.statements.map((statement) => text.slice(statement.getStart(sourceFile), statement.end));
}

/** Removes the closing brace with its line, or only the brace if a comment follows it. */
function removeClosingBrace(
  text: string,
  closeBrace: number,
  contentStart: number,
  hasCommentAfter: boolean,
): Replacement {
  if (hasCommentAfter)
    return {
      start: closeBrace,
      end: closeBrace + 1 + (/^[ \t]*/.exec(text.slice(closeBrace + 1))?.[0].length ?? 0),
      text: '',
    };
  const start = lineStart(text, closeBrace);
  const end = nextLineStart(text, closeBrace);
  if (text[end - 1] === '\n' || start === contentStart) return { start, end, text: '' };
  // On the last line of a file without a final line break, the preceding line break is removed instead.
  return { start: text[start - 2] === '\r' ? start - 2 : start - 1, end, text: '' };
}

function indentOf(text: string, position: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, position), position))?.[0] ?? '';
}
