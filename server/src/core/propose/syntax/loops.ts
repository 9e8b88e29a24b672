// Finds the loops and the function around a node, and the position for a new statement before a loop.

import { ts } from 'ts-morph';
import { findCommentsAbove } from './comments.ts';
import { collectDescendants } from './locate.ts';
import { isAssignment } from '../../syntax/values.ts';
import { findEnclosingFunction } from '../../syntax/controlFlow.ts';

/** A loop that contains a node. */
export interface EnclosingLoop {
  /** The loop statement, or the call of `forEach` or a similar method. */
  readonly node: ts.Node;
  /** The statement before which a new one can be inserted. */
  readonly statement: ts.Statement;
}

/** Methods that call their callback for each element. */
const CALLBACK_METHODS = new Set([
  'forEach',
  'map',
  'filter',
  'flatMap',
  'some',
  'every',
  'find',
  'findIndex',
  'reduce',
]);

/**
 * Finds the loops around a node, innermost first. The search ends at a class, at a function that is not an arrow
 * function passed to `forEach` or a similar method, and at a loop before which no statement can be inserted.
 */
export function findLoopsAround(node: ts.Node): EnclosingLoop[] {
  const loops: EnclosingLoop[] = [];
  for (let child = node; child.parent; child = child.parent) {
    const parent = child.parent;
    let loop: ts.Node | null = null;
    if (ts.isIterationStatement(parent, false)) {
      const isLoopHead =
        (ts.isForStatement(parent) && parent.initializer === child) ||
        ((ts.isForOfStatement(parent) || ts.isForInStatement(parent)) && parent.statement !== child);
      if (!isLoopHead) loop = parent;
    } else if (ts.isFunctionLike(parent)) {
      const call = parent.parent;
      const isElementCallback =
        ts.isCallExpression(call) &&
        call.arguments[0] === parent &&
        ts.isPropertyAccessExpression(call.expression) &&
        CALLBACK_METHODS.has(call.expression.name.text) &&
        ts.isArrowFunction(parent);
      if (!isElementCallback || parent.body !== child) return loops;
      loop = call;
    } else if (ts.isClassLike(parent)) return loops;
    if (!loop) continue;
    const statement = findStatementAround(loop);
    if (!statement) return loops;
    loops.push({ node: loop, statement });
  }
  return loops;
}

/** The offset at which a new statement before `statement` belongs: above the comments of `statement`. */
export function findOffsetBefore(sourceFile: ts.SourceFile, statement: ts.Statement): number {
  return findCommentsAbove(sourceFile, statement)[0]?.start ?? statement.getStart(sourceFile);
}

/** True for the target of an assignment, of `++` and `--`, or of `delete`. */
export function isWriteTarget(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return parent.left === node && isAssignment(parent);
  if (ts.isPrefixUnaryExpression(parent))
    return parent.operator === ts.SyntaxKind.PlusPlusToken || parent.operator === ts.SyntaxKind.MinusMinusToken;
  return ts.isDeleteExpression(parent) || ts.isPostfixUnaryExpression(parent);
}

/**
 * Finds the statement of a block or of the file that contains the loop; null in a `case`, or in an arrow function
 * without a block.
 */
function findStatementAround(loop: ts.Node): ts.Statement | null {
  for (let ancestor = loop; ancestor.parent; ancestor = ancestor.parent) {
    const { parent } = ancestor;
    if (ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isModuleBlock(parent)) return ancestor as ts.Statement;
    if (ts.isFunctionLike(parent) || ts.isClassLike(parent) || ts.isCaseOrDefaultClause(parent)) return null;
  }
  return null;
}

/** True if the innermost function around both nodes is the same. */
export function areInSameFunction(a: ts.Node, b: ts.Node): boolean {
  return findEnclosingFunction(a) === findEnclosingFunction(b);
}

/**
 * True if code below the node, including nested functions, awaits or yields, so that other code may run in the
 * meantime.
 */
export function mayYield(node: ts.Node): boolean {
  return collectDescendants(node).some(
    (inner) =>
      ts.isAwaitExpression(inner) ||
      ts.isYieldExpression(inner) ||
      (ts.isForOfStatement(inner) && inner.awaitModifier !== undefined),
  );
}
