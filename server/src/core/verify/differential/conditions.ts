// Brings conditions into a normal form: no double negations, and `!` as far inside as possible. The order and the
// number of evaluations stay the same.

import { ts } from 'ts-morph';
import { OPPOSITE_EQUALITY } from '../../syntax/values.ts';

const { factory } = ts;
const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });

/**
 * The normal form of an expression of which only the truth value matters, or of its negation. Uses De Morgan's laws,
 * which keep the order of evaluation.
 */
export function normaliseCondition(expression: ts.Expression, isNegated = false): ts.Expression {
  if (ts.isParenthesizedExpression(expression) && isTransparent(expression.expression))
    return normaliseCondition(expression.expression, isNegated);
  if (ts.isPrefixUnaryExpression(expression) && expression.operator === ts.SyntaxKind.ExclamationToken)
    return normaliseCondition(expression.operand, !isNegated);
  if (ts.isBinaryExpression(expression)) {
    const { left, right } = expression;
    const operator = expression.operatorToken.kind;
    if (isLogical(operator))
      return chainConditions(
        (operator === ts.SyntaxKind.AmpersandAmpersandToken) === isNegated,
        normaliseCondition(left, isNegated),
        normaliseCondition(right, isNegated),
      );
    const opposite = OPPOSITE_EQUALITY.get(operator);
    if (isNegated && opposite) return factory.createBinaryExpression(left, opposite, right);
  }
  return isNegated ? factory.createLogicalNot(expression) : expression;
}

/** `a && (b && c)` becomes `a && b && c`, with the same order of evaluation. */
function chainConditions(isOr: boolean, left: ts.Expression, right: ts.Expression): ts.Expression {
  const operator = isOr ? ts.SyntaxKind.BarBarToken : ts.SyntaxKind.AmpersandAmpersandToken;
  if (ts.isBinaryExpression(right) && right.operatorToken.kind === operator)
    return chainConditions(isOr, chainConditions(isOr, left, right.left), right.right);
  return factory.createBinaryExpression(left, operator, right);
}

function isLogical(operator: ts.SyntaxKind): boolean {
  return operator === ts.SyntaxKind.AmpersandAmpersandToken || operator === ts.SyntaxKind.BarBarToken;
}

/**
 * True if parentheses around the expression can be removed: it is a condition that this file rewrites, a name, a
 * member, a call or a prefix operator.
 */
function isTransparent(expression: ts.Expression): boolean {
  if (ts.isBinaryExpression(expression))
    return isLogical(expression.operatorToken.kind) || OPPOSITE_EQUALITY.has(expression.operatorToken.kind);
  return (
    ts.isParenthesizedExpression(expression) ||
    ts.isPrefixUnaryExpression(expression) ||
    ts.isIdentifier(expression) ||
    ts.isPropertyAccessExpression(expression) ||
    ts.isCallExpression(expression)
  );
}

/** Prints a node without comments. Equal trees give equal texts. */
export function printWithoutComments(node: ts.Node): string {
  return printer.printNode(ts.EmitHint.Unspecified, node, findSource(node)!);
}

/**
 * The source file that contains the text of the node's literals. Created nodes have no file, but the parsed nodes
 * inside them do.
 */
function findSource(node: ts.Node): ts.SourceFile | undefined {
  const original = ts.getOriginalNode(node);
  return ts.isSourceFile(original)
    ? original
    : original.parent
      ? original.getSourceFile()
      : ts.forEachChild(node, findSource);
}
