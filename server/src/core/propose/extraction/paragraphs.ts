// Decides which statements a comment describes: those up to the next blank line, comment or end of a block.

import { ts } from 'ts-morph';
import { findCommentsAbove, isDirectiveComment } from '../syntax/comments.ts';
import type { ExtractionCandidate } from './extractionCandidates.ts';

/** True if the run contains only some of the statements that a comment describes. */
export function splitsParagraph(sourceFile: ts.SourceFile, { statements }: ExtractionCandidate): boolean {
  const [first, last] = [statements[0], statements.at(-1)];
  const siblings = first && findSiblings(first);
  if (!first || !last || !siblings) return false;
  let firstIndex = siblings.indexOf(first);
  while (firstIndex > 0 && !startsParagraph(sourceFile, siblings[firstIndex]!)) firstIndex--;
  if (siblings[firstIndex] !== first) return hasCommentAbove(sourceFile, siblings[firstIndex]!);
  const nextStatement = siblings[siblings.indexOf(last) + 1];
  return (
    nextStatement !== undefined && !startsParagraph(sourceFile, nextStatement) && hasCommentAbove(sourceFile, first)
  );
}

/** True if the comment above the run describes exactly its statements, so that it can move above the new function. */
export function commentCoversRun(
  sourceFile: ts.SourceFile,
  { statements: [first, ...otherStatements] }: ExtractionCandidate,
): boolean {
  if (!first || !hasCommentAbove(sourceFile, first)) return false;
  return otherStatements.every((statement) => !startsParagraph(sourceFile, statement));
}

/** True if a blank line, a comment or a statement that ends with a block precedes the statement. */
function startsParagraph(sourceFile: ts.SourceFile, statement: ts.Statement): boolean {
  const gap = sourceFile.text.slice(statement.getFullStart(), statement.getStart(sourceFile));
  return /\n[ \t]*\r?\n/.test(gap) || findCommentsAbove(sourceFile, statement).length > 0 || followsBlock(statement);
}

/** True if the previous statement ends with a brace, as loops and branches do. */
function followsBlock(statement: ts.Statement): boolean {
  const siblings = findSiblings(statement);
  const previousStatement = siblings?.[siblings.indexOf(statement) - 1];
  if (!previousStatement || ts.isVariableStatement(previousStatement) || ts.isExpressionStatement(previousStatement))
    return false;
  return previousStatement.getText().endsWith('}');
}

/** True if a comment above the statement is not only a directive for a tool. */
function hasCommentAbove(sourceFile: ts.SourceFile, statement: ts.Statement): boolean {
  return findCommentsAbove(sourceFile, statement).some((comment) => !isDirectiveComment(comment));
}

/** The list that contains the statement; undefined for a branch without braces. */
function findSiblings({ parent }: ts.Statement): ts.NodeArray<ts.Statement> | undefined {
  return 'statements' in parent ? (parent.statements as ts.NodeArray<ts.Statement>) : undefined;
}
