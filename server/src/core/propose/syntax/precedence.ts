// Which expressions may stand beside an operator without parentheses.

import { ts } from 'ts-morph';

/** What holds together by itself, whatever stands around it: names, literals, calls, accesses, prefix operators. */
export function bindsTightly(node: ts.Expression): boolean {
  return (
    ts.isIdentifier(node) ||
    ts.isLiteralExpression(node) ||
    ts.isTemplateExpression(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isCallExpression(node) ||
    ts.isNewExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    ts.isObjectLiteralExpression(node) ||
    ts.isPrefixUnaryExpression(node) ||
    ts.isAwaitExpression(node) ||
    ts.isTypeOfExpression(node) ||
    node.kind === ts.SyntaxKind.ThisKeyword ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword ||
    node.kind === ts.SyntaxKind.NullKeyword
  );
}

/** The text of an operand of `&&`: in parentheses where it would fall apart or may not stand there. */
export function asAndOperand(sourceFile: ts.SourceFile, node: ts.Expression): string {
  const own = node.getText(sourceFile);
  return bindsTightly(node) || (ts.isBinaryExpression(node) && bindsTighterThanOr(node.operatorToken.kind))
    ? own
    : `(${own})`;
}

/** Comparisons, arithmetic and `&&` itself. */
function bindsTighterThanOr(kind: ts.SyntaxKind): boolean {
  return (
    kind !== ts.SyntaxKind.BarBarToken &&
    kind !== ts.SyntaxKind.QuestionQuestionToken &&
    kind !== ts.SyntaxKind.CommaToken &&
    !(kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment)
  );
}

/** Whatever takes its place needs no parentheses. */
export function standsAlone(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isIfStatement(node)) return true;
  if (
    ts.isParenthesizedExpression(parent) ||
    ts.isReturnStatement(parent) ||
    ts.isIfStatement(parent) ||
    ts.isWhileStatement(parent) ||
    ts.isDoStatement(parent)
  )
    return true;
  if (
    ts.isVariableDeclaration(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isArrowFunction(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isJsxExpression(parent)
  )
    return true;
  if (ts.isCallExpression(parent)) return parent.arguments.includes(node as ts.Expression);
  return (
    ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken && parent.right === node
  );
}

/**
 * The node, or the parentheses around it where they are there for it alone and what takes its place needs none:
 * something `tight` needs them beside no operator, and an `atom` not in front of a dot either.
 */
export function withParentheses(
  sourceFile: ts.SourceFile,
  node: ts.Expression,
  binds: 'loosely' | 'tight' | 'atom' = 'loosely',
): ts.Expression {
  const { parent } = node;
  if (
    !ts.isParenthesizedExpression(parent) ||
    ts.isIfStatement(parent.parent) ||
    /\/[/*]/.test(parent.getText(sourceFile))
  )
    return node;
  if (standsAlone(parent) || (binds !== 'loosely' && isOperator(parent.parent))) return parent;
  return binds === 'atom' && ts.isPropertyAccessExpression(parent.parent) ? parent : node;
}

function isOperator(node: ts.Node): boolean {
  return ts.isPrefixUnaryExpression(node) || ts.isBinaryExpression(node) || ts.isConditionalExpression(node);
}
