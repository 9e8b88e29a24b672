// Equivalence of awaited values: `await x` in place of `await Promise.resolve(x)`. Both take the same number of ticks,
// because `await` itself passes its operand to PromiseResolve.
// https://tc39.es/ecma262/#await and https://tc39.es/ecma262/#sec-promise-resolve

import { ts } from 'ts-morph';
import { collectDescendants } from '../syntax/locate.ts';
import type { NodeEquivalence } from './equivalence.ts';
import { skipParentheses } from '../../syntax/controlFlow.ts';

/** Accepts `await x` in place of `await Promise.resolve(x)`. */
export const awaitedPromiseResolve: NodeEquivalence = (oldNode, changedNode, proof) => {
  if (!ts.isAwaitExpression(oldNode) || !ts.isAwaitExpression(changedNode)) return false;
  const value = findPromisedValue(skipParentheses(oldNode.expression));
  return value !== null && !declaresPromise(proof.oldFile) && proof.isSame(value, changedNode.expression);
};

/** Finds the `x` in `Promise.resolve(x)` or, by `method`, in `Promise.reject(x)`; null for any other call. */
export function findPromisedValue(call: ts.Expression, method: 'resolve' | 'reject' = 'resolve'): ts.Expression | null {
  if (
    !ts.isCallExpression(call) ||
    call.arguments.length !== 1 ||
    call.questionDotToken ||
    !ts.isPropertyAccessExpression(call.expression)
  )
    return null;
  const { expression, name, questionDotToken } = call.expression;
  const [value] = call.arguments;
  return ts.isIdentifier(expression) &&
    expression.text === 'Promise' &&
    name.text === method &&
    !questionDotToken &&
    value &&
    !ts.isSpreadElement(value)
    ? value
    : null;
}

/** True if the file declares a `Promise` of its own. */
export function declaresPromise(sourceFile: ts.SourceFile): boolean {
  return collectDescendants(sourceFile).some(
    (node) =>
      ts.isIdentifier(node) &&
      node.text === 'Promise' &&
      'name' in node.parent &&
      node.parent.name === node &&
      !ts.isPropertyAccessExpression(node.parent),
  );
}
