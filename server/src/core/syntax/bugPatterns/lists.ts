// Recognises expressions that are certainly lists, by their form alone.

import { ts } from 'ts-morph';
import { skipParentheses } from '../controlFlow.ts';
import { findOnlyValue } from './onlyValue.ts';

/** Methods of texts and lists that return a list. */
const LIST_METHODS: ReadonlySet<string> = new Set([
  ...['split', 'map', 'filter', 'flat', 'flatMap', 'sort', 'reverse', 'toSorted', 'toReversed', 'splice', 'fill'],
]);
/** Functions of `Object` and `Array` that return a list. */
const LIST_FUNCTIONS: ReadonlySet<string> = new Set(['keys', 'values', 'entries', 'from', 'of']);

/** True for a list literal, a call that returns a list, and a variable that holds only such a value. */
export function isList(node: ts.Expression, sourceFile: ts.SourceFile): boolean {
  const inner = skipParentheses(node);
  if (ts.isArrayLiteralExpression(inner)) return true;
  if (ts.isIdentifier(inner)) {
    const value = findOnlyValue(inner, sourceFile)?.value;
    return value !== undefined && !ts.isIdentifier(value) && isList(value, sourceFile);
  }
  if (!ts.isCallExpression(inner) || !ts.isPropertyAccessExpression(inner.expression)) return false;
  const { expression, name } = inner.expression;
  const isGlobal = ts.isIdentifier(expression) && (expression.text === 'Object' || expression.text === 'Array');
  return isGlobal ? LIST_FUNCTIONS.has(name.text) : LIST_METHODS.has(name.text);
}
