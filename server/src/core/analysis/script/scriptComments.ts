// Finds comments of a TypeScript or JavaScript file by offset. The parser does not keep them, because they are between
// its tokens.

import { ts } from 'ts-morph';
import type { CommentSpan, Comments } from '../suppressionComments.ts';

/**
 * The start of the code (`Infinity` if there is none), and a function that finds the comment at an offset. Strings that
 * are statements do not count as code: they are directives such as `'use strict'`, which comments about the whole file
 * may follow.
 */
export function findComments(sourceFile: ts.SourceFile): Comments {
  const code = sourceFile.statements.find(
    (statement) => !ts.isExpressionStatement(statement) || !ts.isStringLiteral(statement.expression),
  );
  return {
    codeStart: code?.getStart(sourceFile) ?? Infinity,
    commentAround: (offset) => findCommentAt(sourceFile, offset),
  };
}

/** The comment around an offset; null if there is none. */
function findCommentAt(sourceFile: ts.SourceFile, offset: number): CommentSpan | null {
  let node: ts.Node = sourceFile;
  for (;;) {
    if (ts.isJSDoc(node)) return { start: node.pos, end: node.end };
    const child: ts.Node | undefined = node
      .getChildren(sourceFile)
      .find(({ pos, end }) => pos <= offset && offset < end);
    if (!child) break;
    node = child;
  }
  // JSX text contains no comments, even if it contains `//`.
  if (ts.isJsxText(node)) return null;
  const adjacentComments = [
    ...(ts.getTrailingCommentRanges(sourceFile.text, node.pos) ?? []),
    ...(ts.getLeadingCommentRanges(sourceFile.text, node.pos) ?? []),
  ];
  const comment = adjacentComments.find(({ pos, end }) => pos <= offset && offset < end);
  return comment ? { start: comment.pos, end: comment.end } : null;
}
