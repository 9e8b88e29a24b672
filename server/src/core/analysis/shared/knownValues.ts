// Recognises values that are arrays, as far as a single file shows it.

import { ts } from 'ts-morph';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import { resolveLocal } from '../script/bindings.ts';

/**
 * True for expressions whose form shows that they return a new array: a literal, `Object.keys`, `values`, `entries` and
 * `getOwnPropertyNames`, `Array.from` and `Array.of`, `split`, and `map`, `filter` or `flatMap` of a value that is
 * likely an array.
 */
export function isNewArray(value: ts.Expression): boolean {
  if (ts.isArrayLiteralExpression(value)) return true;
  if (!ts.isCallExpression(value) || !ts.isPropertyAccessExpression(value.expression)) return false;
  const method = value.expression.name.text;
  const source = value.expression.expression;
  if (ts.isIdentifier(source)) {
    if (source.text === 'Object') return ['keys', 'values', 'entries', 'getOwnPropertyNames'].includes(method);
    if (source.text === 'Array') return method === 'from' || method === 'of';
  }
  if (method === 'split') return value.arguments.length > 0;
  return (
    ['map', 'filter', 'flatMap'].includes(method) &&
    value.arguments.length > 0 &&
    isLikelyArray(skipParentheses(source))
  );
}

/**
 * True for expressions that certainly return a new array: those of `isNewArray`, except `map`, `filter` and `flatMap`
 * of a value that only its name suggests to be an array.
 */
export function isCertainlyNewArray(value: ts.Expression): boolean {
  if (!isNewArray(value)) return false;
  if (!ts.isCallExpression(value) || !ts.isPropertyAccessExpression(value.expression)) return true;
  if (!['map', 'filter', 'flatMap'].includes(value.expression.name.text)) return true;
  const source = skipParentheses(value.expression.expression) as ts.Expression;
  return isKnownArray(source) || isCertainlyNewArray(source);
}

/**
 * True for a name whose declaration in this file shows that it is an array: by its type, or by the value of a constant.
 */
export function isKnownArray(value: ts.Expression): boolean {
  const declaration = findVariableDeclaration(value);
  if (!declaration) return false;
  const { type, initializer } = declaration;
  if (type) return isArrayType(type);
  return (
    ts.isVariableDeclaration(declaration) &&
    (declaration.parent.flags & ts.NodeFlags.Const) !== 0 &&
    initializer !== undefined &&
    isNewArray(skipParentheses(initializer))
  );
}

/** The variable or parameter that a name refers to; null for other declarations, patterns and expressions. */
export function findVariableDeclaration(value: ts.Expression): ts.VariableDeclaration | ts.ParameterDeclaration | null {
  if (!ts.isIdentifier(value)) return null;
  const declaration = resolveLocal(value)?.symbol.valueDeclaration;
  if (!declaration || !(ts.isVariableDeclaration(declaration) || ts.isParameter(declaration))) return null;
  return ts.isIdentifier(declaration.name) ? declaration : null;
}

/**
 * True for a receiver of `map` that is known to be an array, or whose name is not typical of an iterator (which has
 * `map` too). False for the result of a call.
 */
export function isLikelyArray(source: ts.Expression): boolean {
  if (isNewArray(source) || isKnownArray(source)) return true;
  const name = ts.isIdentifier(source) ? source.text : ts.isPropertyAccessExpression(source) ? source.name.text : null;
  return name !== null && !/iter|generat|stream|query|collection|set$|map$/i.test(name);
}

function isArrayType(type: ts.TypeNode): boolean {
  if (ts.isArrayTypeNode(type) || ts.isTupleTypeNode(type)) return true;
  if (ts.isTypeOperatorNode(type)) return isArrayType(type.type);
  return (
    ts.isTypeReferenceNode(type) &&
    ts.isIdentifier(type.typeName) &&
    (type.typeName.text === 'Array' || type.typeName.text === 'ReadonlyArray')
  );
}
