// optional-chain: finds chains of tests that one `?.` can express.

import { ts } from 'ts-morph';
import { collectChainSteps, findLink } from '../../syntax/chains.ts';
import { parseNullTest } from '../../syntax/nullTests.ts';
import { isCondition, hasOperator, findNullishWord } from '../../syntax/values.ts';
import { resolveLocal } from '../../analysis/script/bindings.ts';
import type { Finding } from '../finding.ts';
import { hasCommentWithin } from '../../analysis/shared/reasons.ts';
import type { NodeFinder } from '../finders.ts';
import { skipParentheses } from '../../syntax/controlFlow.ts';

export const finder: NodeFinder = {
  nodes: [ts.SyntaxKind.BinaryExpression, ts.SyntaxKind.ConditionalExpression],
  find: findOptionalChain,
};

/**
 * Reports tests that `?.` can join. A chain of `&&` is only reported as a condition, because if its value is used, only
 * its type shows whether `?.` gives the same value. `node` is a binary or a conditional expression.
 */
function findOptionalChain(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  if (ts.isConditionalExpression(node)) return findInConditional(node, sourceFile);
  if (!hasOperator(node, ts.SyntaxKind.AmpersandAmpersandToken) || isNestedAnd(node) || !isCondition(node)) return null;
  const { steps } = collectChainSteps(node);
  if (
    steps.length === 0 ||
    steps.every(({ path }) => isPlainLocal(path)) ||
    hasCommentWithin(sourceFile.text, node.getStart(sourceFile), node.end)
  )
    return null;
  return createFinding(node, steps.length, steps[0]!.path, sourceFile);
}

/** Finds `a !== undefined ? a.b : undefined`, with any test of `a` for null or undefined. */
function findInConditional(node: ts.ConditionalExpression, sourceFile: ts.SourceFile): Finding | null {
  const test = parseNullTest(node.condition);
  if (!test) return null;
  const [ifPresent, ifMissing] = test.passesIfPresent
    ? [node.whenTrue, node.whenFalse]
    : [node.whenFalse, node.whenTrue];
  if (
    findNullishWord(ifMissing) !== 'undefined' ||
    !findLink(skipParentheses(ifPresent), test.subject) ||
    hasCommentWithin(sourceFile.text, node.getStart(sourceFile), node.end)
  )
    return null;
  return createFinding(node, 1, test.subject, sourceFile);
}

/** True for an operand of another `&&`, because only the outermost `&&` is checked. */
function isNestedAnd(node: ts.BinaryExpression): boolean {
  let outer: ts.Node = node.parent;
  while (ts.isParenthesizedExpression(outer)) outer = outer.parent;
  return hasOperator(outer, ts.SyntaxKind.AmpersandAmpersandToken);
}

/**
 * True for a name whose declared type is or includes string, number, boolean or any. `&&` also stops at `''`, `0` and
 * `false`, and only a person knows whether that is intended.
 */
function isPlainLocal(path: ts.Expression): boolean {
  const [declaration] = ts.isIdentifier(path) ? (resolveLocal(path)?.symbol.declarations ?? []) : [];
  const type =
    declaration && (ts.isParameter(declaration) || ts.isVariableDeclaration(declaration))
      ? declaration.type
      : undefined;
  const parts = type && ts.isUnionTypeNode(type) ? type.types : type ? [type] : [];
  return parts.some(
    ({ kind }) =>
      kind === ts.SyntaxKind.StringKeyword ||
      kind === ts.SyntaxKind.NumberKeyword ||
      kind === ts.SyntaxKind.BooleanKeyword ||
      kind === ts.SyntaxKind.AnyKeyword,
  );
}

/** A finding about `steps` tests that `?.` can replace. */
function createFinding(node: ts.Expression, steps: number, path: ts.Expression, sourceFile: ts.SourceFile): Finding {
  const start = node.getStart(sourceFile);
  return {
    rule: 'optional-chain',
    start,
    end: node.end,
    nameStart: start,
    nameEnd: node.end,
    impact: Math.min(20, 8 + 4 * steps),
    confidence: 0.65,
    message: `\`${path.getText(sourceFile)}?.\` tests it and continues in one step.`,
    evidence: { steps },
    recipe: 'optional-chain',
  };
}
