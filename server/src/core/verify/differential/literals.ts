// Collects the values at which code may branch from the literals of the code and its tests. The generator of inputs
// uses them.

import { ts } from 'ts-morph';
import type { DifferentialPlan } from './plan.ts';

/**
 * Maximum length of a string, because longer strings are usually messages; and of a string in new code, where even a
 * long one may be a special case.
 */
const [MAX_STRING_LENGTH, MAX_NEW_STRING_LENGTH] = [40, 400];
/** Maximum number of literals of each kind: numbers, strings, bigints. */
const MAX_LITERALS = 120;
/**
 * Range of the lengths of strings and arrays that are generated because the code contains such a number. Shorter ones
 * are generated anyway, and longer ones never.
 */
const [MIN_LENGTH, MAX_LENGTH] = [4, 100_000];
/** Maximum number of regular expressions, and also of lengths of strings and arrays. */
const MAX_LIMITS = 24;

/**
 * The literals of the code, at most `MAX_LITERALS` of each kind. The literals of `newNodes` come first, with strings of
 * up to 400 characters; then those of `sourceFiles`, with strings of up to 40. Words in regular expressions count as
 * strings.
 */
export function collectLiterals(
  sourceFiles: readonly ts.Node[],
  newNodes: readonly ts.Node[] = [],
): DifferentialPlan['constants'] {
  let maxLength = MAX_NEW_STRING_LENGTH;
  const numbers = new Set<number>();
  const strings = new Set<string>();
  const bigints = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isNumericLiteral(node) && numbers.size < MAX_LITERALS) numbers.add(Number(node.text));
    else if (ts.isBigIntLiteral(node) && bigints.size < MAX_LITERALS) bigints.add(node.text.slice(0, -1));
    else if (ts.isStringLiteralLike(node) && node.text.length <= maxLength && strings.size < MAX_LITERALS)
      strings.add(node.text);
    else if (ts.isRegularExpressionLiteral(node))
      for (const [word] of node.text.matchAll(/[A-Za-z0-9]{1,12}/g)) if (strings.size < MAX_LITERALS) strings.add(word);
    ts.forEachChild(node, visit);
  };
  const limits = collectLimits(newNodes);
  for (const value of limits.numbers) if (numbers.size < MAX_LITERALS) numbers.add(value);
  for (const node of newNodes) visit(node);
  maxLength = MAX_STRING_LENGTH;
  for (const file of sourceFiles) visit(file);
  return {
    numbers: [...numbers],
    strings: [...strings],
    bigints: [...bigints],
    ...(limits.patterns.length > 0 && { patterns: limits.patterns }),
    ...(limits.lengths.length > 0 && { lengths: limits.lengths }),
  };
}

/** The regular expressions and the numbers of the nodes, including constant expressions such as `8 * 1024`. */
function collectLimits(nodes: readonly ts.Node[]) {
  const patterns = new Map<string, { readonly source: string; readonly flags: string }>();
  const numbers = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node) && patterns.size < MAX_LIMITS) {
      const end = node.text.lastIndexOf('/');
      patterns.set(node.text, { source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    const value = ts.isExpression(node) ? foldConstant(node) : null;
    if (value !== null && Number.isFinite(value)) numbers.add(value);
    ts.forEachChild(node, visit);
  };
  for (const node of nodes) visit(node);
  const lengths = [...numbers].filter((value) => Number.isInteger(value) && MIN_LENGTH <= value && value <= MAX_LENGTH);
  return { patterns: [...patterns.values()], numbers, lengths: lengths.slice(0, MAX_LIMITS) };
}

/** The value of an arithmetic expression of numbers; null for any other expression. */
function foldConstant(node: ts.Expression): number | null {
  if (ts.isNumericLiteral(node)) return Number(node.text.replaceAll('_', ''));
  if (ts.isParenthesizedExpression(node)) return foldConstant(node.expression);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    const value = foldConstant(node.operand);
    return value === null ? null : -value;
  }
  if (!ts.isBinaryExpression(node)) return null;
  const operation = OPERATIONS.get(node.operatorToken.kind);
  if (!operation) return null;
  const [left, right] = [foldConstant(node.left), foldConstant(node.right)];
  return left === null || right === null ? null : operation(left, right);
}

const OPERATIONS = new Map<ts.SyntaxKind, (left: number, right: number) => number>([
  [ts.SyntaxKind.PlusToken, (left, right) => left + right],
  [ts.SyntaxKind.MinusToken, (left, right) => left - right],
  [ts.SyntaxKind.AsteriskToken, (left, right) => left * right],
  [ts.SyntaxKind.AsteriskAsteriskToken, (left, right) => left ** right],
  [ts.SyntaxKind.SlashToken, (left, right) => left / right],
  [ts.SyntaxKind.LessThanLessThanToken, (left, right) => left << right],
]);
