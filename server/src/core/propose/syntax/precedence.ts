// Decides which expressions need parentheses, depending on their place.

import { ts } from 'ts-morph';

/**
 * True for expressions that need no parentheses as an operand of any binary operator except `**`: names, literals,
 * templates, calls, accesses, and prefix operators such as `!`, `await` and `typeof`.
 */
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

/** The text of an operand of `&&`, in parentheses if precedence or syntax requires them. */
export function formatAndOperand(sourceFile: ts.SourceFile, node: ts.Expression): string {
  const operandText = node.getText(sourceFile);
  return bindsTightly(node) || (ts.isBinaryExpression(node) && bindsTighterThanOr(node.operatorToken.kind))
    ? operandText
    : `(${operandText})`;
}

/** True for every binary operator except `||`, `??`, the comma and assignments. */
function bindsTighterThanOr(kind: ts.SyntaxKind): boolean {
  return (
    kind !== ts.SyntaxKind.BarBarToken &&
    kind !== ts.SyntaxKind.QuestionQuestionToken &&
    kind !== ts.SyntaxKind.CommaToken &&
    !(kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment)
  );
}

/**
 * True if an expression at the place of this node needs no parentheses. Comma expressions, and objects that an arrow
 * function returns, still need them.
 */
export function needsNoGrouping(node: ts.Node): boolean {
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
 * Finds the node to replace: the parentheses around the node if the replacement needs none there, otherwise the node
 * itself. `binds`: how tightly the replacement binds. A `tight` one needs no parentheses next to an operator, and an
 * `atom` needs none before a dot either. Parentheses that contain a comment stay.
 */
export function findNodeToReplace(
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
  if (needsNoGrouping(parent) || (binds !== 'loosely' && isOperator(parent.parent))) return parent;
  return binds === 'atom' && ts.isPropertyAccessExpression(parent.parent) ? parent : node;
}

function isOperator(node: ts.Node): boolean {
  return ts.isPrefixUnaryExpression(node) || ts.isBinaryExpression(node) || ts.isConditionalExpression(node);
}
