// Whether a comment near a place gives a reason for it.

import { ts } from 'ts-morph';

/** A comment directly above the statement that holds the node, or behind it on its last line. */
export function hasCommentBeside(node: ts.Node, sourceFile: ts.SourceFile): boolean {
  const { text } = sourceFile;
  let statement = node;
  while (statement.parent && !ts.isBlock(statement.parent) && !ts.isSourceFile(statement.parent) && !ts.isCaseOrDefaultClause(statement.parent) && !ts.isModuleBlock(statement.parent)) statement = statement.parent;
  if ((ts.getLeadingCommentRanges(text, statement.pos) ?? []).length > 0) return true;
  return [node, statement].some(({ end }) => hasTrailingComment(text, end));
}

/** Any comment from one offset to another. */
export function hasCommentWithin(text: string, start: number, end: number): boolean {
  return /\/\/|\/\*/.test(text.slice(start, end));
}

function hasTrailingComment(text: string, end: number): boolean {
  const lineEnd = text.indexOf('\n', end);
  return /^[;,)}\s]*\/[/*]/.test(text.slice(end, lineEnd < 0 ? undefined : lineEnd));
}
