// nullish-coalescing: rewrites a choice between a value and its fallback as `a ?? b`.

import { ts } from 'ts-morph';
import { parseNullTest } from '../../syntax/nullTests.ts';
import { openTypes } from '../../propose/extraction/checkerTypes.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { allowsSyntax } from '../../propose/syntax/dialect.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { bindsTightly, findNodeToReplace } from '../../propose/syntax/precedence.ts';
import { applyReplacements } from '../../propose/textEdit.ts';
import { skipParentheses } from '../../syntax/controlFlow.ts';

/** A choice between the value `subject` and the value `fallback`, which is used if `subject` is missing. */
interface Choice {
  readonly subject: ts.Expression;
  /** The values that the condition tests for. */
  readonly recognises: 'null' | 'undefined' | 'both';
  readonly fallback: ts.Expression;
}

/**
 * Rewrites `a !== null && a !== undefined ? a : b` as `a ?? b`. If the condition tests for only one of null and
 * undefined, refuses unless the types exclude the other one.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text } = context;
  const node = findOpportunityNode(
    context,
    (candidate): candidate is ts.ConditionalExpression =>
      ts.isConditionalExpression(candidate) && findChoice(candidate) !== null,
  );
  const choice = node && findChoice(node);
  if (!node || !choice) return refuse('There is no longer a choice here between a value and its fallback.');
  const { subject, recognises, fallback } = choice;
  if (
    /\/[/*]/.test(text.slice(node.getStart(sourceFile), fallback.getStart(sourceFile))) ||
    /\/[/*]/.test(text.slice(fallback.end, node.end))
  )
    return refuse('A comment stands between the parts.');
  if (!allowsSyntax(sourceFile, 'optional'))
    return refuse('Nothing in the file shows that it may use syntax as new as that.');
  const types = openTypes(context.tree, context.absolutePath, text);
  try {
    if (
      recognises !== 'both' &&
      !(recognises === 'null' ? types.isNeverUndefined(subject) : types.isNeverNull(subject))
    )
      return refuse(
        `${subject.getText(sourceFile)} may be ${recognises === 'null' ? 'undefined' : 'null'}, which the test lets through.`,
      );
    for (let part: ts.Expression = subject; ts.isPropertyAccessExpression(part); part = part.expression)
      if (types.isAccessor(part))
        return refuse(`Reading ${part.getText(sourceFile)} runs code, which would run once instead of twice.`);
  } finally {
    types.dispose();
  }
  const name = subject.getText(sourceFile);
  const replacedNode = findNodeToReplace(sourceFile, node);
  return {
    text: applyReplacements(text, [
      {
        start: replacedNode.getStart(sourceFile),
        end: replacedNode.end,
        text: fitIntoConditional(node, `${name} ?? ${createOperandText(sourceFile, fallback)}`),
      },
    ]),
    title: `use ?? for ${name}`,
    rationale: `The choice is between ${name} and its fallback if it is null or undefined; \`??\` says exactly that.`,
  };
}

/** The choice that a conditional expression makes; null if it makes none. */
function findChoice(node: ts.ConditionalExpression): Choice | null {
  const test = parseNullTest(node.condition);
  if (!test) return null;
  const [valueIfPresent, fallback] = test.passesIfPresent
    ? [node.whenTrue, node.whenFalse]
    : [node.whenFalse, node.whenTrue];
  return skipParentheses(valueIfPresent).getText() === test.subject.getText()
    ? { subject: test.subject, recognises: test.comparedValues, fallback: fallback }
    : null;
}

/** The text of the fallback as the right operand of `??`, in parentheses if it needs them there. */
function createOperandText(sourceFile: ts.SourceFile, fallback: ts.Expression): string {
  const replacementText = fallback.getText(sourceFile);
  const isArithmetic =
    ts.isBinaryExpression(fallback) &&
    fallback.operatorToken.kind >= ts.SyntaxKind.LessThanToken &&
    fallback.operatorToken.kind <= ts.SyntaxKind.PercentToken;
  const isChained =
    ts.isBinaryExpression(fallback) && fallback.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken;
  return bindsTightly(fallback) || isArithmetic || isChained ? replacementText : `(${replacementText})`;
}

/** The code, in parentheses if it is the condition of another conditional expression. */
function fitIntoConditional(node: ts.ConditionalExpression, code: string): string {
  const { parent } = node;
  return ts.isConditionalExpression(parent) && parent.condition === node ? `(${code})` : code;
}
