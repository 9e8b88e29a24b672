// Decides which statements a comment describes: those up to the next blank line, comment or end of a block.

import { ts } from 'ts-morph';
import { findCommentsAbove, isDirectiveComment } from '../syntax/comments.ts';
import type { ExtractionCandidate } from './extractionCandidates.ts';

/** True if the run contains only some of the statements that a comment describes. */
export function splitsParagraph(sourceFile: ts.SourceFile, { statements }: ExtractionCandidate): boolean {
  const [first, last] = [statements[0], statements.at(-1)];
  const siblings = first && listOf(first);
  if (!first || !last || !siblings) return false;
  let from = siblings.indexOf(first);
  while (from > 0 && !startsParagraph(sourceFile, siblings[from]!)) from--;
  if (siblings[from] !== first) return isHeaded(sourceFile, siblings[from]!);
  const nextStatement = siblings[siblings.indexOf(last) + 1];
  return nextStatement !== undefined && !startsParagraph(sourceFile, nextStatement) && isHeaded(sourceFile, first);
}

/** True if the comment above the run describes exactly its statements, so that it can move above the new function. */
export function commentCoversRun(
  sourceFile: ts.SourceFile,
  { statements: [first, ...otherStatements] }: ExtractionCandidate,
): boolean {
  if (!first || !isHeaded(sourceFile, first)) return false;
  return otherStatements.every((statement) => !startsParagraph(sourceFile, statement));
}

/** True if a blank line, a comment or a statement that ends with a block precedes the statement. */
function startsParagraph(sourceFile: ts.SourceFile, statement: ts.Statement): boolean {
  const gap = sourceFile.text.slice(statement.getFullStart(), statement.getStart(sourceFile));
  return /\n[ \t]*\r?\n/.test(gap) || findCommentsAbove(sourceFile, statement).length > 0 || followsBlock(statement);
}

/** True if the previous statement ends with a brace, as loops and branches do. */
function followsBlock(statement: ts.Statement): boolean {
  const siblings = listOf(statement);
  const before = siblings?.[siblings.indexOf(statement) - 1];
  if (!before || ts.isVariableStatement(before) || ts.isExpressionStatement(before)) return false;
  return before.getText().endsWith('}');
}

/** True if a comment above the statement is not only a directive for a tool. */
function isHeaded(sourceFile: ts.SourceFile, statement: ts.Statement): boolean {
  return findCommentsAbove(sourceFile, statement).some((comment) => !isDirectiveComment(comment));
}

/** The list that contains the statement; undefined for a branch without braces. */
function listOf({ parent }: ts.Statement): ts.NodeArray<ts.Statement> | undefined {
  return 'statements' in parent ? (parent.statements as ts.NodeArray<ts.Statement>) : undefined;
}
