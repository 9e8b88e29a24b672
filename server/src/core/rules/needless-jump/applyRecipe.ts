// remove-jump: removes a `return` or `continue` to the place where control continues anyway.

import { isNeedlessJump } from '../../syntax/needlessParts.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { findCommentsAbove } from '../../propose/syntax/comments.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { removeStatement } from '../../propose/syntax/removeStatement.ts';
import { applyReplacements, lineEnd } from '../../propose/textEdit.ts';

/** Removes `return;` at the end of a function or `continue;` at the end of a loop, unless a comment is next to it. */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text } = context;
  const jump = findOpportunityNode(context, isNeedlessJump);
  if (!jump) return refuse('There is no longer a return or continue here that ends its block.');
  if (findCommentsAbove(sourceFile, jump).length > 0 || /\/[/*]/.test(text.slice(jump.end, lineEnd(text, jump.end))))
    return refuse('A comment says something about it.');
  const word = text.startsWith('return', jump.getStart(sourceFile)) ? 'return' : 'continue';
  return {
    text: applyReplacements(text, [removeStatement(sourceFile, jump)]),
    title: `remove a needless ${word}`,
    rationale: word === 'return' ? 'The function ends there anyway.' : 'The next iteration begins there anyway.',
  };
}
