// Decides whether a comment near a node states a reason for it.

import { ts } from 'ts-morph';

/**
 * Matches a suppression comment. It does not count as a reason, because it would then hide the code for which it
 * suppresses a rule.
 */
const SUPPRESSION_PATTERN = /\/\/\s*selfware-ignore[^\n]*|\/\*[\s*]*selfware-ignore[\s\S]*?\*\//g;

/**
 * True if a comment is above the statement that contains the node, or after the node or the statement on the same
 * line. Suppressions do not count.
 */
export function hasAdjacentComment(node: ts.Node, sourceFile: ts.SourceFile): boolean {
  const { text } = sourceFile;
  let statement = node;
  while (
    statement.parent &&
    !ts.isBlock(statement.parent) &&
    !ts.isSourceFile(statement.parent) &&
    !ts.isCaseOrDefaultClause(statement.parent) &&
    !ts.isModuleBlock(statement.parent)
  )
    statement = statement.parent;
  if ((ts.getLeadingCommentRanges(text, statement.pos) ?? []).some(({ pos, end }) => hasCommentWithin(text, pos, end)))
    return true;
  return [node, statement].some(({ end }) => hasTrailingComment(text, end));
}

/** True if a comment is on the line above the node, or after the node on its last line. Suppressions do not count. */
export function hasCommentBeside(node: ts.Node, sourceFile: ts.SourceFile): boolean {
  const { text } = sourceFile;
  const lineStart = text.lastIndexOf('\n', node.getStart(sourceFile)) + 1;
  const lineAbove = text.slice(text.lastIndexOf('\n', lineStart - 2) + 1, Math.max(0, lineStart - 1));
  if (/^\s*(?:\/\/|\/\*|\*)|\*\/\s*$/.test(removeSuppressions(lineAbove))) return true;
  const lineEnd = text.indexOf('\n', node.end);
  return /(?:^|\s)\/[/*]/.test(removeSuppressions(text.slice(node.end, lineEnd < 0 ? undefined : lineEnd)));
}

/** True if the mark of a comment is between two offsets. Suppressions do not count. */
export function hasCommentWithin(text: string, start: number, end: number): boolean {
  return /\/\/|\/\*/.test(removeSuppressions(text.slice(start, end)));
}

/** The text without suppression comments, which state no reason for the code. */
export function removeSuppressions(text: string): string {
  return text.includes('selfware-ignore') ? text.replace(SUPPRESSION_PATTERN, '') : text;
}

/** True if a comment follows on the same line, after nothing but closing punctuation. */
function hasTrailingComment(text: string, end: number): boolean {
  const lineEnd = text.indexOf('\n', end);
  return /^[;,)}\s]*\/[/*]/.test(removeSuppressions(text.slice(end, lineEnd < 0 ? undefined : lineEnd)));
}
