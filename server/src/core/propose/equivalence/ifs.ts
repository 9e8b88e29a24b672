// Equivalences of `if` statements: one `if` in place of nested ones, an `if` without its empty branch, `else if` in
// place of an `if` in the `else` block, and a returned condition in place of `return true` and `return false`.

import { ts } from 'ts-morph';
import { isEmptyBlock, findLonelyIf } from '../../syntax/needlessParts.ts';
import { isFalse, isTrue, splitOperands } from '../../syntax/values.ts';
import { negates, isSameTruth } from './conditions.ts';
import type { ListEquivalence, NodeEquivalence, EquivalenceProof } from './equivalence.ts';
import { findReturnValue } from '../../syntax/controlFlow.ts';

/** Accepts `if (a && b) …` in place of `if (a) { if (b) … }`, at any depth. */
export const nestedIf: NodeEquivalence = (oldNode, changedNode, proof) => {
  if (
    !ts.isIfStatement(oldNode) ||
    !ts.isIfStatement(changedNode) ||
    oldNode.elseStatement ||
    changedNode.elseStatement
  )
    return false;
  const wantedOperands = splitOperands(changedNode.expression, ts.SyntaxKind.AmpersandAmpersandToken);
  const conditions = splitOperands(oldNode.expression, ts.SyntaxKind.AmpersandAmpersandToken);
  for (let inner = findOnlyIf(oldNode.thenStatement); inner; inner = findOnlyIf(inner.thenStatement)) {
    conditions.push(...splitOperands(inner.expression, ts.SyntaxKind.AmpersandAmpersandToken));
    if (conditions.length > wantedOperands.length) return false;
    const areSameConditions =
      conditions.length === wantedOperands.length &&
      conditions.every((condition, index) => proof.isSame(condition, wantedOperands[index]!, 'condition'));
    if (areSameConditions && proof.isSame(inner.thenStatement, changedNode.thenStatement)) return true;
  }
  return false;
};

/** Accepts `else if (b) …` in place of `else { if (b) … }`. */
export const ifInElse: NodeEquivalence = (oldNode, changedNode, proof) => {
  if (
    !ts.isBlock(oldNode) ||
    !ts.isIfStatement(oldNode.parent) ||
    !ts.isIfStatement(changedNode) ||
    !ts.isIfStatement(changedNode.parent)
  )
    return false;
  const inner = findLonelyIf(oldNode.parent);
  return (
    inner !== null &&
    oldNode.parent.elseStatement === oldNode &&
    changedNode.parent.elseStatement === changedNode &&
    proof.isSame(inner, changedNode)
  );
};

/** Accepts `if (!c) …` in place of `if (c) {} else …`, and `if (c) …` in place of `if (c) … else {}`. */
export const emptyBranch: NodeEquivalence = (oldNode, changedNode, proof) => {
  if (
    !ts.isIfStatement(oldNode) ||
    !ts.isIfStatement(changedNode) ||
    !oldNode.elseStatement ||
    changedNode.elseStatement
  )
    return false;
  if (isEmptyBlock(oldNode.elseStatement))
    return (
      proof.isSame(oldNode.expression, changedNode.expression, 'condition') &&
      proof.isSame(oldNode.thenStatement, changedNode.thenStatement)
    );
  return (
    isEmptyBlock(oldNode.thenStatement) &&
    negates(oldNode.expression, changedNode.expression, proof) &&
    proof.isSame(oldNode.elseStatement, changedNode.thenStatement)
  );
};

/**
 * Accepts `return c;` in place of `if (c) return true; return false;`, and the negation of `c` if the two values are
 * swapped. The second `return` may also be in an `else`.
 */
export const returnOfBooleans: ListEquivalence = (oldStatements, changedStatements, proof) => {
  const [ifStatement, second] = oldStatements;
  const [returnStatement] = changedStatements;
  if (
    !ifStatement ||
    !ts.isIfStatement(ifStatement) ||
    !returnStatement ||
    !ts.isReturnStatement(returnStatement) ||
    !returnStatement.expression
  )
    return null;
  const whenTrue = findReturnValue(ifStatement.thenStatement);
  const whenFalse = ifStatement.elseStatement
    ? findReturnValue(ifStatement.elseStatement)
    : second && findReturnValue(second);
  if (
    !whenTrue ||
    !whenFalse ||
    !returnsCondition(ifStatement.expression, whenTrue, whenFalse, returnStatement.expression, proof)
  )
    return null;
  return { oldCount: ifStatement.elseStatement ? 1 : 2, changedCount: 1 };
};

/**
 * True if the branches return `true` and `false` and `result` is the condition, or if they return `false` and `true`
 * and `result` is its negation.
 */
function returnsCondition(
  condition: ts.Expression,
  whenTrue: ts.Expression,
  whenFalse: ts.Expression,
  result: ts.Expression,
  proof: EquivalenceProof,
): boolean {
  if (isTrue(whenTrue) && isFalse(whenFalse)) return isSameTruth(condition, result, proof, true);
  return isFalse(whenTrue) && isTrue(whenFalse) && negates(condition, result, proof);
}

/** Finds the `if` without `else` that is the only statement of a branch; null if there is none. */
function findOnlyIf(branch: ts.Statement): ts.IfStatement | null {
  const statement = ts.isBlock(branch) ? (branch.statements.length === 1 ? branch.statements[0] : undefined) : branch;
  return statement && ts.isIfStatement(statement) && !statement.elseStatement ? statement : null;
}
