// else-if: rewrites `else { if (…) … }` as `else if (…) …`.

import { ts } from 'ts-morph';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { findLonelyIf } from '../../syntax/needlessParts.ts';
import { alwaysExits } from '../../propose/syntax/alwaysExits.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { reindent } from '../../propose/syntax/reindent.ts';
import { isInStatementList } from '../../propose/syntax/scopes.ts';
import { applyReplacements, indentAt, isFirstOnLine, lineStart, nextLineStart } from '../../propose/textEdit.ts';

/**
 * Rewrites `else { if (b) { … } }` as `else if (b) { … }`. Refuses if comments are between the two, or if all branches
 * before exit, because the `else` itself can then be removed.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text } = context;
  const inner = findOpportunityNode(
    context,
    (node): node is ts.IfStatement =>
      ts.isIfStatement(node) &&
      ts.isBlock(node.parent) &&
      ts.isIfStatement(node.parent.parent) &&
      findLonelyIf(node.parent.parent) === node,
  );
  const block = inner?.parent;
  const outer = block?.parent;
  if (!inner || !block || !outer || !ts.isIfStatement(outer))
    return refuse('There is no longer an else here that holds nothing but an if.');
  if (!isInStatementList(outer))
    return refuse('The if is itself a branch without braces, so an else behind it could change its owner.');
  if (!context.isRequested && collectBranches(outer).every(alwaysExits))
    return refuse('The code before the else leaves, so the else itself can be removed.');
  const [blockStart, start, blockEnd] = [block.getStart(sourceFile), inner.getStart(sourceFile), block.end - 1];
  if (/\/[/*]/.test(text.slice(outer.thenStatement.end, start)) || /\/[/*]/.test(text.slice(inner.end, blockEnd)))
    return refuse('A comment stands between the two.');
  const spansLines = text.slice(start, inner.end).includes('\n');
  if (spansLines && (!isFirstOnLine(text, start) || !isFirstOnLine(text, blockEnd)))
    return refuse('A brace shares its line with other code.');
  const indentReplacements = spansLines
    ? reindent(
        sourceFile,
        { start: nextLineStart(text, start), end: inner.end },
        indentAt(text, start),
        indentAt(text, lineStart(text, outer.thenStatement.end)),
      )
    : [];
  return {
    text: applyReplacements(text, [
      { start: findElseEnd(text, blockStart), end: start, text: ' ' },
      ...indentReplacements,
      { start: inner.end, end: block.end, text: '' },
    ]),
    title: 'turn an else with only an if into an else if',
    rationale: 'The else contains only the if, so `else if` does the same with one level less.',
  };
}

/** The branches of a chain, up to that of `lastBranch`, which is its last `if`. */
function collectBranches(lastBranch: ts.IfStatement): ts.Statement[] {
  const { parent } = lastBranch;
  const earlierBranches =
    ts.isIfStatement(parent) && parent.elseStatement === lastBranch ? collectBranches(parent) : [];
  return [...earlierBranches, lastBranch.thenStatement];
}

/** The offset after the word `else` before the brace at `openBrace`. */
function findElseEnd(text: string, openBrace: number): number {
  return text.slice(0, openBrace).trimEnd().length;
}
