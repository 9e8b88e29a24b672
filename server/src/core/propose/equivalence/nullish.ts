// Equivalences of null checks: `?.` and `??` in place of comparisons with null and undefined.

import { ts } from 'ts-morph';
import { findReadExpression, isLink } from '../../syntax/chains.ts';
import { parseNullTest } from '../../syntax/nullTests.ts';
import { hasOperator, isPropertyPath, nullishWord, splitOperands } from '../../syntax/values.ts';
import { listTokenTexts } from '../syntax/tokens.ts';
import type { NodeEquivalence, EquivalenceProof, Use } from './equivalence.ts';
import { skipParentheses } from '../../syntax/controlFlow.ts';

/**
 * Accepts `a ?? b` in place of `a != null ? a : b`, and of `a || b` if null and undefined are the only falsy values of
 * `a`.
 */
export const nullDefault: NodeEquivalence = (old, changed, proof) => {
  if (!hasOperator(changed, ts.SyntaxKind.QuestionQuestionToken)) return false;
  if (hasOperator(old, ts.SyntaxKind.BarBarToken))
    return (
      proof.same(old.left, changed.left) &&
      proof.same(old.right, changed.right) &&
      (proof.types?.isTruthyOrNullish(old.left) ?? false)
    );
  if (!ts.isConditionalExpression(old)) return false;
  const test = parseNullTest(old.condition);
  if (!test || !coversBoth(test, proof)) return false;
  const [whenThere, whenMissing] = test.present ? [old.whenTrue, old.whenFalse] : [old.whenFalse, old.whenTrue];
  return (
    skipParentheses(whenThere).getText() === test.subject.getText() &&
    readsWithoutEffect(test.subject, proof) &&
    proof.same(whenThere, changed.left) &&
    proof.same(whenMissing, changed.right)
  );
};

/** Accepts `a?.b` in place of `a != null ? a.b : undefined` and of `a && a.b`. */
export const nullGuard: NodeEquivalence = (old, changed, proof, use) => {
  if (hasOperator(old, ts.SyntaxKind.AmpersandAmpersandToken))
    return ts.isExpression(changed) && isSameChain(old, changed, proof, use);
  if (!ts.isConditionalExpression(old) || !ts.isExpression(changed)) return false;
  const test = parseNullTest(old.condition);
  const [whenThere, whenMissing] =
    !test || test.present ? [old.whenTrue, old.whenFalse] : [old.whenFalse, old.whenTrue];
  const subject = test ? test.subject : skipParentheses(old.condition);
  if (nullishWord(whenMissing) !== 'undefined' || !isPropertyPath(subject) || !readsWithoutEffect(subject, proof))
    return false;
  if (!(test ? coversBoth(test, proof) : (proof.types?.isTruthyOrNullish(subject) ?? false))) return false;
  const [from, to] = [collectTests(whenThere), collectTests(changed)];
  const [guard, ...otherStatements] = to;
  return (
    guard?.path === chainTokens(subject) &&
    from.length === otherStatements.length &&
    from.every(
      (item, index) => item.path === otherStatements[index]!.path && item.text === otherStatements[index]!.text,
    )
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
function isSameChain(old: ts.BinaryExpression, changed: ts.Expression, proof: EquivalenceProof, use: Use): boolean {
  const [from, to] = [splitChain(old), splitChain(changed)];
  if (!to.some(({ path }) => path !== null)) return false;
  if (
    use === 'value' &&
    !(
      from.length === 2 &&
      to.length === 2 &&
      proof.types?.isNeverNull(from[0]!.node) &&
      !ts.isBinaryExpression(from[1]!.node)
    )
  )
    return false;
  let index = 0;
  for (const item of to) {
    const test = from[index];
    if (!test) return false;
    if (item.path === null) {
      if (test.path !== null || (test.text !== item.text && !proof.same(test.node, item.node, 'condition')))
        return false;
      index++;
      continue;
    }
    const steps = countPresenceTests(from, index, item.path, proof);
    if (steps === 0 || (use === 'value' && parseNullTest(test.node))) return false;
    index += steps;
  }
  return index === from.length;
}

/**
 * The number of old tests that together test whether the path is neither null nor undefined: one, two for `!==
 * undefined && !== null`, or 0 if the old code does not test it here.
 */
function countPresenceTests(from: readonly ChainTest[], index: number, path: string, proof: EquivalenceProof): number {
  const [current, next] = [from[index]!, from[index + 1]];
  if (current.path !== null) return current.path === path ? 1 : 0;
  const subject = skipParentheses(current.node);
  const test = parseNullTest(subject);
  if (!test)
    return isPropertyPath(subject) &&
      chainTokens(subject) === path &&
      readsWithoutEffect(subject, proof) &&
      proof.types?.isTruthyOrNullish(subject)
      ? 1
      : 0;
  if (!test.present || chainTokens(test.subject) !== path || !readsWithoutEffect(test.subject, proof)) return 0;
  if (coversBoth(test, proof)) return 1;
  const second = next && parseNullTest(next.node);
  return second?.present && chainTokens(second.subject) === path && second.recognises !== test.recognises ? 2 : 0;
}

/** Splits a chain of `&&` into its tests. */
function splitChain(node: ts.Expression): ChainTest[] {
  return splitOperands(node, ts.SyntaxKind.AmpersandAmpersandToken).flatMap((operand) => collectTests(operand));
}

/** Splits an operand into its tests: one for each path before a `?.`, and the last one for the value of the operand. */
function collectTests(operand: ts.Expression): ChainTest[] {
  const inner = skipParentheses(operand);
  const guards: ChainTest[] = [];
  for (let node: ts.Expression = findReadExpression(inner); isLink(node); node = node.expression)
    if (node.questionDotToken) guards.unshift({ path: chainTokens(node.expression), text: '', node: node.expression });
  return [...guards, { path: null, text: chainTokens(inner), node: inner }];
}

/** The tokens of the node, joined by spaces. Every `?.` is replaced by a plain access. */
function chainTokens(node: ts.Node): string {
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
  { subject, recognises }: { readonly subject: ts.Expression; readonly recognises: 'null' | 'undefined' | 'both' },
  { types }: EquivalenceProof,
): boolean {
  if (recognises === 'both') return true;
  return (recognises === 'null' ? types?.isNeverUndefined(subject) : types?.isNeverNull(subject)) ?? false;
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
