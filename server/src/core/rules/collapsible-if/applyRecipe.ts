// merge-if: merges two nested ifs that have nothing else between them.

import { ts } from 'ts-morph';
import { containsAssignment } from '../../syntax/writtenNames.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { findCommentsBetween } from '../../propose/syntax/comments.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { formatAndOperand } from '../../propose/syntax/precedence.ts';
import { reindent } from '../../propose/syntax/reindent.ts';
import { detectLineWidth } from '../../propose/fileStyle.ts';
import {
  applyReplacements,
  indentAt,
  isFirstOnLine,
  lineEnd,
  lineStart,
  nextLineStart,
  type Replacement,
} from '../../propose/textEdit.ts';
import { findOnlyInnerIf } from '../../syntax/controlFlow.ts';

/**
 * Rewrites `if (a) { if (b) { … } }` as `if (a && b) { … }`. Refuses if a condition assigns or has several lines, if
 * comments are between the two, if the new condition would be too long, or if a brace or the inner `if` shares its line
 * with other code.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text } = context;
  const outer = findOpportunityNode(
    context,
    (node): node is ts.IfStatement => ts.isIfStatement(node) && findOnlyInnerIf(node) !== null,
  );
  const inner = outer && findOnlyInnerIf(outer);
  if (!outer || !inner) return refuse('There is no longer an if here that holds only another if.');
  if (containsAssignment(outer.expression) || containsAssignment(inner.expression))
    return refuse('One of the conditions assigns, which is easier to see in an if of its own.');
  const condition = `${formatAndOperand(sourceFile, outer.expression)} && ${formatAndOperand(sourceFile, inner.expression)}`;
  if (condition.includes('\n')) return refuse('One of the conditions has several lines.');
  if (hasCommentsBetween(sourceFile, outer, inner)) return refuse('A comment stands between the two.');
  const lineOffset = lineStart(text, outer.getStart(sourceFile));
  const width = outer.expression.getStart(sourceFile) - lineOffset + condition.length + ') {'.length;
  if (width > detectLineWidth(text)) return refuse('The condition would be longer than the lines of this file are.');
  const replacements = mergeIfs(context, outer, inner, condition);
  if ('refused' in replacements) return replacements;
  return {
    text: applyReplacements(text, replacements),
    title: 'merge two nested ifs',
    rationale:
      'Neither if has an else, and nothing is between them, so one if with both conditions does the same with one level less.',
  };
}

/** True for a comment next to a condition, or between the inner `if` and a brace around it. */
function hasCommentsBetween(sourceFile: ts.SourceFile, outer: ts.IfStatement, inner: ts.IfStatement): boolean {
  const { text } = sourceFile;
  const hasCommentBetween = (start: number, end: number) => /\/[/*]/.test(text.slice(start, end));
  return (
    hasCommentBetween(outer.getStart(sourceFile), outer.expression.getStart(sourceFile)) ||
    hasCommentBetween(outer.expression.end, inner.expression.getStart(sourceFile)) ||
    hasCommentBetween(inner.expression.end, inner.thenStatement.getStart(sourceFile)) ||
    findCommentsBetween(text, inner.end, outer.end - 1).length > 0
  );
}

/** The replacements that make one `if` with this condition. Refused if a brace or the inner `if` shares its line. */
function mergeIfs(
  { sourceFile, text }: RecipeContext,
  outer: ts.IfStatement,
  inner: ts.IfStatement,
  condition: string,
): Replacement[] | { readonly refused: string } {
  const start = inner.getStart(sourceFile);
  const close = outer.end - 1;
  const headReplacement: Replacement = {
    start: outer.expression.getStart(sourceFile),
    end: inner.expression.end,
    text: condition,
  };
  if (!isFirstOnLine(text, start)) {
    const isOneLine =
      lineStart(text, start) === lineStart(text, close) && lineStart(text, start) <= outer.getStart(sourceFile);
    return isOneLine
      ? [headReplacement, { start: inner.end, end: outer.end, text: '' }]
      : { refused: 'The inner if shares its line with other code.' };
  }
  if (!isFirstOnLine(text, close) || text.slice(inner.end, lineEnd(text, inner.end)).trim() !== '')
    return refuse('The closing brace shares its line with other code.');
  const body = { start: nextLineStart(text, start), end: inner.end };
  const indentReplacements =
    body.start < inner.end
      ? reindent(sourceFile, body, indentAt(text, start), indentAt(text, outer.getStart(sourceFile)))
      : [];
  return [
    headReplacement,
    ...indentReplacements.filter((replacement) => replacement.start >= inner.expression.end),
    { start: inner.end, end: outer.end, text: '' },
  ];
}
