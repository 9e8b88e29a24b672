// await-assertion: adds `await` to an assertion about a promise, and makes the test function async if it is not.

import { ts } from 'ts-morph';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { applyReplacements } from '../../propose/textEdit.ts';
import { findUnawaitedAssertion } from '../../syntax/unawaitedRejects.ts';
import { isAsync, isGenerator } from '../../syntax/declarations/modifiers.ts';
import { findEnclosingFunction } from '../../syntax/controlFlow.ts';

/** Matches functions whose callback a test runner calls and awaits. */
const AWAITED_CALLER_PATTERN =
  /^(?:it|test|specify|beforeEach|afterEach|beforeAll|afterAll|before|after)(?:\.(?:each|concurrent|sequential|only|skip|fails)\b.*)?$/s;

/**
 * Rewrites `expect(p).rejects.toThrow();` as `await expect(p).rejects.toThrow();`. Refuses unless a test runner calls
 * and awaits the function around it. Also refuses if this function is not async and has a parameter, which may be a
 * callback that ends the test.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text } = context;
  const node = findOpportunityNode(
    context,
    (candidate): candidate is ts.ExpressionStatement =>
      ts.isExpressionStatement(candidate) && findUnawaitedAssertion(candidate) !== null,
  );
  if (!node) return refuse('There is no longer an assertion here that nobody waits for.');
  const owner = findEnclosingFunction(node);
  if (!owner) return refuse('The assertion is in no function.');
  if (isGenerator(owner)) return refuse('The assertion is in a generator.');
  const call = owner.parent;
  const isAwaitedByRunner =
    ts.isCallExpression(call) && AWAITED_CALLER_PATTERN.test(call.expression.getText(sourceFile));
  if (!isAwaitedByRunner)
    return refuse('The function around the assertion is not the test itself, so nobody may wait for it.');
  const becomesAsync = !isAsync(owner);
  if (becomesAsync && owner.parameters.length > 0)
    return refuse('The test takes a parameter, which may be a callback that ends it.');
  const start = node.getStart(sourceFile);
  return {
    text: applyReplacements(text, [
      ...(becomesAsync ? [{ start: owner.getStart(sourceFile), end: owner.getStart(sourceFile), text: 'async ' }] : []),
      { start, end: start, text: 'await ' },
    ]),
    title: 'wait for the assertion about a promise',
    rationale: 'Without `await` the test ends before the promise is settled, so it passes even if the assertion fails.',
  };
}
