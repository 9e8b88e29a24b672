// Compares two pieces of code, and decides whether evaluating an expression twice gives the same value twice.

import { ts } from 'ts-morph';
import { skipParentheses } from '../controlFlow.ts';
import { hasSideEffects } from '../sideEffects.ts';
import { listChildren } from '../nodesBelow.ts';

/** Matches names of functions that give the same result if they are called twice. */
const REPEATABLE_CALL = /^(?:(?:is|has|can|should)(?:[A-Z]\w*)?|includes|startsWith|endsWith|hasOwnProperty|indexOf)$/;

/** Maximum number of characters of code in a message. */
const MAX_QUOTED = 60;

/** True if both nodes are the same code, apart from layout, comments and parentheses. */
export function isSameCode(left: ts.Node, right: ts.Node): boolean {
  const [a, b] = [unwrap(left), unwrap(right)];
  if (a.kind !== b.kind) return false;
  const [leftChildren, rightChildren] = [listChildren(a), listChildren(b)];
  if (leftChildren.length !== rightChildren.length) return false;
  if (leftChildren.length === 0) return a.getText() === b.getText();
  if (ts.isPrefixUnaryExpression(a) && a.operator !== (b as ts.PrefixUnaryExpression).operator) return false;
  if (ts.isPostfixUnaryExpression(a) && a.operator !== (b as ts.PostfixUnaryExpression).operator) return false;
  return leftChildren.every((child, index) => isSameCode(child, rightChildren[index]!));
}

/**
 * True if evaluating the expression again gives the same value: it has no effect, and creates no object and no
 * function.
 */
export function isRepeatable(expression: ts.Expression, sourceFile: ts.SourceFile): boolean {
  return !containsNewObject(expression) && !hasSideEffects(sourceFile, expression, isRepeatableCall);
}

/** True for a literal text or number, `true`, `false`, `null` and the negative of a number. */
export function isLiteral(node: ts.Node): boolean {
  const inner = unwrap(node);
  if (ts.isPrefixUnaryExpression(inner)) return ts.isNumericLiteral(inner.operand);
  return (
    ts.isStringLiteralLike(inner) ||
    ts.isNumericLiteral(inner) ||
    ts.isBigIntLiteral(inner) ||
    inner.kind === ts.SyntaxKind.TrueKeyword ||
    inner.kind === ts.SyntaxKind.FalseKeyword ||
    inner.kind === ts.SyntaxKind.NullKeyword
  );
}

/** True for an expression that creates a new object, to which no other value is equal. */
export function makesObject(node: ts.Expression): boolean {
  const inner = skipParentheses(node);
  return (
    ts.isArrayLiteralExpression(inner) ||
    ts.isObjectLiteralExpression(inner) ||
    ts.isFunctionExpression(inner) ||
    ts.isArrowFunction(inner) ||
    ts.isClassExpression(inner) ||
    ts.isRegularExpressionLiteral(inner)
  );
}

/** The code of a node in backticks, on one line, cut to `MAX_QUOTED` characters. */
export function quoteCode(node: ts.Node): string {
  // Replacing white space in all of a long text would be wasted, because only its beginning is shown.
  const text = node
    .getText()
    .slice(0, 10 * MAX_QUOTED)
    .replaceAll(/\s+/g, ' ')
    .replaceAll('`', "'");
  return `\`${text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text}\``;
}

function unwrap(node: ts.Node): ts.Node {
  return ts.isParenthesizedExpression(node) ? skipParentheses(node) : node;
}

function containsNewObject(node: ts.Node): boolean {
  return (
    (ts.isExpression(node) && !ts.isRegularExpressionLiteral(node) && makesObject(node)) ||
    (ts.forEachChild(node, (child) => containsNewObject(child) || undefined) ?? false)
  );
}

function isRepeatableCall(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) return false;
  const { expression: callee } = node;
  if (ts.isIdentifier(callee)) return REPEATABLE_CALL.test(callee.text);
  if (!ts.isPropertyAccessExpression(callee)) return false;
  // With the flag `g` or `y`, a regular expression continues after its last match, so the results differ.
  if (callee.name.text === 'test')
    return ts.isRegularExpressionLiteral(callee.expression) && !/\/[a-z]*[gy][a-z]*$/.test(callee.expression.text);
  return REPEATABLE_CALL.test(callee.name.text);
}
