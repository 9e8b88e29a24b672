// Equivalences of null checks: `?.` and `??` in place of comparisons with null and undefined.

import { ts } from 'ts-morph';
import { getReadExpression, isLink } from '../../syntax/chains.ts';
import { parseNullTest } from '../../syntax/nullTests.ts';
import { hasOperator, isPropertyPath, findNullishWord, splitOperands } from '../../syntax/values.ts';
import { listTokenTexts } from '../syntax/tokens.ts';
import type { NodeEquivalence, EquivalenceProof, ExpressionUse } from './equivalence.ts';
import { skipParentheses } from '../../syntax/controlFlow.ts';

/**
 * Accepts `a ?? b` in place of `a != null ? a : b`, and of `a || b` if null and undefined are the only falsy values of
 * `a`.
 */
export const nullDefault: NodeEquivalence = (oldNode, changedNode, proof) => {
  if (!hasOperator(changedNode, ts.SyntaxKind.QuestionQuestionToken)) return false;
  if (hasOperator(oldNode, ts.SyntaxKind.BarBarToken))
    return (
      proof.isSame(oldNode.left, changedNode.left) &&
      proof.isSame(oldNode.right, changedNode.right) &&
      (proof.types?.isTruthyOrNullish(oldNode.left) ?? false)
    );
  if (!ts.isConditionalExpression(oldNode)) return false;
  const test = parseNullTest(oldNode.condition);
  if (!test || !coversBoth(test, proof)) return false;
  const [whenPresent, whenMissing] = test.passesIfPresent
    ? [oldNode.whenTrue, oldNode.whenFalse]
    : [oldNode.whenFalse, oldNode.whenTrue];
  return (
    skipParentheses(whenPresent).getText() === test.subject.getText() &&
    readsWithoutEffect(test.subject, proof) &&
    proof.isSame(whenPresent, changedNode.left) &&
    proof.isSame(whenMissing, changedNode.right)
  );
};

/** Accepts `a?.b` in place of `a != null ? a.b : undefined` and of `a && a.b`. */
export const nullGuard: NodeEquivalence = (oldNode, changedNode, proof, use) => {
  if (hasOperator(oldNode, ts.SyntaxKind.AmpersandAmpersandToken))
    return ts.isExpression(changedNode) && isSameChain(oldNode, changedNode, proof, use);
  if (!ts.isConditionalExpression(oldNode) || !ts.isExpression(changedNode)) return false;
  const test = parseNullTest(oldNode.condition);
  const [whenPresent, whenMissing] =
    !test || test.passesIfPresent ? [oldNode.whenTrue, oldNode.whenFalse] : [oldNode.whenFalse, oldNode.whenTrue];
  const subject = test ? test.subject : skipParentheses(oldNode.condition);
  if (findNullishWord(whenMissing) !== 'undefined' || !isPropertyPath(subject) || !readsWithoutEffect(subject, proof))
    return false;
  if (!(test ? coversBoth(test, proof) : (proof.types?.isTruthyOrNullish(subject) ?? false))) return false;
  const [oldTests, newTests] = [collectTests(whenPresent), collectTests(changedNode)];
  const [guard, ...otherTests] = newTests;
  return (
    guard?.path === joinChainTokens(subject) &&
    oldTests.length === otherTests.length &&
    oldTests.every((item, index) => item.path === otherTests[index]!.path && item.text === otherTests[index]!.text)
  );
};

/**
 * One operand of a chain of `&&`: a test that `path` is neither null nor undefined. If `path` is null, it is the
 * expression `text`, whose value is tested.
 */
interface ChainTest {
  readonly path: string | null;
  readonly text: string;
  readonly node: ts.Expression;
}

/** True if both chains of `&&` make the same tests in the same order; `a?.b` tests `a` before it reads `b`. */
function isSameChain(
  old: ts.BinaryExpression,
  changed: ts.Expression,
  proof: EquivalenceProof,
  use: ExpressionUse,
): boolean {
  const [oldTests, newTests] = [splitChain(old), splitChain(changed)];
  if (!newTests.some(({ path }) => path !== null)) return false;
  if (
    use === 'value' &&
    !(
      oldTests.length === 2 &&
      newTests.length === 2 &&
      proof.types?.isNeverNull(oldTests[0]!.node) &&
      !ts.isBinaryExpression(oldTests[1]!.node)
    )
  )
    return false;
  let index = 0;
  for (const newTest of newTests) {
    const test = oldTests[index];
    if (!test) return false;
    if (newTest.path === null) {
      if (test.path !== null || (test.text !== newTest.text && !proof.isSame(test.node, newTest.node, 'condition')))
        return false;
      index++;
      continue;
    }
    const testCount = countPresenceTests(oldTests, index, newTest.path, proof);
    if (testCount === 0 || (use === 'value' && parseNullTest(test.node))) return false;
    index += testCount;
  }
  return index === oldTests.length;
}

/**
 * The number of old tests that together test whether the path is neither null nor undefined: one, two for `!==
 * undefined && !== null`, or 0 if the old code does not test it here.
 */
function countPresenceTests(
  oldTests: readonly ChainTest[],
  index: number,
  path: string,
  proof: EquivalenceProof,
): number {
  const [current, next] = [oldTests[index]!, oldTests[index + 1]];
  if (current.path !== null) return current.path === path ? 1 : 0;
  const subject = skipParentheses(current.node);
  const test = parseNullTest(subject);
  if (!test)
    return isPropertyPath(subject) &&
      joinChainTokens(subject) === path &&
      readsWithoutEffect(subject, proof) &&
      proof.types?.isTruthyOrNullish(subject)
      ? 1
      : 0;
  if (!test.passesIfPresent || joinChainTokens(test.subject) !== path || !readsWithoutEffect(test.subject, proof))
    return 0;
  if (coversBoth(test, proof)) return 1;
  const second = next && parseNullTest(next.node);
  return second?.passesIfPresent &&
    joinChainTokens(second.subject) === path &&
    second.comparedValues !== test.comparedValues
    ? 2
    : 0;
}

/** Splits a chain of `&&` into its tests. */
function splitChain(node: ts.Expression): ChainTest[] {
  return splitOperands(node, ts.SyntaxKind.AmpersandAmpersandToken).flatMap((operand) => collectTests(operand));
}

/** Splits an operand into its tests: one for each path before a `?.`, and the last one for the value of the operand. */
function collectTests(operand: ts.Expression): ChainTest[] {
  const inner = skipParentheses(operand);
  const guards: ChainTest[] = [];
  for (let node: ts.Expression = getReadExpression(inner); isLink(node); node = node.expression)
    if (node.questionDotToken)
      guards.unshift({ path: joinChainTokens(node.expression), text: '', node: node.expression });
  return [...guards, { path: null, text: joinChainTokens(inner), node: inner }];
}

/** The tokens of the node, joined by spaces. Every `?.` is replaced by a plain access. */
function joinChainTokens(node: ts.Node): string {
  const tokens = listTokenTexts(node);
  return tokens
    .map((token, index) => (token !== '?.' ? token : /^[[(]$/.test(tokens[index + 1] ?? '') ? '' : '.'))
    .filter(Boolean)
    .join(' ');
}

/**
 * True if the test recognises both null and undefined, or if the types rule out the value that it does not recognise.
 */
function coversBoth(
  {
    subject,
    comparedValues,
  }: { readonly subject: ts.Expression; readonly comparedValues: 'null' | 'undefined' | 'both' },
  { types }: EquivalenceProof,
): boolean {
  if (comparedValues === 'both') return true;
  return (comparedValues === 'null' ? types?.isNeverUndefined(subject) : types?.isNeverNull(subject)) ?? false;
}

/**
 * True if the types show that no part of the path is a getter, so it makes no difference whether the path is read once
 * or twice.
 */
function readsWithoutEffect(path: ts.Expression, proof: EquivalenceProof): boolean {
  for (let part = path; ts.isPropertyAccessExpression(part); part = part.expression)
    if (!proof.types || proof.types.isAccessor(part)) return false;
  return true;
}
