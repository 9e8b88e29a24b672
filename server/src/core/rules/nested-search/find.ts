// nested-search: finds lists that are searched from their start in every iteration of a loop over something else.

import { ts } from 'ts-morph';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import type { Finding } from '../finding.ts';
import { findVariableDeclaration, isKnownArray } from '../../analysis/shared/knownValues.ts';
import { isLoopInvariant, findEnclosingLoop } from '../../analysis/shared/loops.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.CallExpression], find: findNestedSearch };

/** Methods that search for a value, their argument. */
const VALUE_METHODS = new Set(['includes', 'indexOf', 'lastIndexOf']);
/** Methods that search by a test. */
const TEST_METHODS = new Set(['find', 'findIndex', 'some']);
/**
 * Methods that the recipe can replace by a Set or Map. The other methods are used for the position that they return.
 */
const REPLACEABLE_METHODS = new Set(['includes', 'indexOf', 'find', 'some']);

/**
 * Reports a search that a loop repeats in a list that does not change. Lists that are written as literals in the file
 * are short, so they are not reported. `node` is a call.
 */
function findNestedSearch(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const call = node as ts.CallExpression;
  const callee = call.expression;
  if (!ts.isPropertyAccessExpression(callee)) return null;
  const method = callee.name.text;
  const [argument] = call.arguments;
  if (
    !argument ||
    call.arguments.length !== 1 ||
    !(VALUE_METHODS.has(method) || (TEST_METHODS.has(method) && isEquality(argument)))
  )
    return null;
  const searchedList = skipParentheses(callee.expression);
  const declaration = findVariableDeclaration(searchedList);
  if (!declaration || !isKnownArray(searchedList) || isLiteralList(declaration)) return null;
  const loop = findEnclosingLoop(call);
  if (!loop || !isLoopInvariant(searchedList, loop) || (VALUE_METHODS.has(method) && isLoopInvariant(argument, loop)))
    return null;
  if (loop.iteratedValue && loop.iteratedValue.getText(sourceFile) === searchedList.getText(sourceFile)) return null;
  const isByValue = VALUE_METHODS.has(method);
  const name = searchedList.getText(sourceFile);
  return {
    rule: 'nested-search',
    start: call.getStart(sourceFile),
    end: call.end,
    nameStart: callee.name.getStart(sourceFile),
    nameEnd: callee.name.end,
    impact: 25,
    confidence: 0.5,
    message: `\`${name}\` is searched from its start on every turn: a ${isByValue ? 'Set' : 'Map by key'} made before the loop finds it at once.`,
    evidence: { method, list: name },
    recipe: REPLACEABLE_METHODS.has(method) && (isByValue || comparesProperty(argument)) ? 'keyed-lookup' : null,
    related: [
      { start: declaration.getStart(sourceFile), end: declaration.name.end, message: 'The list that is searched.' },
    ],
  };
}

/** True for an arrow function of one parameter whose whole body is a comparison by `===`: `(one) => one.id === id`. */
function isEquality(argument: ts.Expression): boolean {
  if (!ts.isArrowFunction(argument) || ts.isBlock(argument.body) || argument.parameters.length !== 1) return false;
  const body = skipParentheses(argument.body);
  return ts.isBinaryExpression(body) && body.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken;
}

/**
 * True for `one.id === …` and `… === one.id`, whose property can be the key of a Map. `argument` must fulfil
 * `isEquality`.
 */
function comparesProperty(argument: ts.Expression): boolean {
  const test = argument as ts.ArrowFunction;
  const [parameter] = test.parameters;
  const body = skipParentheses(test.body as ts.Expression) as ts.BinaryExpression;
  return [body.left, body.right].some(
    (side) =>
      ts.isPropertyAccessExpression(side) &&
      ts.isIdentifier(side.expression) &&
      parameter !== undefined &&
      ts.isIdentifier(parameter.name) &&
      side.expression.text === parameter.name.text,
  );
}

/** True if the initial value is an array literal that has elements and no spread among them. */
function isLiteralList(declaration: ts.VariableDeclaration | ts.ParameterDeclaration): boolean {
  const value = declaration.initializer && skipParentheses(declaration.initializer);
  return (
    value !== undefined &&
    ts.isArrayLiteralExpression(value) &&
    value.elements.length > 0 &&
    !value.elements.some(ts.isSpreadElement)
  );
}
