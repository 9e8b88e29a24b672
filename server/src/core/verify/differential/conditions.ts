// A normal form of conditions: no double negations, and `!` as far inside as possible. Order and number of evaluations
// stay the same.

import { ts } from 'ts-morph';

const { factory } = ts;
const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });
/** `<` has no partner: with NaN both are false. */
const OPPOSITES = new Map<ts.SyntaxKind, ts.BinaryOperator>([
  [ts.SyntaxKind.EqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsToken],
  [ts.SyntaxKind.ExclamationEqualsToken, ts.SyntaxKind.EqualsEqualsToken],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, ts.SyntaxKind.EqualsEqualsEqualsToken],
]);

/**
 * The expression as one of which only the truth counts, or its negation. By De Morgan, who leaves the order of
 * evaluation as it is.
 */
export function conditionOf(expression: ts.Expression, negated = false): ts.Expression {
  if (ts.isParenthesizedExpression(expression) && isTransparent(expression.expression))
    return conditionOf(expression.expression, negated);
  if (ts.isPrefixUnaryExpression(expression) && expression.operator === ts.SyntaxKind.ExclamationToken)
    return conditionOf(expression.operand, !negated);
  if (ts.isBinaryExpression(expression)) {
    const { left, right } = expression;
    const operator = expression.operatorToken.kind;
    if (isLogical(operator))
      return chained(
        (operator === ts.SyntaxKind.AmpersandAmpersandToken) === negated,
        conditionOf(left, negated),
        conditionOf(right, negated),
      );
    const opposite = OPPOSITES.get(operator);
    if (negated && opposite) return factory.createBinaryExpression(left, opposite, right);
  }
  return negated ? factory.createLogicalNot(expression) : expression;
}

/** `a && (b && c)` asks the same in the same order as `a && b && c`. */
function chained(or: boolean, left: ts.Expression, right: ts.Expression): ts.Expression {
  const operator = or ? ts.SyntaxKind.BarBarToken : ts.SyntaxKind.AmpersandAmpersandToken;
  if (ts.isBinaryExpression(right) && right.operatorToken.kind === operator)
    return chained(or, chained(or, left, right.left), right.right);
  return factory.createBinaryExpression(left, operator, right);
}

function isLogical(operator: ts.SyntaxKind): boolean {
  return operator === ts.SyntaxKind.AmpersandAmpersandToken || operator === ts.SyntaxKind.BarBarToken;
}

/** Where the parentheses only group what is taken apart here; all others stay. */
function isTransparent(expression: ts.Expression): boolean {
  if (ts.isBinaryExpression(expression))
    return isLogical(expression.operatorToken.kind) || OPPOSITES.has(expression.operatorToken.kind);
  return (
    ts.isParenthesizedExpression(expression) ||
    ts.isPrefixUnaryExpression(expression) ||
    ts.isIdentifier(expression) ||
    ts.isPropertyAccessExpression(expression) ||
    ts.isCallExpression(expression)
  );
}

/** Text without comments, one for equal trees. */
export function printed(node: ts.Node): string {
  return printer.printNode(ts.EmitHint.Unspecified, node, sourceOf(node)!);
}

/** Where the text of its literals is: made nodes have none, the parsed ones inside of them have. */
function sourceOf(node: ts.Node): ts.SourceFile | undefined {
  const original = ts.getOriginalNode(node);
  return ts.isSourceFile(original)
    ? original
    : original.parent
      ? original.getSourceFile()
      : ts.forEachChild(node, sourceOf);
}
