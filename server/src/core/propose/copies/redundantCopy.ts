// Removes a copy of an array if the compiler knows that the value is an array, and if the copy is useless: a copy of a
// new array, a copy that is passed to a collection, or a copy that is only read once.

import { ts } from 'ts-morph';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import { findCommentsBetween } from '../syntax/comments.ts';
import { reindent } from '../syntax/reindent.ts';
import { indentAt, type Replacement } from '../textEdit.ts';
import { isGlobal, isArray, type CopyRemoval, type TypedSource } from './copyRemoval.ts';
import { findOnlySpread } from '../../syntax/listCopies.ts';

/** Array methods that only read the array. */
const READING_METHODS = new Set(['slice', 'concat', 'includes', 'indexOf', 'join']);
/** Collections that are created from an array. */
const COLLECTION_CLASSES = new Set(['Set', 'Map', 'WeakSet', 'WeakMap']);

/**
 * Replaces `[...items.map(f)]`, `Array.from(Object.keys(o))` or `text.split(',').slice()` by the new array itself, or
 * refuses if that would change behaviour. Null for any other node.
 */
export function removeCopyOfNewList(
  node: ts.Node,
  source: TypedSource,
): CopyRemoval | { readonly refused: string } | null {
  const value = findCopiedValue(node, source);
  if (!value || !mayCreateArray(value)) return null;
  if (isAsConst(node)) return { refused: '`as const` applies to the literal, and cannot apply to the copied value.' };
  if (!isNewArray(value, source))
    return { refused: 'The compiler does not know that the copied value is a new array.' };
  return removeCopyAround(
    node,
    value,
    source,
    'use the new array as it is',
    'The copied value is a new array without other references, so copying it is unnecessary.',
  );
}

/**
 * Changes `new Set([...items])` to `new Set(items)`, because the constructor reads any iterable, or refuses if that
 * would change behaviour. Null for any other node.
 */
export function removeCopyIntoCollection(
  node: ts.Node,
  source: TypedSource,
): CopyRemoval | { readonly refused: string } | null {
  if (
    !ts.isNewExpression(node) ||
    !ts.isIdentifier(node.expression) ||
    !COLLECTION_CLASSES.has(node.expression.text) ||
    node.arguments?.length !== 1
  )
    return null;
  const argument = node.arguments[0]!;
  const literal = skipParentheses(argument);
  const value = ts.isArrayLiteralExpression(literal) ? findOnlySpread(literal) : null;
  if (!value) return null;
  const collection = node.expression.text;
  if (!isGlobal(node.expression, source)) return { refused: `\`${collection}\` is not the built-in one.` };
  const type = source.checker.getTypeAtLocation(value);
  // Spreading null throws, but a collection can be created from null.
  if (
    (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0 ||
    source.checker.getNonNullableType(type) !== type
  )
    return {
      refused: 'The spread value may be null or undefined: the spread would throw, and the constructor would not.',
    };
  return removeCopyAround(
    argument,
    value,
    source,
    `pass the values to ${collection} directly`,
    `\`new ${collection}\` reads any iterable, so spreading it into an array first is unnecessary.`,
  );
}

/**
 * Changes `[...list].includes(x)` to `list.includes(x)`, or refuses if that would change behaviour. Null for any other
 * node.
 */
export function removeCopyBeforeRead(
  node: ts.Node,
  source: TypedSource,
): CopyRemoval | { readonly refused: string } | null {
  if (
    !ts.isCallExpression(node) ||
    !ts.isPropertyAccessExpression(node.expression) ||
    !READING_METHODS.has(node.expression.name.text)
  )
    return null;
  const literal = node.expression.expression;
  const value = ts.isArrayLiteralExpression(literal) ? findOnlySpread(literal) : null;
  if (!value || mayCreateArray(value)) return null;
  if (!isArray(value, source)) return { refused: 'The compiler does not know that the copied value is an array.' };
  const method = node.expression.name.text;
  return removeCopyAround(
    literal,
    value,
    source,
    `call ${method} on the array itself`,
    `\`${method}\` leaves the array as it is, so there is no need to copy it first.`,
  );
}

/** Finds the array that a spread, `slice()` or `Array.from` copies; null for other nodes. */
function findCopiedValue(node: ts.Node, source: TypedSource): ts.Expression | null {
  if (ts.isArrayLiteralExpression(node)) return findOnlySpread(node);
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
  const isArrayFrom =
    name.text === 'from' &&
    node.arguments.length === 1 &&
    ts.isIdentifier(owner) &&
    owner.text === 'Array' &&
    isGlobal(owner, source);
  return isArrayFrom && first && !ts.isSpreadElement(first) ? skipParentheses(first) : null;
}

/** True for an expression that may create an array: a literal, or a call of a method. */
function mayCreateArray(value: ts.Expression): value is ts.ArrayLiteralExpression | ts.CallExpression {
  return (
    ts.isArrayLiteralExpression(value) ||
    (ts.isCallExpression(value) && ts.isPropertyAccessExpression(value.expression))
  );
}

/** True if the value is certainly a new array without holes. */
function isNewArray(value: ts.ArrayLiteralExpression | ts.CallExpression, source: TypedSource): boolean {
  if (ts.isArrayLiteralExpression(value)) return !value.elements.some(ts.isOmittedExpression);
  const { expression: owner, name, questionDotToken } = value.expression as ts.PropertyAccessExpression;
  if (questionDotToken || ts.isOptionalChain(value)) return false;
  if (ts.isIdentifier(owner) && owner.text === 'Object' && isGlobal(owner, source))
    return ['keys', 'values', 'entries', 'getOwnPropertyNames'].includes(name.text);
  if (ts.isIdentifier(owner) && owner.text === 'Array' && isGlobal(owner, source))
    return name.text === 'from' || name.text === 'of';
  if (name.text === 'split')
    return (
      value.arguments.length > 0 && (source.checker.getTypeAtLocation(owner).flags & ts.TypeFlags.StringLike) !== 0
    );
  return (
    ['map', 'filter', 'flatMap'].includes(name.text) &&
    value.arguments.length > 0 &&
    isArray(owner, source) &&
    isArray(value, source)
  );
}

/** True for the operand of `as const`. */
function isAsConst({ parent }: ts.Node): boolean {
  return ts.isAsExpression(parent) && ts.isTypeReferenceNode(parent.type) && parent.type.getText() === 'const';
}

/**
 * Replaces `outer` by `value`, which it contains. If the value begins on a later line, its lines get the indentation of
 * `outer`. Refuses if a comment would be lost.
 */
function removeCopyAround(
  outer: ts.Node,
  value: ts.Expression,
  { sourceFile }: TypedSource,
  title: string,
  rationale: string,
): CopyRemoval | { readonly refused: string } {
  const { text } = sourceFile;
  const [start, valueStart] = [outer.getStart(sourceFile), value.getStart(sourceFile)];
  const before = text.slice(start, valueStart);
  const after = text.slice(value.end, outer.end);
  if (/\/[/*]/.test(before) || /\/[/*]/.test(after) || findCommentsBetween(text, value.end, outer.end).length > 0)
    return { refused: 'A comment would be lost.' };
  const reindentations: readonly Replacement[] = before.includes('\n')
    ? reindent(sourceFile, { start: valueStart, end: value.end }, indentAt(text, valueStart), indentAt(text, start))
    : [];
  return {
    replacements: [
      { start, end: valueStart, text: '' },
      ...reindentations,
      { start: value.end, end: outer.end, text: '' },
    ],
    title,
    rationale,
  };
}
