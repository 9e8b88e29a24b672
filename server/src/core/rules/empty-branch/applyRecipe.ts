// remove-branch: removes the branch of an `if` that does nothing.

import { ts } from 'ts-morph';
import { isEmptyBlock } from '../../syntax/needlessParts.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { negate } from '../../propose/syntax/negate.ts';
import { isInStatementList } from '../../propose/syntax/scopes.ts';
import { applyReplacements } from '../../propose/textEdit.ts';

/**
 * Rewrites `if (c) {} else { … }` as `if (!c) { … }`, and `if (c) { … } else {}` as `if (c) { … }`. Refuses if a
 * comment is beside the empty branch, or if an `else` after the `if` could then belong to another `if`.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text } = context;
  const node = findOpportunityNode(
    context,
    (candidate): candidate is ts.IfStatement =>
      ts.isIfStatement(candidate) &&
      candidate.elseStatement !== undefined &&
      isEmptyBlock(candidate.thenStatement) !== isEmptyBlock(candidate.elseStatement),
  );
  if (!node?.elseStatement) return refuse('There is no longer an if with an empty branch here.');
  if (!isInStatementList(node))
    return refuse('The if is itself a branch without braces, so an else behind it could change its owner.');
  const { expression, thenStatement, elseStatement } = node;
  if (isEmptyBlock(elseStatement)) {
    if (/\/[/*]/.test(text.slice(thenStatement.end, elseStatement.end)))
      return refuse('A comment says something about the empty side.');
    return {
      text: applyReplacements(text, [{ start: thenStatement.end, end: elseStatement.end, text: '' }]),
      title: 'remove an empty else',
      rationale: 'The else does nothing.',
    };
  }
  if (!ts.isBlock(elseStatement)) return refuse('The other side is not a block.');
  const [from, to] = [thenStatement.getStart(sourceFile), elseStatement.getStart(sourceFile)];
  if (/\/[/*]/.test(text.slice(expression.end, to))) return refuse('A comment says something about the empty side.');
  return {
    text: applyReplacements(text, [...negate(sourceFile, expression), { start: from, end: to, text: '' }]),
    title: 'negate an if whose first branch is empty',
    rationale: 'Its first branch does nothing, so the opposite condition says directly when something happens.',
  };
}
