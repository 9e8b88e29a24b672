// complete-assertion: adds the matcher or the call that an assertion lacks.

import { ts } from 'ts-morph';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { applyReplacements } from '../../propose/textEdit.ts';
import { findVacuousAssertion } from '../../syntax/assertions/vacuousAssertion.ts';

/**
 * Rewrites `expect(x).toBeNull;` as `expect(x).toBeNull();` and `expect(x === 3);` as `expect(x).toBe(3);`. Refuses if
 * it is not certain what was meant.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text } = context;
  const node = findOpportunityNode(
    context,
    (candidate): candidate is ts.ExpressionStatement =>
      ts.isExpressionStatement(candidate) && findVacuousAssertion(candidate, sourceFile) !== null,
  );
  if (!node) return refuse('There is no longer an assertion here that cannot fail.');
  const { completed } = findVacuousAssertion(node, sourceFile)!;
  if (completed === null) return refuse('It is not certain what the assertion was meant to check.');
  const { expression } = node;
  return {
    text: applyReplacements(text, [{ start: expression.getStart(sourceFile), end: expression.end, text: completed }]),
    title: 'complete an assertion that could not fail',
    rationale: `\`${expression.getText(sourceFile)}\` checks nothing, so the test passed whatever the code did.`,
  };
}
