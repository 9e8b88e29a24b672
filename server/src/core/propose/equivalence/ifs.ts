// Equivalences of `if` statements: one in place of two nested ones, one without its empty branch, `else if` in place of
// a nested `if`, and a returned condition in place of `return true` and `return false`.

import { ts } from 'ts-morph';
import { isEmptyBlock, findLonelyIf } from '../../syntax/needlessParts.ts';
import { isFalse, isTrue, splitOperands } from '../../syntax/values.ts';
import { negates, isSameTruth } from './conditions.ts';
import type { ListEquivalence, NodeEquivalence, EquivalenceProof } from './equivalence.ts';

/** Accepts `if (a && b) …` in place of `if (a) { if (b) … }`, at any depth. */
export const nestedIf: NodeEquivalence = (old, changed, proof) => {
  if (!ts.isIfStatement(old) || !ts.isIfStatement(changed) || old.elseStatement || changed.elseStatement) return false;
  const wantedOperands = splitOperands(changed.expression, ts.SyntaxKind.AmpersandAmpersandToken);
  const conditions = splitOperands(old.expression, ts.SyntaxKind.AmpersandAmpersandToken);
  for (let inner = findOnlyIf(old.thenStatement); inner; inner = findOnlyIf(inner.thenStatement)) {
    conditions.push(...splitOperands(inner.expression, ts.SyntaxKind.AmpersandAmpersandToken));
    if (conditions.length > wantedOperands.length) return false;
    const areSameConditions =
      conditions.length === wantedOperands.length &&
      conditions.every((condition, index) => proof.same(condition, wantedOperands[index]!, 'condition'));
    if (areSameConditions && proof.same(inner.thenStatement, changed.thenStatement)) return true;
  }
  return false;
};

/** Accepts `else if (b) …` in place of `else { if (b) … }`. */
export const ifInElse: NodeEquivalence = (old, changed, proof) => {
  if (
    !ts.isBlock(old) ||
    !ts.isIfStatement(old.parent) ||
    !ts.isIfStatement(changed) ||
    !ts.isIfStatement(changed.parent)
  )
    return false;
  const inner = findLonelyIf(old.parent);
  return (
    inner !== null &&
    old.parent.elseStatement === old &&
    changed.parent.elseStatement === changed &&
    proof.same(inner, changed)
  );
};

/** Accepts `if (!c) …` in place of `if (c) {} else …`, and `if (c) …` in place of `if (c) … else {}`. */
export const emptyBranch: NodeEquivalence = (old, changed, proof) => {
  if (!ts.isIfStatement(old) || !ts.isIfStatement(changed) || !old.elseStatement || changed.elseStatement) return false;
  if (isEmptyBlock(old.elseStatement))
    return (
      proof.same(old.expression, changed.expression, 'condition') &&
      proof.same(old.thenStatement, changed.thenStatement)
    );
  return (
    isEmptyBlock(old.thenStatement) &&
    negates(old.expression, changed.expression, proof) &&
    proof.same(old.elseStatement, changed.thenStatement)
  );
};

/** Accepts `return c;` in place of `if (c) return true; return false;`, also with an `else`. */
export const returnOfBooleans: ListEquivalence = (old, changed, proof) => {
  const [first, second] = old;
  const [result] = changed;
  if (!first || !ts.isIfStatement(first) || !result || !ts.isReturnStatement(result) || !result.expression) return null;
  const whenTrue = findReturnValue(first.thenStatement);
  const whenFalse = first.elseStatement ? findReturnValue(first.elseStatement) : second && findReturnValue(second);
  if (!whenTrue || !whenFalse || !returnsCondition(first.expression, whenTrue, whenFalse, result.expression, proof))
    return null;
  return { oldCount: first.elseStatement ? 1 : 2, changedCount: 1 };
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

/** Finds the value that a branch returns if a `return` is its only statement; otherwise null. */
function findReturnValue(branch: ts.Statement): ts.Expression | null {
  const statement = ts.isBlock(branch) ? (branch.statements.length === 1 ? branch.statements[0] : undefined) : branch;
  return statement && ts.isReturnStatement(statement) ? (statement.expression ?? null) : null;
}
