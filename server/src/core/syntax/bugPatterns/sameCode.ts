// Compares code, and decides whether evaluating it twice gives the same value twice.

import { ts } from 'ts-morph';
import { skipParentheses } from '../controlFlow.ts';
import { hasSideEffects } from '../sideEffects.ts';
import { listChildren } from '../nodesBelow.ts';

/** Calls that give the same answer twice, by the name of the called function. */
const ASKING_CALL = /^(?:(?:is|has|can|should)(?:[A-Z]\w*)?|includes|startsWith|endsWith|hasOwnProperty|indexOf)$/;

/** Maximum number of characters of code in a message. */
const MAX_QUOTED = 60;

/** True if both are the same code; layout, comments and parentheses do not count. */
export function isSameCode(left: ts.Node, right: ts.Node): boolean {
  const [a, b] = [unwrap(left), unwrap(right)];
  if (a.kind !== b.kind) return false;
  const [ofLeft, ofRight] = [listChildren(a), listChildren(b)];
  if (ofLeft.length !== ofRight.length) return false;
  if (ofLeft.length === 0) return a.getText() === b.getText();
  if (ts.isPrefixUnaryExpression(a) && a.operator !== (b as ts.PrefixUnaryExpression).operator) return false;
  if (ts.isPostfixUnaryExpression(a) && a.operator !== (b as ts.PostfixUnaryExpression).operator) return false;
  return ofLeft.every((child, index) => isSameCode(child, ofRight[index]!));
}

/** True if the expression gives the same value again: it has no effect, and makes no object and no function. */
export function isRepeatable(expression: ts.Expression, sourceFile: ts.SourceFile): boolean {
  return !makesSomething(expression) && !hasSideEffects(sourceFile, expression, isAskingCall);
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

/** True for an expression that makes a new object: no other value is equal to it. */
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

/** The code of a node in backticks, on one line, and short. */
export function quoteCode(node: ts.Node): string {
  // Longer code is cut anyway.
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

function makesSomething(node: ts.Node): boolean {
  return (
    (ts.isExpression(node) && !ts.isRegularExpressionLiteral(node) && makesObject(node)) ||
    (ts.forEachChild(node, (child) => makesSomething(child) || undefined) ?? false)
  );
}

function isAskingCall(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) return false;
  const { expression: callee } = node;
  if (ts.isIdentifier(callee)) return ASKING_CALL.test(callee.text);
  if (!ts.isPropertyAccessExpression(callee)) return false;
  // A regular expression with the flag `g` or `y` continues behind its last match.
  if (callee.name.text === 'test')
    return ts.isRegularExpressionLiteral(callee.expression) && !/\/[a-z]*[gy][a-z]*$/.test(callee.expression.text);
  return ASKING_CALL.test(callee.name.text);
}
