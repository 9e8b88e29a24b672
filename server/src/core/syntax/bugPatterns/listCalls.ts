// Bug patterns of calls with lists: callbacks that get more arguments than they expect, lists that contain only holes,
// numbers that are sorted as texts, a list instead of several numbers, and a result of `forEach`.

import { ts } from 'ts-morph';
import { skipParentheses } from '../controlFlow.ts';
import { isList, findValue } from './lists.ts';
import { findIdentifiersNamed, isDeclaredIn } from './onlyValue.ts';
import { quoteCode } from './sameCode.ts';
import type { BugPatternFinder, BugPatternMatch } from './pattern.ts';
import { isImport } from '../names.ts';

/** Patterns of a call of a method. */
export const listCallPatterns: BugPatternFinder = { nodeKinds: [ts.SyntaxKind.CallExpression], find: findListCall };

/** Methods that do not call their callback for the holes of a list. */
const HOLE_SKIPPING_METHODS: ReadonlySet<string> = new Set([
  'map',
  'forEach',
  'filter',
  'some',
  'every',
  'reduce',
  'flatMap',
]);
/** Functions of `Math` that take any number of numbers as separate arguments. */
const NUMBER_FUNCTIONS: ReadonlySet<string> = new Set(['max', 'min', 'hypot']);
/** Functions that convert an element to a number. */
const CONVERSION_FUNCTIONS: ReadonlySet<string> = new Set(['Number', 'parseFloat']);

/** The first pattern of a call with a list; null if there is none. */
function findListCall(node: ts.Node, sourceFile: ts.SourceFile): BugPatternMatch | null {
  const call = node as ts.CallExpression;
  if (!ts.isPropertyAccessExpression(call.expression)) return null;
  const { expression: receiver, name } = call.expression;
  const method = name.text;
  const [firstArgument] = call.arguments;
  const passesParseInt =
    method === 'map' && firstArgument && ts.isIdentifier(firstArgument) && firstArgument.text === 'parseInt';
  if (passesParseInt && !isDeclaredIn('parseInt', sourceFile) && !isLibrary(receiver, sourceFile))
    return {
      name: 'index as a base',
      node: firstArgument,
      message: '`map` also passes the index, which `parseInt` takes for the base of the number.',
      replacement: '(text) => parseInt(text, 10)',
    };
  if (HOLE_SKIPPING_METHODS.has(method) && isListOfHoles(receiver) && !isDeclaredIn('Array', sourceFile))
    return {
      name: 'only holes',
      mayBeIntended: true,
      node: receiver,
      message: `${quoteCode(receiver)} holds nothing but holes, for which \`${method}\` does not call its function.`,
    };
  if (method === 'sort' && call.arguments.length === 0 && isListOfNumbers(receiver))
    return {
      name: 'numbers in the order of texts',
      mayBeIntended: true,
      node: call,
      message: 'without a comparison, `sort` puts numbers into the order of their texts: 10 comes before 9.',
    };
  const isMathCall = ts.isIdentifier(receiver) && receiver.text === 'Math' && NUMBER_FUNCTIONS.has(method);
  if (isMathCall && call.arguments.length === 1 && firstArgument && mayHaveSeveralElements(firstArgument, sourceFile))
    return {
      name: 'list for numbers',
      node: firstArgument,
      message: `\`Math.${method}\` takes numbers, not a list of them, so the result is NaN unless the list has one element or none.`,
      ...(mayHoldNumbers(firstArgument, sourceFile) ? { replacement: `...${firstArgument.getText(sourceFile)}` } : {}),
    };
  return findUsedForEach(call, receiver, method, sourceFile);
}

/**
 * Finds `await list.forEach(…)` and `Promise.all(list.forEach(…))`. `forEach` returns nothing, so no code waits for the
 * promises of its callback.
 */
function findUsedForEach(
  call: ts.CallExpression,
  receiver: ts.Expression,
  method: string,
  sourceFile: ts.SourceFile,
): BugPatternMatch | null {
  if (method !== 'forEach') return null;
  const { parent } = call;
  const isOfPromise =
    ts.isCallExpression(parent) && /^Promise\.(?:all|allSettled|race|any)$/.test(parent.expression.getText(sourceFile));
  if (!isOfPromise && !(ts.isAwaitExpression(parent) && isList(receiver, sourceFile))) return null;
  return {
    name: 'result of forEach',
    node: call.expression,
    message: '`forEach` returns nothing, so nobody waits for what it starts; `map` returns the promises.',
  };
}

/** True for `Array(n)` and `new Array(n)`, if `n` is a number or a property `length`. */
function isListOfHoles(node: ts.Expression): boolean {
  const inner = skipParentheses(node);
  if (!ts.isCallExpression(inner) && !ts.isNewExpression(inner)) return false;
  const isArray = ts.isIdentifier(inner.expression) && inner.expression.text === 'Array';
  const [length] = inner.arguments ?? [];
  if (!isArray || inner.arguments?.length !== 1 || !length) return false;
  return ts.isNumericLiteral(length) || (ts.isPropertyAccessExpression(length) && length.name.text === 'length');
}

/**
 * True for `texts.map(Number)`, and for a literal list of numbers that `sort` puts into a wrong order, such as `[10,
 * 9]`.
 */
function isListOfNumbers(node: ts.Expression): boolean {
  const inner = skipParentheses(node);
  if (ts.isArrayLiteralExpression(inner)) {
    if (!inner.elements.every((element) => ts.isNumericLiteral(element))) return false;
    const numbers = inner.elements.map((element) => Number(element.getText()));
    return numbers.toSorted().join() !== numbers.toSorted((a, b) => a - b).join();
  }
  if (!ts.isCallExpression(inner) || !ts.isPropertyAccessExpression(inner.expression)) return false;
  const [convert] = inner.arguments;
  return (
    inner.expression.name.text === 'map' &&
    convert !== undefined &&
    ts.isIdentifier(convert) &&
    CONVERSION_FUNCTIONS.has(convert.text)
  );
}

/** True for a library such as `_` or `Option`, whose `map` may pass other arguments than that of a list. */
function isLibrary(receiver: ts.Expression, sourceFile: ts.SourceFile): boolean {
  if (!ts.isIdentifier(receiver)) return false;
  return (
    /^(?:_|fp$|[A-Z])/.test(receiver.text) ||
    findIdentifiersNamed(receiver.text, sourceFile).some(({ parent }) => isImport(parent))
  );
}

/** True for a list that may have several elements. */
function mayHaveSeveralElements(node: ts.Expression, sourceFile: ts.SourceFile): boolean {
  if (ts.isSpreadElement(node) || !isList(node, sourceFile)) return false;
  const value = findValue(node, sourceFile);
  return !ts.isArrayLiteralExpression(value) || value.elements.length > 1;
}

/** True if the list is certainly present, and its elements may be numbers. */
function mayHoldNumbers(node: ts.Expression, sourceFile: ts.SourceFile): boolean {
  const value = findValue(node, sourceFile);
  if (/\?\./.test(value.getText(sourceFile))) return false;
  if (ts.isArrayLiteralExpression(value))
    return value.elements.every((element) => !ts.isArrayLiteralExpression(element));
  return !/\b(?:entries|split)\b/.test((value as ts.CallExpression).expression.getText(sourceFile));
}
