// Equivalences of conditions: the new code may contain `a` in place of `!!a`, `a !== b` in place of `!(a === b)`, `c`
// in place of `c ? true : false`, and `x` in place of `x === true`, under the conditions that each function states.

import { ts } from 'ts-morph';
import {
  isAlwaysBoolean,
  isFalse,
  hasOperator,
  isNot,
  isTrue,
  splitOperands,
  OPPOSITE_EQUALITY,
} from '../../syntax/values.ts';
import type { NodeEquivalence, EquivalenceProof } from './equivalence.ts';
import { skipParentheses } from '../../syntax/controlFlow.ts';

/** The operators of comparisons with `true` and `false` that convert no types. */
const TRUE_TESTS = new Set([ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken]);

/** Accepts `(a && b) && c` in place of `a && (b && c)`, and the same with `||`. */
export const associativity: NodeEquivalence = (oldNode, changedNode, proof, use) => {
  if (!ts.isBinaryExpression(oldNode) || !ts.isBinaryExpression(changedNode)) return false;
  const { kind } = oldNode.operatorToken;
  if (
    (kind !== ts.SyntaxKind.AmpersandAmpersandToken && kind !== ts.SyntaxKind.BarBarToken) ||
    changedNode.operatorToken.kind !== kind
  )
    return false;
  const [oldOperands, changedOperands] = [splitOperands(oldNode, kind), splitOperands(changedNode, kind)];
  return (
    oldOperands.length === changedOperands.length &&
    oldOperands.length > 2 &&
    oldOperands.every((operand, index) => proof.isSame(operand, changedOperands[index]!, use))
  );
};

/** Accepts `a` in place of `!!a` if only its truthiness is used, or if `a` is known to be a boolean. */
export const doubleNegation: NodeEquivalence = (oldNode, changedNode, proof, use) => {
  if (!isNot(oldNode)) return false;
  const inner = skipParentheses(oldNode.operand);
  if (!isNot(inner)) return false;
  return proof.isSame(inner.operand, changedNode, use) && (use === 'condition' || isBoolean(inner.operand, proof));
};

/** Accepts `a !== b` in place of `!(a === b)`. */
export const negatedComparison: NodeEquivalence = (oldNode, changedNode, proof) =>
  isNot(oldNode) && ts.isBinaryExpression(changedNode) && areOpposites(oldNode.operand, changedNode, proof);

/** Accepts `c` in place of `c ? true : false`, and its negation in place of `c ? false : true`. */
export const booleanTernary: NodeEquivalence = (oldNode, changedNode, proof, use) => {
  if (!ts.isConditionalExpression(oldNode)) return false;
  if (isTrue(oldNode.whenTrue) && isFalse(oldNode.whenFalse))
    return isSameTruth(oldNode.condition, changedNode, proof, use === 'value');
  return isFalse(oldNode.whenTrue) && isTrue(oldNode.whenFalse) && negates(oldNode.condition, changedNode, proof);
};

/**
 * Accepts `x` in place of `x === true` and `x !== false`, and `!x` in place of `x === false` and `x !== true`, if `x`
 * is known to be boolean. `x` may also be null or undefined in `x !== true`, and in `x === true` if only its truthiness
 * is used.
 */
export const booleanComparison: NodeEquivalence = (oldNode, changedNode, proof, use) => {
  if (!ts.isBinaryExpression(oldNode) || !TRUE_TESTS.has(oldNode.operatorToken.kind)) return false;
  const [subject, word] =
    isTrue(oldNode.right) || isFalse(oldNode.right) ? [oldNode.left, oldNode.right] : [oldNode.right, oldNode.left];
  if (!isTrue(word) && !isFalse(word)) return false;
  const isPositive = isTrue(word) === (oldNode.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken);
  // The form is compared first, because asking for types takes long.
  if (!(isPositive ? proof.isSame(subject, changedNode, use) : negates(subject, changedNode, proof))) return false;
  // If the value may be null or undefined, only `=== true` and `!== true` test whether it is truthy.
  return (
    isBoolean(subject, proof) ||
    (isTrue(word) && (use === 'condition' || !isPositive) && (proof.types?.isBooleanOrNullish(subject) ?? false))
  );
};

/** True if `changed` is truthy exactly when `old` is. With `mustBeBoolean`, `changed` must also be a boolean. */
export function isSameTruth(
  old: ts.Expression,
  changed: ts.Node,
  proof: EquivalenceProof,
  mustBeBoolean: boolean,
): boolean {
  if (!mustBeBoolean) return proof.isSame(old, changed, 'condition');
  return proof.isSame(old, changed) && isBoolean(old, proof);
}

/** True if `changed` is true when `old` is falsy, and false when `old` is truthy. */
export function negates(old: ts.Expression, changed: ts.Node, proof: EquivalenceProof): boolean {
  const [from, to] = [skipParentheses(old), ts.isExpression(changed) ? skipParentheses(changed) : changed];
  if (isNot(to) && proof.isSame(from, to.operand, 'condition')) return true;
  if (isNot(from) && proof.isSame(from.operand, to) && isBoolean(from.operand, proof)) return true;
  if (areOpposites(from, to, proof)) return true;
  for (const [kind, opposite] of [
    [ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken],
    [ts.SyntaxKind.BarBarToken, ts.SyntaxKind.AmpersandAmpersandToken],
  ] as const) {
    if (!hasOperator(from, kind) || !hasOperator(to, opposite)) continue;
    const [parts, otherParts] = [splitOperands(from, kind), splitOperands(to, opposite)];
    return parts.length === otherParts.length && parts.every((part, index) => negates(part, otherParts[index]!, proof));
  }
  return false;
}

/** True if one of the expressions compares for equality, and the other compares the same operands for inequality. */
function areOpposites(old: ts.Expression, changed: ts.Node, proof: EquivalenceProof): boolean {
  const from = skipParentheses(old);
  if (
    !ts.isBinaryExpression(from) ||
    !ts.isBinaryExpression(changed) ||
    OPPOSITE_EQUALITY.get(from.operatorToken.kind) !== changed.operatorToken.kind
  )
    return false;
  return proof.isSame(from.left, changed.left) && proof.isSame(from.right, changed.right);
}

/** True if the expression is always a boolean, by its form or by its type. */
function isBoolean(node: ts.Expression, { types }: EquivalenceProof): boolean {
  return isAlwaysBoolean(node, (part) => types?.isBoolean(part) ?? false);
}
