// Removes a copy of a list, if the compiler knows that the value is a list and the copy is of no use: a copy of a new
// list, a copy into a collection, or a copy that is only read once.

import { ts } from 'ts-morph';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import { commentsBetween } from '../syntax/comments.ts';
import { reindent } from '../syntax/reindent.ts';
import { indentAt, type Replacement } from '../textEdit.ts';
import { isGlobal, isArray, onlySpread, type CopyRemoval, type TypedSource } from './copyRemoval.ts';

/** Methods of arrays that do not change the array. */
const READERS = new Set(['slice', 'concat', 'includes', 'indexOf', 'join']);
/** Collections that take a list when they are created. */
const COLLECTIONS = new Set(['Set', 'Map', 'WeakSet', 'WeakMap']);

/**
 * `[...items.map(f)]`, `Array.from(Object.keys(o))`, `text.split(',').slice()` → the copied list itself, or why the
 * copy has to stay. Null for any other node.
 */
export function removeCopyOfNewList(
  node: ts.Node,
  scene: TypedSource,
): CopyRemoval | { readonly refused: string } | null {
  const value = copySource(node, scene);
  if (!value || !isListMaker(value)) return null;
  if (isAsConst(node)) return { refused: 'The literal is written as a constant, which its value alone would not be.' };
  if (!isFresh(value, scene)) return { refused: 'The compiler does not know that what is copied is a new array.' };
  return unwrap(
    node,
    value,
    scene,
    'use the new array as it is',
    'What is copied is a new array that nobody else holds, so the copy is one array too many.',
  );
}

/**
 * `new Set([...items])` → `new Set(items)`, because the constructor reads any iterable, or why the copy has to stay.
 * Null for any other node.
 */
export function removeCopyIntoCollection(
  node: ts.Node,
  scene: TypedSource,
): CopyRemoval | { readonly refused: string } | null {
  if (
    !ts.isNewExpression(node) ||
    !ts.isIdentifier(node.expression) ||
    !COLLECTIONS.has(node.expression.text) ||
    node.arguments?.length !== 1
  )
    return null;
  const argument = node.arguments[0]!;
  const literal = skipParentheses(argument);
  const value = ts.isArrayLiteralExpression(literal) ? onlySpread(literal) : null;
  if (!value) return null;
  const collection = node.expression.text;
  if (!isGlobal(node.expression, scene)) return { refused: `${collection} is not the one that JavaScript has.` };
  const type = scene.checker.getTypeAtLocation(value);
  // Spreading null throws, but a collection can be made of null.
  if ((type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0 || scene.checker.getNonNullableType(type) !== type)
    return { refused: 'What is spread may be nothing, where the spread throws and the collection does not.' };
  return unwrap(
    argument,
    value,
    scene,
    `give ${collection} what it copies`,
    `\`new ${collection}\` reads any iterable, so spreading it into an array first is one copy too many.`,
  );
}

/** `[...list].includes(x)` → `list.includes(x)`, or why the copy has to stay. Null for any other node. */
export function removeCopyBeforeRead(
  node: ts.Node,
  scene: TypedSource,
): CopyRemoval | { readonly refused: string } | null {
  if (
    !ts.isCallExpression(node) ||
    !ts.isPropertyAccessExpression(node.expression) ||
    !READERS.has(node.expression.name.text)
  )
    return null;
  const literal = node.expression.expression;
  const value = ts.isArrayLiteralExpression(literal) ? onlySpread(literal) : null;
  if (!value || isListMaker(value)) return null;
  if (!isArray(value, scene)) return { refused: 'The compiler does not know that what is copied is an array.' };
  const method = node.expression.name.text;
  return unwrap(
    literal,
    value,
    scene,
    `call ${method} on the array itself`,
    `\`${method}\` leaves the array as it is, so there is no need to copy it first.`,
  );
}

/** The list that a spread, `slice()` or `Array.from` copies; null for other nodes. */
function copySource(node: ts.Node, scene: TypedSource): ts.Expression | null {
  if (ts.isArrayLiteralExpression(node)) return onlySpread(node);
  if (
    !ts.isCallExpression(node) ||
    node.questionDotToken ||
    !ts.isPropertyAccessExpression(node.expression) ||
    node.expression.questionDotToken
  )
    return null;
  const { expression: owner, name } = node.expression;
  if (name.text === 'slice' && node.arguments.length === 0) return skipParentheses(owner);
  const [first] = node.arguments;
  const isFrom =
    name.text === 'from' &&
    node.arguments.length === 1 &&
    ts.isIdentifier(owner) &&
    owner.text === 'Array' &&
    isGlobal(owner, scene);
  return isFrom && first && !ts.isSpreadElement(first) ? skipParentheses(first) : null;
}

/** True for code of a form that may create a list: a literal, or a call of a method. */
function isListMaker(value: ts.Expression): value is ts.ArrayLiteralExpression | ts.CallExpression {
  return (
    ts.isArrayLiteralExpression(value) ||
    (ts.isCallExpression(value) && ts.isPropertyAccessExpression(value.expression))
  );
}

/** True if the value is certainly a new array. */
function isFresh(value: ts.ArrayLiteralExpression | ts.CallExpression, scene: TypedSource): boolean {
  if (ts.isArrayLiteralExpression(value)) return !value.elements.some(ts.isOmittedExpression);
  const { expression: owner, name, questionDotToken } = value.expression as ts.PropertyAccessExpression;
  if (questionDotToken || ts.isOptionalChain(value)) return false;
  if (ts.isIdentifier(owner) && owner.text === 'Object' && isGlobal(owner, scene))
    return ['keys', 'values', 'entries', 'getOwnPropertyNames'].includes(name.text);
  if (ts.isIdentifier(owner) && owner.text === 'Array' && isGlobal(owner, scene))
    return name.text === 'from' || name.text === 'of';
  if (name.text === 'split')
    return value.arguments.length > 0 && (scene.checker.getTypeAtLocation(owner).flags & ts.TypeFlags.StringLike) !== 0;
  return (
    ['map', 'filter', 'flatMap'].includes(name.text) &&
    value.arguments.length > 0 &&
    isArray(owner, scene) &&
    isArray(value, scene)
  );
}

/** True for a node with `as const`. */
function isAsConst({ parent }: ts.Node): boolean {
  return ts.isAsExpression(parent) && ts.isTypeReferenceNode(parent.type) && parent.type.getText() === 'const';
}

/**
 * Puts `value` in place of `outer`. If the value begins on a later line, its lines get the indentation of `outer`.
 * Refuses if a comment would be lost.
 */
function unwrap(
  outer: ts.Node,
  value: ts.Expression,
  { sourceFile }: TypedSource,
  title: string,
  rationale: string,
): CopyRemoval | { readonly refused: string } {
  const { text } = sourceFile;
  const [start, from] = [outer.getStart(sourceFile), value.getStart(sourceFile)];
  const before = text.slice(start, from);
  const after = text.slice(value.end, outer.end);
  if (/\/[/*]/.test(before) || /\/[/*]/.test(after) || commentsBetween(text, value.end, outer.end).length > 0)
    return { refused: 'A comment stands in what would go.' };
  const moved: readonly Replacement[] = before.includes('\n')
    ? reindent(sourceFile, { start: from, end: value.end }, indentAt(text, from), indentAt(text, start))
    : [];
  return {
    replacements: [{ start, end: from, text: '' }, ...moved, { start: value.end, end: outer.end, text: '' }],
    title,
    rationale,
  };
}
