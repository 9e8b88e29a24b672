// Bug patterns of comparisons: of a value with itself, with NaN, with a new object, of `typeof` with a text that it
// never gives, and of a comparison with a third value.

import { ts } from 'ts-morph';
import { skipParentheses } from '../controlFlow.ts';
import { hasOperator, isNot, findNullishWord } from '../values.ts';
import { isLiteral, isRepeatable, isSameCode, makesObject, quoteCode } from './sameCode.ts';
import type { BugPatternMatch, BugPatternFinder } from './pattern.ts';

const EQUALITY_OPERATORS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);
const ORDER_OPERATORS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
]);
/** The results of `typeof`. Old versions of Internet Explorer give `unknown` for some objects. */
const TYPEOF_RESULTS: ReadonlySet<string> = new Set(
  'undefined object boolean number string function symbol bigint unknown'.split(' '),
);
/** Names of global classes that people compare with `typeof`, each with the result that they mean. */
const RESULT_BY_CLASS: ReadonlyMap<string, string> = new Map(
  ['String', 'Number', 'Boolean', 'Function', 'Symbol', 'Object'].map((name) => [name, name.toLowerCase()]),
);

/** Patterns of `a === b`, `a < b`, `!a in b`. */
export const comparisonPatterns: BugPatternFinder = {
  nodeKinds: [ts.SyntaxKind.BinaryExpression],
  find: findComparison,
};

/** Patterns of `case x:` in `switch (typeof y)` and `case NaN:`. */
export const casePatterns: BugPatternFinder = { nodeKinds: [ts.SyntaxKind.CaseClause], find: findCasePattern };

/** Patterns of a whole `switch`: a case that occurs twice. */
export const switchPatterns: BugPatternFinder = { nodeKinds: [ts.SyntaxKind.CaseBlock], find: findRepeatedCase };

/** The first pattern of a comparison, `in` or `instanceof`; null if there is none. `node` is a binary expression. */
function findComparison(node: ts.Node, sourceFile: ts.SourceFile): BugPatternMatch | null {
  const comparison = node as ts.BinaryExpression;
  const { kind } = comparison.operatorToken;
  const isEquality = EQUALITY_OPERATORS.has(kind);
  if (isEquality || ORDER_OPERATORS.has(kind))
    return (
      findNaNComparison(comparison, isEquality) ??
      (isEquality
        ? (findWrongTypeof(comparison) ?? findNewObjectComparison(comparison))
        : findChainedComparison(comparison)) ??
      findSelfComparison(comparison, sourceFile)
    );
  return kind === ts.SyntaxKind.InKeyword || kind === ts.SyntaxKind.InstanceOfKeyword
    ? findNegatedLeftSide(comparison)
    : null;
}

/**
 * Finds a comparison of a value with itself. `x !== x`, `x === x` and `x >= x` are tests for NaN, so only `<` and `>`
 * count, and the others of more than a name, except `!==` and `!=`.
 */
function findSelfComparison(
  { left, right, operatorToken }: ts.BinaryExpression,
  sourceFile: ts.SourceFile,
): BugPatternMatch | null {
  const inner = skipParentheses(left);
  if (isLiteral(inner) || !isSameCode(left, right) || !isRepeatable(left, sourceFile)) return null;
  const { kind } = operatorToken;
  const isDifference =
    kind === ts.SyntaxKind.ExclamationEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsEqualsToken;
  const isAlwaysFalse = kind === ts.SyntaxKind.LessThanToken || kind === ts.SyntaxKind.GreaterThanToken;
  if (isDifference || (!isAlwaysFalse && ts.isIdentifier(inner))) return null;
  const result = isAlwaysFalse ? 'the result is always `false`' : 'the result is `false` only for NaN';
  return {
    name: 'compared with itself',
    mayBeIntended: true,
    node: operatorToken.parent,
    message: `${quoteCode(inner)} is compared with itself, so ${result}.`,
  };
}

/** Finds a comparison with NaN. */
function findNaNComparison(comparison: ts.BinaryExpression, isEquality: boolean): BugPatternMatch | null {
  const { left, right, operatorToken } = comparison;
  const value = isNaNReference(right) ? left : isNaNReference(left) ? right : null;
  if (!value) return null;
  const text = operatorToken.getText();
  const isDifference = text.startsWith('!');
  const inner = skipParentheses(value);
  // Without its parentheses, `(a, b)` would be two arguments.
  const argument = hasOperator(inner, ts.SyntaxKind.CommaToken) ? value : inner;
  return {
    name: 'compared with NaN',
    node: comparison,
    message: `a comparison with NaN is always ${isDifference}: NaN differs from every value, itself included.`,
    ...(isEquality ? { replacement: `${isDifference ? '!' : ''}Number.isNaN(${argument.getText()})` } : {}),
  };
}

function isNaNReference(node: ts.Expression): boolean {
  const inner = skipParentheses(node);
  return (
    (ts.isIdentifier(inner) && inner.text === 'NaN') ||
    (ts.isPropertyAccessExpression(inner) &&
      inner.name.text === 'NaN' &&
      ts.isIdentifier(inner.expression) &&
      inner.expression.text === 'Number')
  );
}

/**
 * Finds a comparison of `typeof` with a value that it never gives: `typeof x === 'strng'`, `typeof x === undefined`.
 */
function findWrongTypeof({ left, right }: ts.BinaryExpression): BugPatternMatch | null {
  const result = isTypeof(left) ? right : isTypeof(right) ? left : null;
  return result && describeTypeof(skipParentheses(result));
}

function isTypeof(node: ts.Expression): boolean {
  return ts.isTypeOfExpression(skipParentheses(node));
}

/** The pattern for a value that `typeof` is compared with; null if `typeof` may give the value. */
function describeTypeof(result: ts.Expression): BugPatternMatch | null {
  const meantResult =
    findNullishWord(result) ?? (ts.isIdentifier(result) ? RESULT_BY_CLASS.get(result.text) : undefined);
  if (meantResult === undefined && !(ts.isStringLiteralLike(result) && !TYPEOF_RESULTS.has(result.text))) return null;
  return {
    name: 'typeof with no type',
    node: result,
    message: `\`typeof\` never gives ${quoteCode(result)}.`,
    ...(meantResult === 'undefined' && ts.isIdentifier(result) ? { replacement: `'undefined'` } : {}),
  };
}

/**
 * Finds `x === []`: no other value is equal to a new object. `==` compares a list by its text, so only object literals
 * count there.
 */
function findNewObjectComparison(comparison: ts.BinaryExpression): BugPatternMatch | null {
  const { left, right, operatorToken } = comparison;
  const operator = operatorToken.getText();
  const newObject = [left, right].find((side) => makesObject(side));
  if (!newObject || (operator.length === 2 && !ts.isObjectLiteralExpression(skipParentheses(newObject)))) return null;
  const text = skipParentheses(newObject).getText();
  const name = text.length > 20 ? 'a new object' : `the new object \`${text}\``;
  return {
    name: 'compared with a new object',
    node: comparison,
    message: `a comparison with ${name} is always ${operator.startsWith('!')}: no other value is the same object.`,
  };
}

/**
 * Finds `a < b < c`, which compares `true` or `false` with `c`. `a < b > (c)` may be meant as a type argument or a
 * template, so both operators must have the same direction.
 */
function findChainedComparison({ left, operatorToken }: ts.BinaryExpression): BugPatternMatch | null {
  if (!ts.isBinaryExpression(left) || !ORDER_OPERATORS.has(left.operatorToken.kind)) return null;
  if (left.operatorToken.getText().charAt(0) !== operatorToken.getText().charAt(0)) return null;
  return {
    name: 'comparison of a comparison',
    node: operatorToken.parent,
    message: `${quoteCode(left)} is true or false, and this is what the second comparison gets, not the number.`,
  };
}

/**
 * Finds `!key in object`, which tests for the key `true` or `false`. For `!!key in object`, it is uncertain what the
 * author means, so there is no replacement.
 */
function findNegatedLeftSide(comparison: ts.BinaryExpression): BugPatternMatch | null {
  const { left, right, operatorToken } = comparison;
  if (!isNot(left)) return null;
  const operator = operatorToken.getText();
  const value = left.operand.getText();
  return {
    name: 'negated left side',
    node: comparison,
    message: `\`!\` belongs to \`${value}\` alone, so this tests whether true or false is ${operator === 'in' ? 'a key' : 'an instance'}.`,
    ...(isNot(skipParentheses(left.operand)) ? {} : { replacement: `!(${value} ${operator} ${right.getText()})` }),
  };
}

/** Finds a `case` with a value that `typeof` never gives, and `case NaN`. `node` is a `case`. */
function findCasePattern(node: ts.Node): BugPatternMatch | null {
  const { expression, parent } = node as ts.CaseClause;
  if (isTypeof(parent.parent.expression)) return describeTypeof(skipParentheses(expression));
  return isNaNReference(expression)
    ? {
        name: 'compared with NaN',
        node: expression,
        message: 'a `case NaN` is never reached: NaN differs from every value, itself included.',
      }
    : null;
}

/**
 * The first case of a `switch` whose value an earlier case has; null if there is none. `node` is the block of the
 * `switch`.
 */
function findRepeatedCase(node: ts.Node, sourceFile: ts.SourceFile): BugPatternMatch | null {
  const firstByText = new Map<string, ts.Expression>();
  for (const clause of (node as ts.CaseBlock).clauses) {
    if (!ts.isCaseClause(clause)) continue;
    const { expression } = clause;
    const text = skipParentheses(expression).getText(sourceFile);
    const first = firstByText.get(text);
    if (first && isRepeatable(expression, sourceFile))
      return {
        name: 'same case twice',
        node: expression,
        message: `the case ${quoteCode(expression)} is already above, so this one is never reached.`,
        conflicting: { node: first, message: 'The first case with this value.' },
      };
    if (!first) firstByText.set(text, expression);
  }
  return null;
}
