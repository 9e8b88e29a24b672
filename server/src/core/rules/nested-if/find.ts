// nested-if: finds functions and loops whose work is inside one last `if`. An early exit would save a level.

import { ts } from 'ts-morph';
import { isNestedPart, skipParentheses } from '../../syntax/controlFlow.ts';
import { findFunctionKind, isInertStatement } from '../../analysis/metrics/scriptNodes.ts';
import { isBuildCondition } from '../../analysis/shared/builds.ts';
import { endsWithExit } from '../../analysis/shared/exits.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';
import { FUNCTION_BODY_KINDS, LOOP_KINDS } from '../../analysis/shared/nodeKinds.ts';

export const finder: NodeFinder = { nodes: [...FUNCTION_BODY_KINDS, ...LOOP_KINDS], find: findNestedIf };

/** Minimum size of the content of a reported `if`. Smaller or less nested content is as easy to read inside it. */
const MIN_SIZE = { statements: 15, depth: 2 } as const;

/**
 * Reports the last `if` of a function or loop, if inverting it is worthwhile. `node` is a function with a body, or a
 * loop.
 */
function findNestedIf(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const lastIf = findGuardableIf(node);
  if (!lastIf) return null;
  const { statements, depth } = measureSize(lastIf.thenStatement);
  const isLoop = ts.isIterationStatement(node, false);
  return {
    rule: 'nested-if',
    start: lastIf.getStart(sourceFile),
    end: lastIf.end,
    nameStart: lastIf.getStart(sourceFile),
    nameEnd: lastIf.getStart(sourceFile) + 'if'.length,
    impact: Math.min(45, 10 + 2 * statements + 5 * depth),
    confidence: 0.7,
    message: `the rest of the ${isLoop ? 'loop' : 'function'} is inside one \`if\`: an early \`${isLoop ? 'continue' : 'return'}\` would save a level for ${statements} statements.`,
    evidence: { statements, nesting: depth + 1, exit: isLoop ? 'continue' : 'return' },
    recipe: 'guard-clauses',
    identity: lastIf.expression.getText(sourceFile),
  };
}

/**
 * The last `if` (without `else`) in the body of a function or loop, if it contains enough to make inverting it
 * worthwhile. Null otherwise, and also if much work comes before it, if it tests a kind or the build, or if it is one
 * of several cases.
 */
function findGuardableIf(node: ts.Node): ts.IfStatement | null {
  const body = findFunctionKind(node)
    ? (node as ts.FunctionLikeDeclaration).body
    : ts.isIterationStatement(node, false)
      ? node.statement
      : undefined;
  if (!body || !ts.isBlock(body)) return null;
  const lastIf = body.statements.at(-1);
  if (!lastIf || !ts.isIfStatement(lastIf) || lastIf.elseStatement || !ts.isBlock(lastIf.thenStatement)) return null;
  const { statements, depth } = measureSize(lastIf.thenStatement);
  // If much work comes before it, the `if` is only the last part of the function.
  const statementsBefore = measureSize(body).statements - 1 - statements;
  return statements >= MIN_SIZE.statements &&
    depth >= MIN_SIZE.depth &&
    2 * statementsBefore <= statements &&
    !selectsCase(lastIf.expression) &&
    !isBuildCondition(lastIf.expression) &&
    !isOneOfSeveral(lastIf, body.statements.at(-2))
    ? lastIf
    : null;
}

/**
 * True for a condition that selects one of several cases, which is not a guard: a comparison by `===` or `==` with a
 * string, a `typeof` or a property named `type`, `kind` or `nodeType`, and `['th', 'td'].includes(node.type)`. In `a &&
 * b` the first condition decides; in `a || b` both must be such cases.
 */
function selectsCase(condition: ts.Expression): boolean {
  const comparison = skipParentheses(condition);
  if (ts.isCallExpression(comparison))
    return (
      ts.isPropertyAccessExpression(comparison.expression) &&
      comparison.expression.name.text === 'includes' &&
      [comparison.expression.expression, ...comparison.arguments].some(ts.isArrayLiteralExpression)
    );
  if (!ts.isBinaryExpression(comparison)) return false;
  const { kind } = comparison.operatorToken;
  if (kind === ts.SyntaxKind.BarBarToken) return selectsCase(comparison.left) && selectsCase(comparison.right);
  if (kind === ts.SyntaxKind.AmpersandAmpersandToken) return selectsCase(comparison.left);
  return (
    (kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.EqualsEqualsToken) &&
    [comparison.left, comparison.right].some(
      (side) =>
        ts.isStringLiteral(side) ||
        ts.isTypeOfExpression(side) ||
        (ts.isPropertyAccessExpression(side) && /^(type|kind|nodeType)$/.test(side.name.text)),
    )
  );
}

/**
 * True if the `if` before it shows that this one is one of several cases: after `if (event.documents) { … }`, `if
 * (event.collections) { … }` is the next one. Inverted, it would look different from the others.
 */
function isOneOfSeveral(lastIf: ts.IfStatement, previousStatement: ts.Statement | undefined): boolean {
  if (!previousStatement || !ts.isIfStatement(previousStatement)) return false;
  if (endsWithExit(previousStatement.thenStatement))
    return comparesSameValue(previousStatement.expression, lastIf.expression);
  const owner = findObject(lastIf.expression);
  return owner !== null && owner === findObject(previousStatement.expression);
}

/**
 * True if both conditions are about the same value: after `if (id === FIRST) return …`, `if (id.startsWith(PREFIX)) { …
 * }` is another case of `id`.
 */
function comparesSameValue(first: ts.Expression, second: ts.Expression): boolean {
  const comparedValue = findComparedValue(skipParentheses(first));
  return comparedValue !== null && comparedValue === findComparedValue(skipParentheses(second));
}

/** The compared value as text: `id` for `id === FIRST` and `id.startsWith(PREFIX)`; null for other conditions. */
function findComparedValue(comparison: ts.Expression): string | null {
  if (ts.isCallExpression(comparison))
    return ts.isPropertyAccessExpression(comparison.expression) &&
      /^(startsWith|endsWith|includes|match)$/.test(comparison.expression.name.text)
      ? comparison.expression.expression.getText()
      : null;
  return ts.isBinaryExpression(comparison) &&
    (comparison.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken ||
      comparison.operatorToken.kind === ts.SyntaxKind.EqualsEqualsToken)
    ? comparison.left.getText()
    : null;
}

/**
 * The object whose property is tested, as text: `event` for `event.collections` and `!event.done`; null for other
 * conditions.
 */
function findObject(condition: ts.Expression): string | null {
  let comparison = skipParentheses(condition);
  if (ts.isPrefixUnaryExpression(comparison)) comparison = skipParentheses(comparison.operand);
  return ts.isPropertyAccessExpression(comparison) || ts.isElementAccessExpression(comparison)
    ? comparison.expression.getText()
    : null;
}

/**
 * The number of statements in a block, without those of inner functions and those that do nothing (`isInertStatement`),
 * and the greatest depth of its control structures.
 */
function measureSize(block: ts.Statement): { statements: number; depth: number } {
  let statements = 0;
  let maxDepth = 0;
  const pending: { node: ts.Node; depth: number }[] = [];
  const pushChildren = (parent: ts.Node, depth: number): void => {
    ts.forEachChild(parent, (child) => {
      pending.push({ node: child, depth });
    });
  };
  pushChildren(block, 0);
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    const { node } = entry;
    if (ts.isFunctionLike(node)) continue;
    const depth = entry.depth + (isNestedPart(node) && ts.isStatement(node) ? 1 : 0);
    if (depth > maxDepth) maxDepth = depth;
    if (
      node.kind >= ts.SyntaxKind.FirstStatement &&
      node.kind <= ts.SyntaxKind.LastStatement &&
      !isInertStatement(node)
    )
      statements++;
    pushChildren(node, depth);
  }
  return { statements, depth: maxDepth };
}
