// The bug pattern of a text in lower case that is compared with one that has capitals, or the other way round.

import { ts } from 'ts-morph';
import { skipParentheses } from '../controlFlow.ts';
import { quoteCode } from './sameCode.ts';
import type { BugPatternFinder, BugPatternMatch } from './pattern.ts';

/** Patterns of `a === b`, `a.includes(b)` and `case b:`. */
export const letterCasePatterns: BugPatternFinder = {
  nodeKinds: [ts.SyntaxKind.BinaryExpression, ts.SyntaxKind.CallExpression, ts.SyntaxKind.CaseClause],
  find: findLetterCase,
};

const EQUALITY_OPERATORS: ReadonlySet<ts.SyntaxKind> = new Set([
  ...[ts.SyntaxKind.EqualsEqualsToken, ts.SyntaxKind.EqualsEqualsEqualsToken],
  ...[ts.SyntaxKind.ExclamationEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken],
]);
/** Methods of strings that search for another string. */
const SEARCH_METHODS: ReadonlySet<string> = new Set(['includes', 'startsWith', 'endsWith', 'indexOf', 'lastIndexOf']);
/**
 * For each method that changes the case of a text, the same conversion. The conversions for a locale are treated like
 * the others.
 */
const CONVERSIONS: ReadonlyMap<string, (text: string) => string> = new Map([
  ['toLowerCase', (text) => text.toLowerCase()],
  ['toLocaleLowerCase', (text) => text.toLowerCase()],
  ['toUpperCase', (text) => text.toUpperCase()],
  ['toLocaleUpperCase', (text) => text.toUpperCase()],
]);

/**
 * Finds a comparison, search or `case` that never matches because of the case of letters, such as `name.toLowerCase()
 * === 'Content-Type'`.
 */
function findLetterCase(node: ts.Node): BugPatternMatch | null {
  for (const [converted, literal] of listComparisons(node)) {
    const convert = readConversion(converted);
    const text = skipParentheses(literal);
    if (!convert || !ts.isStringLiteralLike(text) || convert(text.text) === text.text) continue;
    return {
      name: 'other letter case',
      node: literal,
      message: `${quoteCode(converted)} never matches ${quoteCode(literal)}, which has letters of the other case.`,
      conflicting: { node: converted, message: 'The text is converted here.' },
    };
  }
  return null;
}

/** The pairs of expressions that are compared as texts; each may be the converted one. */
function listComparisons(node: ts.Node): readonly (readonly [ts.Expression, ts.Expression])[] {
  if (ts.isBinaryExpression(node) && EQUALITY_OPERATORS.has(node.operatorToken.kind))
    return [
      [node.left, node.right],
      [node.right, node.left],
    ];
  if (ts.isCaseClause(node)) return [[node.parent.parent.expression, node.expression]];
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const { expression, name } = node.expression;
  const [searchedText] = node.arguments;
  return SEARCH_METHODS.has(name.text) && searchedText ? [[expression, searchedText]] : [];
}

/** The conversion of `text.toLowerCase()`; null for anything else. */
function readConversion(node: ts.Expression): ((text: string) => string) | null {
  const inner = skipParentheses(node);
  if (!ts.isCallExpression(inner) || !ts.isPropertyAccessExpression(inner.expression)) return null;
  // A literal receiver tests the platform: `'İ'.toLowerCase() === 'İ'`.
  if (ts.isStringLiteralLike(skipParentheses(inner.expression.expression))) return null;
  return CONVERSIONS.get(inner.expression.name.text) ?? null;
}
