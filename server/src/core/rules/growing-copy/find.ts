// growing-copy: finds lists and records that are copied as a whole in every iteration in order to add one element.

import { ts } from 'ts-morph';
import { isEmptyLiteral } from '../../syntax/emptyLiteral.ts';
import { collectNodesBelow } from '../../syntax/nodesBelow.ts';
import { findFunctionKind } from '../../analysis/metrics/scriptNodes.ts';
import { isKnownArray } from '../../analysis/shared/knownValues.ts';
import { findEnclosingLoop } from '../../analysis/shared/loops.ts';

/** A copy that grows. `value`: the name of the copied value. */
export interface GrowingCopy {
  readonly pattern: string;
  readonly value: ts.Node;
  readonly message: string;
  /** Set if only names suggest that `reduce` is called on an array. */
  readonly isUncertain?: boolean;
}

/**
 * Finds `reduce((all, one) => ({ ...all, [one.id]: one }), {})`, which does quadratic work. `node`: the literal that
 * the callback returns. Null for any other literal.
 */
export function findCopyInReduce(node: ts.Expression): GrowingCopy | null {
  const extendedName = findExtendedName(node);
  const callback = extendedName && findFunctionReturning(node);
  if (!callback || !isReducer(callback)) return null;
  const [accumulator] = callback.parameters;
  if (!accumulator || !ts.isIdentifier(accumulator.name) || accumulator.name.text !== extendedName.text) return null;
  if (isSharedWithOtherCode(callback.body, extendedName, node)) return null;
  const list = ((callback.parent as ts.CallExpression).expression as ts.PropertyAccessExpression).expression;
  return {
    pattern: 'copy in reduce',
    value: extendedName,
    isUncertain: !isKnownArray(list),
    message: `\`${extendedName.text}\` is copied as a whole on every turn to add to it: the work grows with the square of the list. ${ts.isObjectLiteralExpression(node) ? 'Adding in place changes nothing that others hold.' : '`push` adds without copying.'}`,
  };
}

/** Finds `all = [...all, one]` in a loop. `node`: the literal. Null for any other literal. */
export function findCopyInLoop(node: ts.Expression): GrowingCopy | null {
  const extendedName = findExtendedName(node);
  const assignment = extendedName && skipOuterParentheses(node);
  if (!assignment || !ts.isBinaryExpression(assignment) || assignment.operatorToken.kind !== ts.SyntaxKind.EqualsToken)
    return null;
  if (!ts.isIdentifier(assignment.left) || assignment.left.text !== extendedName.text) return null;
  const loop = findEnclosingLoop(node);
  if (!loop || !startsEmptyBefore(loop.node, extendedName.text) || isSharedWithOtherCode(loop.node, extendedName, node))
    return null;
  return {
    pattern: 'copy in a loop',
    value: extendedName,
    message: `\`${extendedName.text}\` is copied as a whole on every turn to add to it: the work grows with the square of its length. Adding in place is enough.`,
  };
}

/**
 * The name that a copy extends: `all` in `[...all, x]` and `{ ...all, x }`; null for other literals. Joining two lists
 * does not count, because usually few lists are joined.
 */
function findExtendedName(node: ts.Expression): ts.Identifier | null {
  if (ts.isArrayLiteralExpression(node))
    return node.elements.length > 1 && !node.elements.slice(1).some(ts.isSpreadElement)
      ? findSpreadName(node.elements[0])
      : null;
  if (ts.isObjectLiteralExpression(node))
    return node.properties.length > 1 && !node.properties.slice(1).some(ts.isSpreadAssignment)
      ? findSpreadName(node.properties[0])
      : null;
  return null;
}

/** The name that a part spreads; null if it does not spread a name. */
function findSpreadName(part: ts.Node | undefined): ts.Identifier | null {
  return part && (ts.isSpreadElement(part) || ts.isSpreadAssignment(part)) && ts.isIdentifier(part.expression)
    ? part.expression
    : null;
}

/**
 * True if other code of the loop receives the list or record in its present state, as in `snapshots.push(all)`, or in a
 * function that reads it. Then a copy is needed. `copy`: the literal that spreads the value.
 */
function isSharedWithOtherCode(loop: ts.Node, extendedName: ts.Identifier, copy: ts.Node): boolean {
  return collectNodesBelow(loop).some((node) => {
    if (!ts.isIdentifier(node) || node.text !== extendedName.text || node === extendedName) return false;
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent) && parent.name === node) return false;
    if (ts.isPropertyAssignment(parent) && parent.name === node) return false;
    const isReadInPart =
      (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) && parent.expression === node;
    if (ts.isSpreadElement(parent) || ts.isSpreadAssignment(parent) || ts.isReturnStatement(parent)) return false;
    const isTarget =
      ts.isBinaryExpression(parent) &&
      (parent.left === node ||
        parent.operatorToken.kind === ts.SyntaxKind.InKeyword ||
        skipOuterParentheses(copy) === parent);
    return !isReadInPart && !isTarget && !ts.isConditionalExpression(parent);
  });
}

/** The function that returns the expression, by `=>` or by `return`; null if no function expression does. */
function findFunctionReturning(node: ts.Expression): ts.ArrowFunction | ts.FunctionExpression | null {
  const parent = skipOuterParentheses(node);
  if (ts.isArrowFunction(parent)) return parent;
  if (!ts.isReturnStatement(parent)) return null;
  let outer: ts.Node = parent;
  while (outer.parent && !findFunctionKind(outer)) outer = outer.parent;
  return ts.isArrowFunction(outer) || ts.isFunctionExpression(outer) ? outer : null;
}

/** The node around an expression, ignoring parentheses and type assertions. */
function skipOuterParentheses(node: ts.Node): ts.Node {
  let parent = node.parent;
  while (ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent) || ts.isSatisfiesExpression(parent))
    parent = parent.parent;
  return parent;
}

/** True for the first argument of `reduce` with an empty literal as start value, which no other code refers to. */
function isReducer(callback: ts.Node): boolean {
  const call = callback.parent;
  if (
    !ts.isCallExpression(call) ||
    call.arguments[0] !== callback ||
    !ts.isPropertyAccessExpression(call.expression) ||
    !/^reduce(Right)?$/.test(call.expression.name.text)
  )
    return false;
  return isEmptyLiteral(call.arguments[1]);
}

/**
 * True if the nearest declaration of the name in a statement list around the loop gives it an empty literal, as in `let
 * all = []`.
 */
function startsEmptyBefore(loop: ts.Node, name: string): boolean {
  for (let outer = loop.parent; outer; outer = outer.parent) {
    if (findFunctionKind(outer)) return false;
    if (!ts.isBlock(outer) && !ts.isSourceFile(outer)) continue;
    for (const statement of outer.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      const variable = statement.declarationList.declarations.find(
        (declaration) => ts.isIdentifier(declaration.name) && declaration.name.text === name,
      );
      if (variable) return isEmptyLiteral(variable.initializer);
    }
  }
  return false;
}
