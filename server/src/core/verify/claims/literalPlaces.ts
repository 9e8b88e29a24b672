// Decides from the syntax around a literal what the code does with it: decides by it, stores it, or returns it.

import { ts } from 'ts-morph';
import { collectNodesBelow } from '../../syntax/nodesBelow.ts';

/** Values that occur in all kinds of code and tests, so that finding them in both means nothing. */
const COMMON_VALUES = new Set(['0', '1', '-1', '2', '']);

const EQUALITY_OPERATORS = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);
/** Operators whose result is one of their operands. */
const CHOOSING_OPERATORS = new Set([
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.CommaToken,
]);
const ASSIGNMENT_OPERATORS = new Set([
  ts.SyntaxKind.EqualsToken,
  ts.SyntaxKind.BarBarEqualsToken,
  ts.SyntaxKind.AmpersandAmpersandEqualsToken,
  ts.SyntaxKind.QuestionQuestionEqualsToken,
  ts.SyntaxKind.PlusEqualsToken,
]);
/** Methods that compare something with their argument, or search for it. */
const LOOKUP_METHODS = new Set([
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
 * The value of a number or string literal as a string, regardless of its notation; for a regular expression, its source
 * without anchors and escapes. Null for other nodes, and for common values such as 0 and 1.
 */
export function readLiteral(node: ts.Node): string | null {
  const value = readPlainValue(node);
  return value === null || COMMON_VALUES.has(value) ? null : value;
}

/** Like `readLiteral`, but also returns common values. */
export function readPlainValue(node: ts.Node): string | null {
  if (ts.isNumericLiteral(node)) {
    const isNegative = ts.isPrefixUnaryExpression(node.parent) && node.parent.operator === ts.SyntaxKind.MinusToken;
    return `${isNegative ? '-' : ''}${Number(node.text)}`;
  }
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isRegularExpressionLiteral(node))
    return node.text.replace(/^\/\^?|\$?\/[a-z]*$/g, '').replace(/\\([^A-Za-z0-9])/g, '$1');
  return null;
}

/** True if code decides by the literal: it is in a condition, a comparison, a `case`, a lookup or a table of values. */
export function isDeciding(node: ts.Node): boolean {
  let child = node;
  for (let parent = node.parent; parent; child = parent, parent = parent.parent) {
    if (isCondition(parent, child) || isComparison(parent, child)) return true;
    if (isInTable(parent, child)) return true;
    if (ts.isStatement(parent) || ts.isFunctionLike(parent)) return false;
  }
  return false;
}

/** True if the child is the condition of a statement or expression, or the value of a `case`. */
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

/** True if the parent compares the child, or searches for it. */
function isComparison(parent: ts.Node, child: ts.Node): boolean {
  if (ts.isBinaryExpression(parent)) return EQUALITY_OPERATORS.has(parent.operatorToken.kind);
  if (ts.isElementAccessExpression(parent)) return parent.argumentExpression === child;
  return (
    ts.isCallExpression(parent) &&
    parent.expression !== child &&
    ts.isPropertyAccessExpression(parent.expression) &&
    LOOKUP_METHODS.has(parent.expression.name.text)
  );
}

/** True for a key of an object literal, and for an element of an array literal that is not returned. */
function isInTable(parent: ts.Node, child: ts.Node): boolean {
  if (ts.isPropertyAssignment(parent)) return parent.name === child;
  return ts.isArrayLiteralExpression(parent) && !isReturned(child);
}

/**
 * True if a condition compares the literal for equality, and its first branch returns or stores one of the values in
 * `answers`. The code then spells out both the input and its answer.
 */
export function isImmediateResult(node: ts.Node, answers: ReadonlySet<string>): boolean {
  const literal = ts.isPrefixUnaryExpression(node.parent) ? node.parent : node;
  const { parent: comparison } = literal;
  if (!ts.isBinaryExpression(comparison) || !EQUALITY_OPERATORS.has(comparison.operatorToken.kind)) return false;
  if (/\.(?:length|size)\b/.test(comparison.getText())) return false;
  const branch = ts.findAncestor(comparison, (outer) => ts.isIfStatement(outer) || ts.isConditionalExpression(outer));
  if (!branch) return false;
  const answer = ts.isIfStatement(branch) ? branch.thenStatement : (branch as ts.ConditionalExpression).whenTrue;
  return [answer, ...collectNodesBelow(answer)].some((inner) => {
    const value = readPlainValue(inner);
    return value !== null && answers.has(value) && (isReturned(inner) || isStored(inner));
  });
}

/** True if a variable or member is set to the literal, or to an array or object literal that contains it. */
export function isStored(node: ts.Node): boolean {
  const { child, parent } = findOutermostPassing(node);
  if (ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent)) return parent.initializer === child;
  return ts.isBinaryExpression(parent) && ASSIGNMENT_OPERATORS.has(parent.operatorToken.kind) && parent.right === child;
}

/** True if a function returns the literal, or an array, object or template that contains it. */
export function isReturned(node: ts.Node): boolean {
  const { child, parent } = findOutermostPassing(node);
  return ts.isReturnStatement(parent) || (ts.isArrowFunction(parent) && parent.body === child);
}

/**
 * The outermost expression that has the value of the node or contains it as a part, and the parent of that expression.
 */
function findOutermostPassing(node: ts.Node): { readonly child: ts.Node; readonly parent: ts.Node } {
  let child = node;
  let { parent } = node;
  while (isPassedOn(parent, child)) {
    child = parent;
    parent = parent.parent;
  }
  return { child, parent };
}

/** True if the parent has the value of the child, or contains it as a part. */
function isPassedOn(parent: ts.Node, child: ts.Node): boolean {
  if (ts.isConditionalExpression(parent)) return parent.condition !== child;
  if (ts.isPropertyAssignment(parent)) return parent.name !== child;
  if (ts.isBinaryExpression(parent)) return CHOOSING_OPERATORS.has(parent.operatorToken.kind);
  return (
    ts.isArrayLiteralExpression(parent) ||
    ts.isObjectLiteralExpression(parent) ||
    ts.isParenthesizedExpression(parent) ||
    ts.isPrefixUnaryExpression(parent) ||
    ts.isAsExpression(parent) ||
    ts.isSatisfiesExpression(parent) ||
    ts.isTemplateSpan(parent) ||
    ts.isTemplateExpression(parent)
  );
}
