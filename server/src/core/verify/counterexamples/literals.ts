// Evaluates literals, and templates, arrays and objects that are made of other values, in test code. Two evaluators
// share this: `evaluateArguments.ts` for the values of one call, and `sequences/readTest.ts` for whole tests. A new
// kind of plain value belongs here; anything that depends on names or calls belongs in one of these two.

import { ts } from 'ts-morph';

/** Stands for a value, or a part of one, that cannot be determined without running the code. */
export const UNKNOWN: unique symbol = Symbol('unknown');
export type Unknown = typeof UNKNOWN;

/** The value of a literal; unknown for other code. */
export function evaluateLiteral(node: ts.Expression): string | number | boolean | null | Unknown {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === ts.SyntaxKind.NullKeyword) return null;
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  return node.kind === ts.SyntaxKind.FalseKeyword ? false : UNKNOWN;
}

/** The expression inside parentheses or a type assertion; null for any other expression. */
export function unwrapExpression(node: ts.Expression): ts.Expression | null {
  return ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
    ? node.expression
    : null;
}

/** The value of a template; unknown unless all of its parts are strings and numbers. */
export function evaluateTemplate(
  { head, templateSpans }: ts.TemplateExpression,
  evaluatePart: (part: ts.Expression) => unknown,
): string | Unknown {
  const parts = templateSpans.map(({ expression, literal }) => [evaluatePart(expression), literal.text] as const);
  const isText = parts.every(([value]) => typeof value === 'string' || typeof value === 'number');
  return isText ? head.text + parts.map(([value, text]) => String(value) + text).join('') : UNKNOWN;
}

/**
 * The elements of an array literal; null if they are unknown, or more than `maxLiterals`. `elementsOf`: the elements of
 * a spread value; null if it is not an array.
 */
export function evaluateElements<V>(
  { elements }: ts.ArrayLiteralExpression,
  evaluatePart: (part: ts.Expression) => V,
  elementsOf: (value: V) => readonly V[] | null,
  maxLiterals = Infinity,
): readonly V[] | null {
  const literals: V[] = [];
  for (const element of elements) {
    const spread = ts.isSpreadElement(element) ? elementsOf(evaluatePart(element.expression)) : [evaluatePart(element)];
    if (spread === null || literals.length + spread.length > maxLiterals) return null;
    literals.push(...spread);
  }
  return literals;
}

type Fields<V> = readonly (readonly [name: string, value: V])[];

/**
 * The properties of an object literal; null if a name is unknown. The value of a method is `UNKNOWN`. `fieldsOf`: the
 * properties of a spread value; null if it is not an object.
 */
export function evaluateFields<V>(
  { properties }: ts.ObjectLiteralExpression,
  evaluatePart: (part: ts.Expression) => V,
  fieldsOf: (value: V) => Fields<V> | null,
): Fields<V | Unknown> | null {
  const fields = new Map<string, V | Unknown>();
  for (const property of properties) {
    if (ts.isSpreadAssignment(property)) {
      const spread = fieldsOf(evaluatePart(property.expression));
      if (spread === null) return null;
      for (const [name, value] of spread) fields.set(name, value);
      continue;
    }
    if (ts.isComputedPropertyName(property.name)) return null;
    const name = readPropertyName(property.name);
    if (ts.isShorthandPropertyAssignment(property)) fields.set(name, evaluatePart(property.name));
    else fields.set(name, ts.isPropertyAssignment(property) ? evaluatePart(property.initializer) : UNKNOWN);
  }
  return [...fields];
}

/** The name of a property, without quotes. */
function readPropertyName(name: ts.PropertyName): string {
  return ts.isStringLiteralLike(name) || ts.isNumericLiteral(name) ? name.text : name.getText();
}
