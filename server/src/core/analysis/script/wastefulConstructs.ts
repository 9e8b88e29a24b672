// Counts constructs that often waste work, whether or not they do so here. If a finding disappears and its construct
// stays, the code was only rewritten so that the rule no longer matches.

import { ts } from 'ts-morph';
import { findFunctionKind } from '../metrics/scriptNodes.ts';

/** Methods that return a copy of their object. */
const COPYING_METHODS = new Set(['slice', 'concat', 'toSorted', 'toReversed', 'toSpliced', 'with']);
/** Functions that create a new value from their arguments, by the object that they are called on. */
const COPYING_FUNCTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['Array', new Set(['from', 'of'])],
  ['Object', new Set(['assign', 'fromEntries'])],
  ['JSON', new Set(['parse'])],
]);

/** Maximum number of nodes between an expression and its statement in code that people write. */
const MAX_USUAL_DISTANCE = 64;

/**
 * Starts a count. The caller passes every node to `visit`, and then reads `counts`: the number by the name of the
 * measure.
 */
export function createConstructCount(): { visit(node: ts.Node): void; counts(): Readonly<Record<string, number>> } {
  let copies = 0;
  let awaitsInLoops = 0;
  let gatheringCalls = 0;
  const cache = new Map<ts.Node, boolean>();
  return {
    visit(node) {
      if (
        ts.isSpreadElement(node) ||
        ts.isSpreadAssignment(node) ||
        (ts.isCallExpression(node) && isCopying(node)) ||
        (ts.isForOfStatement(node) && isCopyingLoop(node))
      )
        copies++;
      else if (ts.isCallExpression(node) && isGathering(node)) gatheringCalls++;
      else if (
        (ts.isAwaitExpression(node) && isInLoop(node, cache)) ||
        (ts.isForOfStatement(node) && node.awaitModifier)
      )
        awaitsInLoops++;
    },
    counts: () => ({ 'script.copies': copies, 'script.waits': awaitsInLoops, 'script.gathers': gatheringCalls }),
  };
}

/** True for a call that makes a copy, or a list that may contain more than is used (`filter`, `flatMap`). */
function isCopying({ expression, arguments: args }: ts.CallExpression): boolean {
  if (ts.isIdentifier(expression)) return expression.text === 'structuredClone';
  if (!ts.isPropertyAccessExpression(expression)) return false;
  const owner = ts.isIdentifier(expression.expression) ? COPYING_FUNCTIONS.get(expression.expression.text) : undefined;
  if (owner) return owner.has(expression.name.text);
  if (expression.name.text === 'map' && args[0] && isIdentity(args[0])) return true;
  // `filter` or `flatMap` could be `find` if only the first element is used.
  if ((expression.name.text === 'filter' || expression.name.text === 'flatMap') && args.length > 0) return true;
  return COPYING_METHODS.has(expression.name.text) && args.length <= 1;
}

/** True for `(item) => item`. */
function isIdentity(callback: ts.Expression): boolean {
  if (!ts.isArrowFunction(callback)) return false;
  const [first] = callback.parameters;
  return (
    ts.isIdentifier(callback.body) &&
    first !== undefined &&
    ts.isIdentifier(first.name) &&
    first.name.text === callback.body.text
  );
}

/** True for `for (const item of items) copy.push(item);`. */
function isCopyingLoop({ initializer, statement }: ts.ForOfStatement): boolean {
  const body = ts.isBlock(statement)
    ? statement.statements.length === 1
      ? statement.statements[0]
      : undefined
    : statement;
  if (
    !body ||
    !ts.isExpressionStatement(body) ||
    !ts.isCallExpression(body.expression) ||
    !ts.isPropertyAccessExpression(body.expression.expression)
  )
    return false;
  const [value] = body.expression.arguments;
  const item = ts.isVariableDeclarationList(initializer) ? initializer.declarations[0]?.name : undefined;
  return (
    /^(push|unshift|add)$/.test(body.expression.expression.name.text) &&
    value !== undefined &&
    item !== undefined &&
    ts.isIdentifier(value) &&
    ts.isIdentifier(item) &&
    value.text === item.text
  );
}

/** True for `Promise.all(…)`, and for `allSettled`, `any` and `race`. */
function isGathering({ expression }: ts.CallExpression): boolean {
  return (
    ts.isPropertyAccessExpression(expression) &&
    ts.isIdentifier(expression.expression) &&
    expression.expression.text === 'Promise' &&
    /^(all|allSettled|any|race)$/.test(expression.name.text)
  );
}

/**
 * True if the node is in the body of a loop within the same function. Long paths to the root are cached in `cache`, so
 * that a chain of thousands of operators takes linear time.
 */
function isInLoop(node: ts.Node, cache: Map<ts.Node, boolean>): boolean {
  const passedNodes: ts.Node[] = [];
  let isInBody: boolean | undefined;
  for (let ancestor = node; ancestor.parent && isInBody === undefined; ancestor = ancestor.parent) {
    const { parent } = ancestor;
    if (findFunctionKind(ancestor)) isInBody = false;
    else if (ts.isIterationStatement(parent, false) && parent.statement === ancestor) isInBody = true;
    else if (passedNodes.push(ancestor) > MAX_USUAL_DISTANCE) isInBody = cache.get(ancestor);
  }
  if (passedNodes.length > MAX_USUAL_DISTANCE)
    for (const passedNode of passedNodes) cache.set(passedNode, isInBody ?? false);
  return isInBody ?? false;
}
