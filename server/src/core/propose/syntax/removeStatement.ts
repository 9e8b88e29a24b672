// Removes a statement from a file together with the comments that describe only this statement.

import type { ts } from 'ts-morph';
import { findCommentsAbove, isDirectiveComment, isLicenceComment, type Comment } from './comments.ts';
import { isFirstOnLine, lineEnd, removeLines, type Replacement } from '../textEdit.ts';

/** Matches directives for the next line only, which are removed together with that line. */
const NEXT_LINE_DIRECTIVE_PATTERN =
  /^\/[/*]+\s*(?:eslint-disable-next-line|@ts-ignore|@ts-expect-error|prettier-ignore|biome-ignore|oxlint-disable-next-line|tslint:disable-next-line|deno-lint-ignore|istanbul ignore next|c8 ignore next|v8 ignore next)\b/;

/**
 * Removes a statement: whole lines with the comments that belong to it, or only the statement if other code shares its
 * lines. `lastStatement`: the last statement of a run that is removed at once, such as overloads.
 */
export function removeStatement(
  sourceFile: ts.SourceFile,
  statement: ts.Statement,
  lastStatement: ts.Statement = statement,
): Replacement {
  const { text } = sourceFile;
  const start = statement.getStart(sourceFile);
  const end = lineEnd(text, lastStatement.end);
  const textBehind = text.slice(lastStatement.end, end);
  if (!isFirstOnLine(text, start) || !/^\s*(?:\/\/.*|\/\*[^\n]*\*\/\s*)?$/.test(textBehind)) {
    return { start, end: lastStatement.end + (/^[ \t]*/.exec(textBehind)?.[0].length ?? 0), text: '' };
  }
  return removeLines(text, findCommentsOfStatement(sourceFile, statement)[0]?.start ?? start, end);
}

/**
 * Finds the comments above the statement that describe only it, and are not a licence, a directive or the head of the
 * file.
 */
function findCommentsOfStatement(sourceFile: ts.SourceFile, statement: ts.Statement): Comment[] {
  const commentsOfStatement = findCommentsAbove(sourceFile, statement);
  const mayBeShared = isFirstOfGroup(sourceFile, statement);
  const lastOtherIndex = commentsOfStatement.findLastIndex(
    (comment) =>
      !NEXT_LINE_DIRECTIVE_PATTERN.test(comment.text) &&
      (isDirectiveComment(comment) ||
        isLicenceComment(comment) ||
        isAtTop(sourceFile, comment) ||
        (mayBeShared && !comment.text.startsWith('/**'))),
  );
  return commentsOfStatement.slice(lastOtherIndex + 1);
}

/** True if the next line begins a statement of the same kind, so a comment above may describe both. */
function isFirstOfGroup(sourceFile: ts.SourceFile, statement: ts.Statement): boolean {
  const siblings =
    'statements' in statement.parent ? (statement.parent.statements as ts.NodeArray<ts.Statement>) : undefined;
  const nextSibling = siblings?.[siblings.indexOf(statement) + 1];
  if (!nextSibling || nextSibling.kind !== statement.kind) return false;
  const lineOf = (position: number) => sourceFile.getLineAndCharacterOfPosition(position).line;
  return lineOf(nextSibling.getStart(sourceFile)) === lineOf(statement.end) + 1;
}

/** True if only a `#!` line and comments precede the comment in the file. */
function isAtTop({ text }: ts.SourceFile, comment: Comment): boolean {
  return /^(?:#![^\n]*\n)?\s*(?:\/\/[^\n]*\n\s*|\/\*(?:[^*]|\*(?!\/))*\*\/\s*)*$/.test(text.slice(0, comment.start));
}
