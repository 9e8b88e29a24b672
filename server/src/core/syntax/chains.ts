// Reads chains of tests in which each test reads one more property: `a && a.b && a.b.c`.

import { ts } from 'ts-morph';
import { parseNullTest } from './nullTests.ts';
import { hasOperator, isPropertyPath, splitOperands } from './values.ts';
import { skipParentheses } from './controlFlow.ts';

/** One link of a chain: an access to a property or an element, or a call. */
export type ChainLink = ts.PropertyAccessExpression | ts.ElementAccessExpression | ts.CallExpression;

/**
 * A step of a chain: an operand that tests whether a path is present, and the next operand, which continues that path.
 */
export interface ChainStep {
  /** Index of the test among the operands. */
  readonly operandIndex: number;
  /** The tested path. */
  readonly path: ts.Expression;
  /** The link in the next operand whose left side is that path. */
  readonly link: ChainLink;
}

/** True for an access to a property or an element, and for a call. */
export function isLink(node: ts.Node): node is ChainLink {
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) || ts.isCallExpression(node);
}

/**
 * The operands of the logical expression with `node` at its top, and the steps between them that `?.` could replace.
 */
export function collectChainSteps(node: ts.Expression): {
  readonly operands: readonly ts.Expression[];
  readonly steps: readonly ChainStep[];
} {
  const operands = hasOperator(node, ts.SyntaxKind.AmpersandAmpersandToken)
    ? splitOperands(node, ts.SyntaxKind.AmpersandAmpersandToken)
    : [];
  const steps = operands.flatMap((operand, index) => {
    const nextOperand = operands[index + 1];
    const path = findTestedPath(operand);
    const link = nextOperand && path && findLink(getReadExpression(nextOperand), path);
    return link ? [{ operandIndex: index, path, link }] : [];
  });
  return { operands, steps };
}

/**
 * The path that an operand such as `a`, `a != null` or `a !== undefined && a !== null` tests; null if it tests
 * something else.
 */
function findTestedPath(operand: ts.Expression): ts.Expression | null {
  const inner = skipParentheses(operand);
  if (isPropertyPath(inner) && inner.kind !== ts.SyntaxKind.ThisKeyword) return inner;
  const test = parseNullTest(inner);
  return test?.passesIfPresent ? test.subject : null;
}

/** The expression that an operand reads: the operand itself, or the left side of `… === 'literal'`. */
export function getReadExpression(operand: ts.Expression): ts.Expression {
  const inner = skipParentheses(operand);
  return ts.isBinaryExpression(inner) &&
    inner.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken &&
    isPresentLiteral(inner.right)
    ? inner.left
    : inner;
}

/** True for a literal other than null and undefined, so that a missing value never equals it. */
function isPresentLiteral(node: ts.Expression): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isNumericLiteral(node) ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword
  );
}

/**
 * Follows the left sides of a chain to the link that continues `path`; null if there is none, or if it is optional
 * (`?.`) already.
 */
export function findLink(chain: ts.Expression, path: ts.Expression): ChainLink | null {
  const pathText = path.getText();
  for (let node: ts.Expression = chain; isLink(node) || ts.isNonNullExpression(node); node = node.expression) {
    if (!isLink(node)) continue;
    const receiver = ts.isNonNullExpression(node.expression) ? node.expression.expression : node.expression;
    if (receiver.getText() === pathText) return node.questionDotToken ? null : node;
  }
  return null;
}
