// Reads strings that are joined by `+`.

import { ts } from 'ts-morph';
import { hasOperator } from './values.ts';
import { skipParentheses } from './controlFlow.ts';

/**
 * The parts that are concatenated, and how many of them are literal texts and other values. Everything before the first
 * string is arithmetic, and counts as one part.
 */
export interface Concatenation {
  readonly parts: readonly ts.Expression[];
  readonly textCount: number;
  readonly valueCount: number;
}

/**
 * The parts of a concatenation; null unless a string literal makes it a string. `isString` may recognise other parts
 * that are strings.
 */
export function parseConcatenation(
  node: ts.Node,
  isString: (part: ts.Expression) => boolean = () => false,
): Concatenation | null {
  if (!hasOperator(node, ts.SyntaxKind.PlusToken)) return null;
  const parts = collectParts(node, isString);
  const texts = parts.filter(isStringNode).length;
  return parts.length > 1 && texts > 0 ? { parts, textCount: texts, valueCount: parts.length - texts } : null;
}

/** True for a string literal or a template. */
export function isStringNode(node: ts.Expression): boolean {
  const inner = skipParentheses(node);
  return ts.isStringLiteralLike(inner) || ts.isTemplateExpression(inner);
}

/** True if `node` is the left side of a `+`, so that the whole chain should be examined instead. */
export function isInConcatenation(node: ts.Expression): boolean {
  return hasOperator(node.parent, ts.SyntaxKind.PlusToken) && node.parent.left === node;
}

function collectParts(node: ts.Expression, isString: (part: ts.Expression) => boolean): ts.Expression[] {
  if (!hasOperator(node, ts.SyntaxKind.PlusToken)) return [node];
  const leftParts = collectParts(node.left, isString);
  // As soon as one side is a string, `+` converts the other one to a string. Before that, it adds numbers.
  const isTextJoined =
    leftParts.some(isStringNode) || isStringNode(node.right) || isString(node.left) || isString(node.right);
  if (!isTextJoined) return [node];
  return leftParts.length > 1 && !leftParts.some(isStringNode) && !isString(node.left)
    ? [node.left, node.right]
    : [...leftParts, node.right];
}
