// Reads the comments of a statement, so that two statements can be compared with them.

import type { ts } from 'ts-morph';
import { findCommentsAbove, listComments } from '../syntax/comments.ts';

/** The texts of the comments above a statement and inside of it, without their layout. */
export function commentsAround(sourceFile: ts.SourceFile, statement: ts.Statement): string[] {
  const start = findCommentsAbove(sourceFile, statement)[0]?.start ?? statement.getStart(sourceFile);
  return listComments(sourceFile)
    .filter((comment) => comment.start >= start && comment.end <= statement.end)
    .map((comment) => comment.text.replaceAll(/\s+/g, ' '));
}
