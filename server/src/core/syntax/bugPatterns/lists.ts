// Recognises expressions whose value is a list, by their form and by the values of variables in the file.

import { ts } from 'ts-morph';
import { createWordSet } from '../../../util/wordSet.ts';
import { skipParentheses } from '../controlFlow.ts';
import { findOnlyValue, isDeclaredIn } from './onlyValue.ts';

/** Methods that return a list if they are called on a list; of other objects they may return something else. */
const LIST_METHODS: ReadonlySet<string> = createWordSet(
  'map filter flat flatMap sort reverse toSorted toReversed splice',
);
/** Functions of `Object` and `Array` that return a list. */
const LIST_FUNCTIONS: ReadonlySet<string> = new Set(['keys', 'values', 'entries', 'from', 'of']);

/** True for a list literal, calls that return a list whatever they are called on, and variables with such a value. */
export function isList(node: ts.Expression, sourceFile: ts.SourceFile): boolean {
  const value = findValue(node, sourceFile);
  if (ts.isArrayLiteralExpression(value)) return true;
  if (!ts.isCallExpression(value) || !ts.isPropertyAccessExpression(value.expression)) return false;
  const { expression, name } = value.expression;
  if (name.text === 'split') return true;
  if (ts.isIdentifier(expression) && ['Object', 'Array'].includes(expression.text))
    return LIST_FUNCTIONS.has(name.text) && !isDeclaredIn(expression.text, sourceFile);
  return LIST_METHODS.has(name.text) && isList(expression, sourceFile);
}

/** The value of a variable that has only one value, otherwise the expression itself; without parentheses. */
export function findValue(node: ts.Expression, sourceFile: ts.SourceFile): ts.Expression {
  const inner = skipParentheses(node);
  return ts.isIdentifier(inner) ? (findOnlyValue(inner, sourceFile)?.value ?? inner) : inner;
}
