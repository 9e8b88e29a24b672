// await-in-loop: finds loops that only collect results, and await each result before they request the next one.

import { ts } from 'ts-morph';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import { findFunctionKind } from '../../analysis/metrics/scriptNodes.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.ForOfStatement], find: findAwaitInLoop };

/**
 * Reports a loop whose iterations are clearly independent: a `for … of` whose body declares constants and pushes one
 * result, with an awaited call. A body that leaves the loop, writes elsewhere or catches errors is not reported,
 * because its order is probably intended.
 */
function findAwaitInLoop(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const loop = node as ts.ForOfStatement;
  if (loop.awaitModifier || !ts.isBlock(loop.statement)) return null;
  const statements = loop.statement.statements;
  const lastStatement = statements.at(-1);
  if (!lastStatement || !isPushOfOneValue(lastStatement) || !statements.slice(0, -1).every(declaresConstants))
    return null;
  const awaits = collectAwaits(loop.statement);
  const [firstAwait] = awaits;
  if (!firstAwait || !awaits.every(({ expression }) => ts.isCallExpression(skipParentheses(expression)))) return null;
  const start = firstAwait.getStart(sourceFile);
  return {
    rule: 'await-in-loop',
    start: loop.getStart(sourceFile),
    end: loop.end,
    nameStart: start,
    nameEnd: start + 'await'.length,
    impact: 20,
    confidence: 0.45,
    message:
      'each turn waits for the one before, although none needs it: `Promise.all` over the items would wait only once.',
    evidence: { awaits: awaits.length },
    recipe: 'parallel-awaits',
  };
}

/** True for a declaration of constants. */
function declaresConstants(statement: ts.Statement): boolean {
  return ts.isVariableStatement(statement) && (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
}

/** True for a statement such as `results.push(value);`. */
function isPushOfOneValue(statement: ts.Statement): boolean {
  if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return false;
  const { expression: callee, arguments: values } = statement.expression;
  return (
    ts.isPropertyAccessExpression(callee) &&
    callee.name.text === 'push' &&
    ts.isIdentifier(callee.expression) &&
    values.length === 1
  );
}

/** The `await` expressions in a node, without those of inner functions. */
function collectAwaits(block: ts.Node): ts.AwaitExpression[] {
  const awaits: ts.AwaitExpression[] = [];
  const pending: ts.Node[] = [block];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (findFunctionKind(node)) continue;
    if (ts.isAwaitExpression(node)) awaits.push(node);
    ts.forEachChild(node, (child) => {
      pending.push(child);
    });
  }
  return awaits;
}
