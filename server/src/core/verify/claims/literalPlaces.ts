// Tells what code does with a literal: decides by it, or returns it.

import { ts } from 'ts-morph';

/** Values that stand in code and tests of all kinds, and say nothing. */
const COMMON = new Set(['0', '1', '-1', '2', '']);

const EQUALS = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);
/** Methods that compare with their argument, or look it up. */
const LOOKS_UP = new Set([
  'includes',
  'has',
  'get',
  'is',
  'indexOf',
  'startsWith',
  'endsWith',
  'equals',
  'localeCompare',
]);

/**
 * The value of a number or string as text, whatever its notation; of a regular expression, its text without anchors and
 * escapes. Null for other nodes, and for values that say nothing.
 */
export function valueOf(node: ts.Node): string | null {
  const value = plainValue(node);
  return value === null || COMMON.has(value) ? null : value;
}

function plainValue(node: ts.Node): string | null {
  if (ts.isNumericLiteral(node)) {
    const isNegative = ts.isPrefixUnaryExpression(node.parent) && node.parent.operator === ts.SyntaxKind.MinusToken;
    return `${isNegative ? '-' : ''}${Number(node.text)}`;
  }
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isRegularExpressionLiteral(node))
    return node.text.replace(/^\/\^?|\$?\/[a-z]*$/g, '').replace(/\\([^A-Za-z0-9])/g, '$1');
  return null;
}

/** True if code decides by it: in a condition, a comparison, a `case`, a lookup or a table. */
export function isDeciding(node: ts.Node): boolean {
  let child = node;
  for (let parent = node.parent; parent; child = parent, parent = parent.parent) {
    if (isCondition(parent, child) || isComparison(parent, child)) return true;
    if (isTable(parent, child)) return true;
    if (ts.isStatement(parent) || ts.isFunctionLike(parent)) return false;
  }
  return false;
}

function isCondition(parent: ts.Node, child: ts.Node): boolean {
  if (
    ts.isIfStatement(parent) ||
    ts.isWhileStatement(parent) ||
    ts.isDoStatement(parent) ||
    ts.isSwitchStatement(parent)
  )
    return parent.expression === child;
  if (ts.isConditionalExpression(parent)) return parent.condition === child;
  if (ts.isForStatement(parent)) return parent.condition === child;
  return ts.isCaseClause(parent) && parent.expression === child;
}

function isComparison(parent: ts.Node, child: ts.Node): boolean {
  if (ts.isBinaryExpression(parent)) return EQUALS.has(parent.operatorToken.kind);
  if (ts.isElementAccessExpression(parent)) return parent.argumentExpression === child;
  return (
    ts.isCallExpression(parent) &&
    parent.expression !== child &&
    ts.isPropertyAccessExpression(parent.expression) &&
    LOOKS_UP.has(parent.expression.name.text)
  );
}

/** A key of an object, or a member of a list that is not returned itself. */
function isTable(parent: ts.Node, child: ts.Node): boolean {
  if (ts.isPropertyAssignment(parent)) return parent.name === child;
  return ts.isArrayLiteralExpression(parent) && !isReturned(child);
}

/** True if a function returns it as it is, or as a part of a list or object. */
export function isReturned(node: ts.Node): boolean {
  let child = node;
  for (let parent = node.parent; parent; child = parent, parent = parent.parent) {
    if (ts.isReturnStatement(parent)) return true;
    if (ts.isArrowFunction(parent)) return parent.body === child;
    const isPassedOn =
      (ts.isConditionalExpression(parent) && parent.condition !== child) ||
      ts.isArrayLiteralExpression(parent) ||
      ts.isObjectLiteralExpression(parent) ||
      (ts.isPropertyAssignment(parent) && parent.name !== child) ||
      ts.isParenthesizedExpression(parent) ||
      ts.isPrefixUnaryExpression(parent) ||
      ts.isAsExpression(parent) ||
      ts.isTemplateExpression(parent);
    if (!isPassedOn) return false;
  }
  return false;
}
