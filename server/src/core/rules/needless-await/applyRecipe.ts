// remove-await: removes promises that are only created to be unwrapped, and awaits of values that are already
// available.

import { ts } from 'ts-morph';
import { openTypes } from '../../propose/extraction/checkerTypes.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { declaresPromise, findPromisedValue } from '../../propose/equivalence/promises.ts';
import { findCommentsBetween } from '../../propose/syntax/comments.ts';
import { hasSideEffects } from '../../syntax/sideEffects.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { bindsTightly } from '../../propose/syntax/precedence.ts';
import { removeStatement } from '../../propose/syntax/removeStatement.ts';
import { applyReplacements, type Replacement } from '../../propose/textEdit.ts';
import { skipParentheses, isInTryBlock, findEnclosingFunction } from '../../syntax/controlFlow.ts';
import { isPlainAsync } from '../../syntax/declarations/modifiers.ts';

/** One change with its title and its rationale (`rationale`); or the reason why there is none. */
type AwaitChange =
  | { readonly replacement: Replacement; readonly title: string; readonly rationale: string }
  | { readonly refused: string };

/** The refusal if code with an effect, or code that is not examined, follows the `await`. */
const SOONER_REASON =
  'Without the await, the code after it would run before other code that now runs during the await.';

/**
 * Replaces `await Promise.resolve(x)` by `await x`, `return Promise.reject(e)` by `throw e`, and `await 1` by `1`.
 * Refuses if other code could notice the difference.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text } = context;
  const node = findOpportunityNode(
    context,
    (candidate): candidate is ts.AwaitExpression | ts.ReturnStatement =>
      ts.isAwaitExpression(candidate) || (ts.isReturnStatement(candidate) && findReturnedPromise(candidate) !== null),
  );
  if (!node) return refuse('There is no longer an await or a returned promise here.');
  if (declaresPromise(sourceFile)) return refuse('The file declares its own Promise.');
  const change = ts.isAwaitExpression(node) ? planAwaitChange(context, node) : planReturnChange(sourceFile, node);
  if ('refused' in change) return change;
  return { text: applyReplacements(text, [change.replacement]), title: change.title, rationale: change.rationale };
}

/** The change of an `await`. */
function planAwaitChange(context: RecipeContext, node: ts.AwaitExpression): AwaitChange {
  const { sourceFile, text } = context;
  const value = findPromisedValue(skipParentheses(node.expression));
  const inner = value ?? node.expression;
  if (
    hasCommentBetween(text, node.getStart(sourceFile) + 'await'.length, inner.getStart(sourceFile)) ||
    hasCommentBetween(text, inner.end, node.end)
  )
    return refuse('There is a comment inside the code that would be removed.');
  if (value) {
    const valueText = value.getText(sourceFile);
    return {
      replacement: {
        start: node.expression.getStart(sourceFile),
        end: node.end,
        text: bindsTightly(value) ? valueText : `(${valueText})`,
      },
      title: 'await the value directly',
      rationale: '`await` makes the same promise of a value that `Promise.resolve` makes, in the same number of steps.',
    };
  }
  if (!isCertainlyNoThenable(context, inner)) return refuse('The value may be a promise, as far as the types tell.');
  const refusal = explainRefusal(sourceFile, node);
  if (refusal) return refuse(refusal);
  return {
    replacement: { start: node.getStart(sourceFile), end: inner.getStart(sourceFile), text: '' },
    title: 'remove a needless await',
    rationale:
      'The value is not a promise, and nothing that other code could notice runs between here and the end of the function, which now settles a step sooner.',
  };
}

/** The change of a returned promise in an async function. */
function planReturnChange(sourceFile: ts.SourceFile, node: ts.ReturnStatement): AwaitChange {
  const call = findReturnedPromise(node);
  const enclosingFunction = findEnclosingFunction(node);
  if (!call || !node.expression) return refuse('There is no longer a returned promise here.');
  if (!enclosingFunction || !isPlainAsync(enclosingFunction))
    return refuse('The function is not async, or it is a generator.');
  const start = node.expression.getStart(sourceFile);
  const settlesSoonerReason =
    'An async function makes a promise of what it returns; without one in between it settles two steps sooner.';
  if (!call.value) {
    if (/\/[/*]/.test(node.expression.getText(sourceFile)))
      return refuse('There is a comment inside the code that would be removed.');
    // At the end of the function, no `return` is needed.
    if (
      ts.isBlock(node.parent) &&
      node.parent.parent === enclosingFunction &&
      node.parent.statements.length > 1 &&
      node.parent.statements.at(-1) === node
    )
      return {
        replacement: removeStatement(sourceFile, node),
        title: 'remove a needless promise',
        rationale: settlesSoonerReason,
      };
    return {
      replacement: { start: node.getStart(sourceFile) + 'return'.length, end: node.expression.end, text: '' },
      title: 'return without a promise',
      rationale: settlesSoonerReason,
    };
  }
  if (
    hasCommentBetween(sourceFile.text, node.getStart(sourceFile) + 'return'.length, call.value.getStart(sourceFile)) ||
    hasCommentBetween(sourceFile.text, call.value.end, node.expression.end)
  )
    return refuse('There is a comment inside the code that would be removed.');
  const value = call.value.getText(sourceFile);
  if (!call.rejects)
    return {
      replacement: { start, end: node.expression.end, text: value },
      title: 'return the value without a promise',
      rationale: settlesSoonerReason,
    };
  if (isInTryBlock(node)) return refuse('Inside try, what is thrown would be caught.');
  return {
    replacement: { start: node.getStart(sourceFile), end: node.expression.end, text: `throw ${value}` },
    title: 'throw instead of returning a rejected promise',
    rationale:
      'An async function makes a rejected promise of what it throws; without one in between it settles two steps sooner.',
  };
}

/**
 * Reads `return Promise.resolve(value)` and `return Promise.reject(value)`; null for any other statement. `value`: null
 * for `Promise.resolve()`. `rejects`: true for `Promise.reject`.
 */
function findReturnedPromise({
  expression,
}: ts.ReturnStatement): { readonly value: ts.Expression | null; readonly rejects: boolean } | null {
  const call = expression && skipParentheses(expression);
  const resolvedValue = call && findPromisedValue(call);
  if (resolvedValue) return { value: resolvedValue, rejects: false };
  if (call && isEmptyResolve(call)) return { value: null, rejects: false };
  const rejectedValue = call && findPromisedValue(call, 'reject');
  return rejectedValue ? { value: rejectedValue, rejects: true } : null;
}

/** True for `Promise.resolve()`. */
function isEmptyResolve(call: ts.Expression): boolean {
  return ts.isCallExpression(call) && call.arguments.length === 0 && call.expression.getText() === 'Promise.resolve';
}

/** True if the value is certainly not a promise, nor anything else with a `then`. */
function isCertainlyNoThenable({ tree, absolutePath, text }: RecipeContext, value: ts.Expression): boolean {
  const inner = skipParentheses(value);
  if (ts.isLiteralExpression(inner) || ts.isTemplateExpression(inner) || ts.isArrayLiteralExpression(inner))
    return true;
  const types = openTypes(tree, absolutePath, text);
  try {
    return types.isNotThenable(inner);
  } finally {
    types.dispose();
  }
}

/**
 * The reason why other code could notice that the `await` is gone, because awaiting lets other code run first. Null if
 * no code could: the `await` is not inside `try`, and no code with an effect follows it in the function.
 */
function explainRefusal(sourceFile: ts.SourceFile, node: ts.AwaitExpression): string | null {
  const { parent } = node;
  if (isInTryBlock(node)) return 'Inside try, it may be there to let others go first.';
  if (ts.isReturnStatement(parent) || (ts.isArrowFunction(parent) && parent.body === node)) return null;
  const statement =
    ts.isVariableDeclaration(parent) &&
    ts.isVariableDeclarationList(parent.parent) &&
    ts.isVariableStatement(parent.parent.parent) &&
    parent.parent.declarations.length === 1
      ? parent.parent.parent
      : null;
  const container = statement?.parent;
  if (!statement || !container || !ts.isBlock(container) || !ts.isFunctionLike(container.parent)) return SOONER_REASON;
  const laterStatements = container.statements.slice(container.statements.indexOf(statement) + 1);
  const hasNoEffects = laterStatements.every(
    (laterStatement) =>
      (ts.isReturnStatement(laterStatement) || ts.isVariableStatement(laterStatement)) &&
      !hasSideEffects(sourceFile, laterStatement),
  );
  return hasNoEffects ? null : SOONER_REASON;
}

/**
 * True if a comment is between the offsets: after `start` with only spaces before it, or directly after a parenthesis.
 * Any other text that looks like a comment may be part of a string.
 */
function hasCommentBetween(text: string, start: number, end: number): boolean {
  return (
    /\/[/*]/.test(text.slice(start, end)) &&
    (findCommentsBetween(text, start, end).length > 0 || /[()]\s*\/[/*]/.test(text.slice(start, end)))
  );
}
