// Removes copies of an object literal that is written at the place where it is copied: by a spread, by `Object.assign`
// into an empty object, or by a round trip through JSON.

import { ts } from 'ts-morph';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import { collectDescendants } from '../syntax/locate.ts';
import { isGlobal, type CopyRemoval, type TypedSource } from './copyRemoval.ts';

/**
 * Changes `{ ...{ a: 1 }, b, ...{ c } }` to `{ a: 1, b, c }`, or refuses if that would change behaviour. One change
 * removes all spreads of literals in the outer literal. Null for any other node.
 */
export function removeSpreadOfLiteral(
  node: ts.Node,
  source: TypedSource,
): CopyRemoval | { readonly refused: string } | null {
  if (!ts.isSpreadAssignment(node) || !findSpreadLiteral(node)) return null;
  const outer = node.parent;
  const unwrapResults = outer.properties.flatMap((property) => {
    const inner = findSpreadLiteral(property);
    return inner ? [unwrapSpread(property, inner, outer, source)] : [];
  });
  const refusal = unwrapResults.find((unwrapResult) => 'refused' in unwrapResult);
  if (refusal) return refusal;
  return {
    replacements: unwrapResults.flatMap((unwrapResult) => ('refused' in unwrapResult ? [] : unwrapResult.replacements)),
    title: 'write the properties directly',
    rationale:
      unwrapResults.length === 1
        ? 'The literal exists only to be spread into the one around it.'
        : 'The literals exist only to be spread into the one around them.',
  };
}

/** Finds the literal that a property spreads; null if it spreads something else, or an empty literal. */
function findSpreadLiteral(node: ts.ObjectLiteralElementLike): ts.ObjectLiteralExpression | null {
  if (!ts.isSpreadAssignment(node)) return null;
  const inner = skipParentheses(node.expression);
  return ts.isObjectLiteralExpression(inner) && inner.properties.length > 0 ? inner : null;
}

/** Creates the replacements that write the properties of the inner literal into the outer one. */
function unwrapSpread(
  node: ts.ObjectLiteralElementLike,
  inner: ts.ObjectLiteralExpression,
  outer: ts.ObjectLiteralExpression,
  source: TypedSource,
): Pick<CopyRemoval, 'replacements'> | { readonly refused: string } {
  const { sourceFile } = source;
  const reason = explainRefusal(inner) ?? explainDuplicateName(inner, outer);
  if (reason) return { refused: reason };
  const [first, last] = [inner.properties[0]!, inner.properties.at(-1)!];
  const [start, literalStart] = [node.getStart(sourceFile), first.getStart(sourceFile)];
  if (hasComment(source, start, literalStart) || hasComment(source, last.end, node.end))
    return { refused: 'A comment would be lost.' };
  if (sourceFile.text.slice(start, node.end).includes('\n'))
    return { refused: 'The literal takes several lines, which would have to be formatted again.' };
  return {
    replacements: [
      { start, end: literalStart, text: '' },
      { start: last.end, end: node.end, text: '' },
    ],
  };
}

/**
 * Changes `Object.assign({}, { a })` to `{ a }`, or refuses if that would change behaviour. Null for any other node.
 */
export function removeAssignOfLiteral(
  node: ts.Node,
  typedSource: TypedSource,
): CopyRemoval | { readonly refused: string } | null {
  const [target, source] = getGlobalCallArguments(node, typedSource, 'Object', 'assign', 2);
  if (!target || !source || !ts.isObjectLiteralExpression(target) || target.properties.length > 0) return null;
  const literal = skipParentheses(source);
  return ts.isObjectLiteralExpression(literal) ? replaceByLiteral(node, literal, typedSource, 'Object.assign') : null;
}

/**
 * Changes `JSON.parse(JSON.stringify({ a: 1 }))` to `{ a: 1 }`. Refuses unless all values are strings, finite numbers,
 * booleans or null. Null for any other node.
 */
export function removeRoundTripOfLiteral(
  node: ts.Node,
  source: TypedSource,
): CopyRemoval | { readonly refused: string } | null {
  const [stringifyCall] = getGlobalCallArguments(node, source, 'JSON', 'parse', 1);
  const [value] = stringifyCall
    ? getGlobalCallArguments(skipParentheses(stringifyCall), source, 'JSON', 'stringify', 1)
    : [];
  const literal = value && skipParentheses(value);
  if (!literal || !ts.isObjectLiteralExpression(literal)) return null;
  const isPlainData = literal.properties.every(
    (property) =>
      ts.isPropertyAssignment(property) &&
      !ts.isComputedPropertyName(property.name) &&
      isPlainValue(property.initializer),
  );
  return isPlainData
    ? replaceByLiteral(node, literal, source, 'The round trip through JSON')
    : { refused: 'JSON would change some of the values.' };
}

/**
 * Reads the arguments of a call of a global method such as `Object.assign` with `count` arguments; empty for other
 * nodes.
 */
function getGlobalCallArguments(
  node: ts.Node,
  source: TypedSource,
  owner: string,
  method: string,
  count: number,
): readonly ts.Expression[] {
  if (
    !ts.isCallExpression(node) ||
    node.arguments.length !== count ||
    node.arguments.some(ts.isSpreadElement) ||
    !ts.isPropertyAccessExpression(node.expression) ||
    node.questionDotToken
  )
    return [];
  const { expression, name } = node.expression;
  return ts.isIdentifier(expression) &&
    expression.text === owner &&
    name.text === method &&
    isGlobal(expression, source)
    ? node.arguments
    : [];
}

/** Replaces the copy by the literal. `copyDescription`: the operation that copies it, for the rationale. */
function replaceByLiteral(
  node: ts.Node,
  literal: ts.ObjectLiteralExpression,
  source: TypedSource,
  copyDescription: string,
): CopyRemoval | { readonly refused: string } {
  const { sourceFile } = source;
  const reason = explainRefusal(literal);
  if (reason) return { refused: reason };
  const [start, literalStart] = [node.getStart(sourceFile), literal.getStart(sourceFile)];
  if (hasComment(source, start, literalStart) || hasComment(source, literal.end, node.end))
    return { refused: 'A comment would be lost.' };
  // At the beginning of a statement, the brace of the literal would begin a block.
  if (beginsStatement(node)) return { refused: 'The literal would be read as a block.' };
  const needsParentheses = ts.isArrowFunction(node.parent) && node.parent.body === node;
  return {
    replacements: [
      { start, end: literalStart, text: needsParentheses ? '(' : '' },
      { start: literal.end, end: node.end, text: needsParentheses ? ')' : '' },
    ],
    title: 'use the object literal as it is',
    rationale: `${copyDescription} copies an object that was just written, so the copy is one object too many.`,
  };
}

/** True if a statement begins with the node. */
function beginsStatement(node: ts.Node): boolean {
  let current = node;
  for (; current.parent && !ts.isExpressionStatement(current); current = current.parent)
    if (current.parent.getStart() !== node.getStart()) return false;
  return ts.isExpressionStatement(current);
}

/**
 * The reason why the copy differs from the literal, as a sentence: the copy has the value of an accessor instead of the
 * accessor, `__proto__` sets a prototype, or a method uses `super`. Null if it does not differ.
 */
function explainRefusal(literal: ts.ObjectLiteralExpression): string | null {
  if (literal.properties.some(ts.isAccessor)) return 'An accessor would no longer be turned into its value.';
  if (
    literal.properties.some(
      (property) =>
        property.name &&
        ts.isPropertyAssignment(property) &&
        property.name.getText().replace(/['"]/g, '') === '__proto__',
    )
  )
    return 'The literal sets a prototype, which the copy would not inherit.';
  return collectDescendants(literal).some(({ kind }) => kind === ts.SyntaxKind.SuperKeyword)
    ? 'A method of the literal uses super.'
    : null;
}

/**
 * The refusal if the inner literal repeats a property of the outer one or of another spread; null if it repeats none.
 */
function explainDuplicateName(inner: ts.ObjectLiteralExpression, outer: ts.ObjectLiteralExpression): string | null {
  const namesOf = (literal: ts.ObjectLiteralExpression) =>
    literal.properties.flatMap(({ name }) =>
      name ? [ts.isComputedPropertyName(name) ? name.getText() : name.getText().replace(/['"]/g, '')] : [],
    );
  const spreadLiterals = outer.properties.flatMap((property) => findSpreadLiteral(property) ?? []);
  const takenNames = new Set([outer, ...spreadLiterals].filter((literal) => literal !== inner).flatMap(namesOf));
  const duplicateName = namesOf(inner).find((name) => takenNames.has(name));
  return duplicateName === undefined ? null : `Both literals have ${duplicateName}.`;
}

/** True for a string, a finite number, a boolean or null. */
function isPlainValue(value: ts.Expression): boolean {
  if (ts.isNumericLiteral(value)) return Number.isFinite(Number(value.text));
  return (
    ts.isStringLiteralLike(value) ||
    [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword].includes(value.kind)
  );
}

function hasComment({ sourceFile }: TypedSource, start: number, end: number): boolean {
  return /\/[/*]/.test(sourceFile.text.slice(start, end));
}
