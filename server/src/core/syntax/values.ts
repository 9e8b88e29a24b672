// Answers questions about an expression without types: whether it is boolean, whether only its truth is used, whether
// it is a property path.

import { ts } from 'ts-morph';
import { skipParentheses } from './controlFlow.ts';

/** Operators whose result is always true or false. */
const BOOLEAN_OPERATORS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
  ts.SyntaxKind.InKeyword,
  ts.SyntaxKind.InstanceOfKeyword,
]);

/**
 * The negation of each operator of equality. Relational operators such as `<` are missing, because `a < b` and `a >= b`
 * are both false for NaN.
 */
export const OPPOSITE_EQUALITY: ReadonlyMap<ts.SyntaxKind, ts.EqualityOperator> = new Map<
  ts.SyntaxKind,
  ts.EqualityOperator
>([
  [ts.SyntaxKind.EqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsToken],
  [ts.SyntaxKind.ExclamationEqualsToken, ts.SyntaxKind.EqualsEqualsToken],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, ts.SyntaxKind.EqualsEqualsEqualsToken],
]);

/** True for the literal `true`. */
export function isTrue(node: ts.Expression): boolean {
  return skipParentheses(node).kind === ts.SyntaxKind.TrueKeyword;
}

/** True for the literal `false`. */
export function isFalse(node: ts.Expression): boolean {
  return skipParentheses(node).kind === ts.SyntaxKind.FalseKeyword;
}

/** True for `!operand`. */
export function isNot(node: ts.Node): node is ts.PrefixUnaryExpression {
  return ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken;
}

/** True for a binary expression with this operator. */
export function hasOperator(node: ts.Node, kind: ts.SyntaxKind): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === kind;
}

/** True for `a = b`, `a += b` and the like. */
export function isAssignment(node: ts.Node): node is ts.AssignmentExpression<ts.AssignmentOperatorToken> {
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/**
 * The operands of a chain such as `a && (b && c)`, from left to right. A chain with more than `limit` operands is
 * generated code: it is split into more than `limit` parts, but some parts may still be chains.
 */
export function splitOperands(node: ts.Expression, kind: ts.SyntaxKind, limit = Infinity): ts.Expression[] {
  const operands: ts.Expression[] = [];
  // No recursion, because the tree of a chain is as deep as the chain is long.
  const pending = [node];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const inner = skipParentheses(part);
    if (hasOperator(inner, kind)) pending.push(inner.right, inner.left);
    else operands.push(part);
    if (operands.length + pending.length > limit) return [...operands, ...pending];
  }
  return operands;
}

/**
 * True if the result can only be true or false, whatever the operands are. `isKnown` may recognise other parts that are
 * boolean.
 */
export function isAlwaysBoolean(node: ts.Expression, isKnown: (part: ts.Expression) => boolean = () => false): boolean {
  const inner = skipParentheses(node);
  if (inner.kind === ts.SyntaxKind.TrueKeyword || inner.kind === ts.SyntaxKind.FalseKeyword || isNot(inner))
    return true;
  if (ts.isBinaryExpression(inner)) {
    const { kind } = inner.operatorToken;
    if (BOOLEAN_OPERATORS.has(kind)) return true;
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken)
      return isAlwaysBoolean(inner.left, isKnown) && isAlwaysBoolean(inner.right, isKnown);
  }
  if (ts.isConditionalExpression(inner))
    return isAlwaysBoolean(inner.whenTrue, isKnown) && isAlwaysBoolean(inner.whenFalse, isKnown);
  return isKnown(inner);
}

/** True if only the truth of the expression is used, never its value. */
export function isCondition(node: ts.Node): boolean {
  for (let inner = node; ; inner = inner.parent) {
    const { parent } = inner;
    if (ts.isParenthesizedExpression(parent)) continue;
    if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent))
      return parent.expression === inner;
    if (ts.isForStatement(parent)) return parent.condition === inner;
    if (ts.isConditionalExpression(parent)) {
      if (parent.condition === inner) return true;
      continue;
    }
    if (isNot(parent)) return true;
    if (!ts.isBinaryExpression(parent)) return false;
    const { kind } = parent.operatorToken;
    if (kind !== ts.SyntaxKind.AmpersandAmpersandToken && kind !== ts.SyntaxKind.BarBarToken) return false;
  }
}

/**
 * True for a name, `this`, or properties of one: `a.b.c`. Reading it twice gives the same value, except for getters.
 */
export function isPropertyPath(node: ts.Expression): boolean {
  if (ts.isIdentifier(node) || node.kind === ts.SyntaxKind.ThisKeyword) return true;
  return ts.isPropertyAccessExpression(node) && !node.questionDotToken && isPropertyPath(node.expression);
}

/**
 * The word for an expression that is `null` or `undefined` (`void 0` included); null for any other one. Assumes that no
 * local is named `undefined`.
 */
export function findNullishWord(node: ts.Expression): 'null' | 'undefined' | null {
  const inner = skipParentheses(node);
  if (inner.kind === ts.SyntaxKind.NullKeyword) return 'null';
  if (ts.isIdentifier(inner) && inner.text === 'undefined') return 'undefined';
  return ts.isVoidExpression(inner) && ts.isNumericLiteral(inner.expression) ? 'undefined' : null;
}
