// Decides which statements a comment describes: the statements up to the next blank line, comment or end of a block.

import { ts } from 'ts-morph';
import { findCommentsAbove, isDirectiveComment } from '../syntax/comments.ts';
import type { ExtractionCandidate } from './extractionCandidates.ts';

/** True if the run takes only some statements of a paragraph that has a comment. */
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

/** True if the run `isHeaded` and no new paragraph begins inside it: the comment moves above the function. */
export function commentCoversRun(
  sourceFile: ts.SourceFile,
  { statements: [first, ...otherStatements] }: ExtractionCandidate,
): boolean {
  if (!first || !isHeaded(sourceFile, first)) return false;
  return otherStatements.every((statement) => !startsParagraph(sourceFile, statement));
}

/** True after a blank line, a comment or a statement that ends with a block. */
function startsParagraph(sourceFile: ts.SourceFile, statement: ts.Statement): boolean {
  const gap = sourceFile.text.slice(statement.getFullStart(), statement.getStart(sourceFile));
  return /\n[ \t]*\r?\n/.test(gap) || findCommentsAbove(sourceFile, statement).length > 0 || followsBlock(statement);
}

/** True if the statement before ends with a brace, as loops and branches do: a new paragraph begins. */
function followsBlock(statement: ts.Statement): boolean {
  const siblings = listOf(statement);
  const before = siblings?.[siblings.indexOf(statement) - 1];
  if (!before || ts.isVariableStatement(before) || ts.isExpressionStatement(before)) return false;
  return before.getText().endsWith('}');
}

/** True if a comment is above the statement that is not only for a tool. */
function isHeaded(sourceFile: ts.SourceFile, statement: ts.Statement): boolean {
  return findCommentsAbove(sourceFile, statement).some((comment) => !isDirectiveComment(comment));
}

/** The statements among which a statement is one; undefined for a branch without braces. */
function listOf({ parent }: ts.Statement): ts.NodeArray<ts.Statement> | undefined {
  return 'statements' in parent ? (parent.statements as ts.NodeArray<ts.Statement>) : undefined;
}
