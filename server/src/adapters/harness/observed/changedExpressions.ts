// Finds the expressions that only one side of a change has: conditions, calls and operations. Their values show whether
// inputs have exercised the change.

import { diffLines } from 'diff';
import { ts } from 'ts-morph';
import { collectNodesBelow } from '../../../core/syntax/nodesBelow.ts';
import { createKeyFunction } from './expressionKeys.ts';
import { MAX_OPERANDS, type ObservedExpression } from './observedCode.ts';

const SyntaxKind = ts.SyntaxKind;
/** Operators that compare their operands. */
const COMPARISON_OPERATORS = new Set([
  SyntaxKind.LessThanToken,
  SyntaxKind.LessThanEqualsToken,
  SyntaxKind.GreaterThanToken,
  SyntaxKind.GreaterThanEqualsToken,
  SyntaxKind.EqualsEqualsToken,
  SyntaxKind.EqualsEqualsEqualsToken,
  SyntaxKind.ExclamationEqualsToken,
  SyntaxKind.ExclamationEqualsEqualsToken,
  SyntaxKind.InKeyword,
  SyntaxKind.InstanceOfKeyword,
]);
/** Operators that compute a number, or join texts. */
const ARITHMETIC_OPERATORS = new Set([
  SyntaxKind.PlusToken,
  SyntaxKind.MinusToken,
  SyntaxKind.AsteriskToken,
  SyntaxKind.AsteriskAsteriskToken,
  SyntaxKind.SlashToken,
  SyntaxKind.PercentToken,
  SyntaxKind.AmpersandToken,
  SyntaxKind.BarToken,
  SyntaxKind.CaretToken,
  SyntaxKind.LessThanLessThanToken,
  SyntaxKind.GreaterThanGreaterThanToken,
  SyntaxKind.GreaterThanGreaterThanGreaterThanToken,
]);
/** Maps each compound assignment operator to the right operand that leaves the variable unchanged. */
const NEUTRAL_VALUES = new Map([
  [SyntaxKind.PlusEqualsToken, 0],
  [SyntaxKind.MinusEqualsToken, 0],
  [SyntaxKind.BarEqualsToken, 0],
  [SyntaxKind.CaretEqualsToken, 0],
  [SyntaxKind.LessThanLessThanEqualsToken, 0],
  [SyntaxKind.GreaterThanGreaterThanEqualsToken, 0],
  [SyntaxKind.GreaterThanGreaterThanGreaterThanEqualsToken, 0],
  [SyntaxKind.AsteriskEqualsToken, 1],
  [SyntaxKind.AsteriskAsteriskEqualsToken, 1],
  [SyntaxKind.SlashEqualsToken, 1],
]);
/** Names of methods that copy their object if they are called without arguments. */
const COPYING_METHODS = new Set(['slice', 'concat', 'toSpliced']);

/** An expression to observe. */
export interface FoundExpression extends Pick<ObservedExpression, 'kind'> {
  readonly node: ts.Expression;
  /** The operands with which the value is compared; empty unless the kind is `effect`. */
  readonly operands: readonly ts.Expression[];
  /** The name of the called method or function; empty for operations. */
  readonly method: string;
  /** The right operand that leaves the variable unchanged; only for the kind `neutral`, otherwise 0. */
  readonly neutralValue: number;
  /**
   * True if the code may pause (`await`, `yield`) in the expression before it reaches the first of `operands`, so that
   * other evaluations of the expression may begin meanwhile.
   */
  readonly mayPause: boolean;
}

/** The texts of the edited files of one side, by path, as JavaScript. */
export type SideTexts = ReadonlyMap<string, string>;

/**
 * Returns, by path, the expressions that `side` has more often than `otherSide`. Names of variables make no difference,
 * and a name that stands for a literal counts as that literal. Of equal expressions, only those on changed lines are
 * returned, or all if none is on a changed line.
 */
export function findChangedExpressions(
  side: SideTexts,
  otherSide: SideTexts,
): ReadonlyMap<string, { readonly sourceFile: ts.SourceFile; readonly expressions: readonly FoundExpression[] }> {
  const files = parseAll(side);
  const otherFiles = parseAll(otherSide);
  const keyOf = createKeyFunction([...files.values()]);
  const otherKeyOf = createKeyFunction([...otherFiles.values()]);
  const [plainKeyOf, otherPlainKeyOf] = [
    createKeyFunction([...files.values()], false),
    createKeyFunction([...otherFiles.values()], false),
  ];
  const countDifferences = new Map<string, number>();
  /** Calls that the other side observes, by their keys without `?.`. */
  const otherCalls = new Set<string>();
  for (const file of otherFiles.values())
    for (const { kind, node } of listExpressions(file)) {
      const key = `${kind} ${otherKeyOf(node)}`;
      countDifferences.set(key, (countDifferences.get(key) ?? 0) - 1);
      if (kind === 'effect') otherCalls.add(otherPlainKeyOf(node));
    }
  // A default that only one side has may belong to a function that the other side does not have.
  const hasOtherDefaults = [...countDifferences].some(([key]) => key.startsWith('default '));
  const groupsByKey = new Map<
    string,
    { readonly path: string; readonly found: FoundExpression; readonly isOnChangedLine: boolean }[]
  >();
  for (const [path, file] of files) {
    const isOnChangedLine = createLineTest(otherSide.get(path) ?? '', file);
    for (const expression of listExpressions(file)) {
      // The other side makes the same call, so only the guard of the call has changed.
      if (expression.kind === 'hidden' && otherCalls.has(plainKeyOf(expression.node))) continue;
      const key = `${expression.kind} ${keyOf(expression.node)}`;
      countDifferences.set(key, (countDifferences.get(key) ?? 0) + 1);
      const group = groupsByKey.get(key) ?? [];
      group.push({ path, found: expression, isOnChangedLine: isOnChangedLine(expression.node) });
      groupsByKey.set(key, group);
    }
  }
  const expressions = new Map<string, FoundExpression[]>([...files.keys()].map((path) => [path, []]));
  for (const [key, group] of groupsByKey) {
    if ((countDifferences.get(key) ?? 0) <= 0 || (key.startsWith('default ') && !hasOtherDefaults)) continue;
    const foundOnChangedLines = group.filter(({ isOnChangedLine }) => isOnChangedLine);
    for (const { path, found } of foundOnChangedLines.length > 0 ? foundOnChangedLines : group)
      expressions.get(path)!.push(found);
  }
  return new Map([...files].map(([path, sourceFile]) => [path, { sourceFile, expressions: expressions.get(path)! }]));
}

function parseAll(texts: SideTexts): ReadonlyMap<string, ts.SourceFile> {
  return new Map(
    [...texts].map(([path, text]) => [
      path,
      ts.createSourceFile('code.jsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JSX),
    ]),
  );
}

/** Returns a function that is true for a node on a line that the other text does not have. */
function createLineTest(otherText: string, file: ts.SourceFile): (node: ts.Node) => boolean {
  const ranges: [number, number][] = [];
  let offset = 0;
  for (const { value, added, removed } of diffLines(otherText, file.text)) {
    if (removed) continue;
    if (added) ranges.push([offset, offset + value.length]);
    offset += value.length;
  }
  return (node) => ranges.some(([from, to]) => node.getStart(file) < to && from < node.end);
}

/** The expressions of functions whose values can be observed without changing what the code does. */
function listExpressions(file: ts.SourceFile): readonly FoundExpression[] {
  return collectNodesBelow(file).flatMap((node) => {
    if (!ts.isExpression(node) || !isReadInFunction(node)) return [];
    return isInsideChain(node) ? classifyInChain(node) : classify(node);
  });
}

/**
 * True for an inner part of a chain with `?.`. It cannot be wrapped in a call, because that would take it out of the
 * chain.
 */
function isInsideChain(node: ts.Expression): boolean {
  const { parent } = node;
  return ts.isOptionalChain(node) && ts.isOptionalChain(parent) && parent.expression === node;
}

function isReadInFunction(node: ts.Expression): boolean {
  const { parent } = node;
  if (!ts.findAncestor(node, ts.isFunctionLike)) return false;
  if (ts.isDeleteExpression(parent) || ts.isTypeOfExpression(parent)) return false;
  if (ts.isParameter(parent)) return true;
  return !(ts.isParenthesizedExpression(node) || ts.isLiteralExpression(node) || isConstantWord(node));
}

function isConstantWord(node: ts.Expression): boolean {
  return (
    node.kind === SyntaxKind.TrueKeyword ||
    node.kind === SyntaxKind.FalseKeyword ||
    node.kind === SyntaxKind.NullKeyword
  );
}

/** The fields of an expression without operands. */
const DEFAULT_FIELDS = { operands: [], method: '', neutralValue: 0, mayPause: false };

function classifyInChain(node: ts.Expression): readonly FoundExpression[] {
  return ts.isCallExpression(node) && node.arguments.length > 0 ? [{ ...DEFAULT_FIELDS, node, kind: 'hidden' }] : [];
}

function classify(node: ts.Expression): readonly FoundExpression[] {
  const commonFields = { ...DEFAULT_FIELDS, node };
  const results: FoundExpression[] = [];
  const isComparison = ts.isBinaryExpression(node) && COMPARISON_OPERATORS.has(node.operatorToken.kind);
  if (isComparison || (isConditionLeaf(node) && !isNegationOrLogical(node)))
    results.push({ ...commonFields, kind: 'both' });
  const { parent } = node;
  if (ts.isParameter(parent) && parent.initializer === node && ts.isLiteralExpression(node))
    return [{ ...commonFields, kind: 'default' }];
  if (ts.isBinaryExpression(parent)) {
    const { kind } = parent.operatorToken;
    if (kind === SyntaxKind.QuestionQuestionToken && parent.left === node)
      results.push({ ...commonFields, kind: 'nullish' });
    const neutralValue = NEUTRAL_VALUES.get(kind);
    if (neutralValue !== undefined && parent.right === node)
      results.push({ ...commonFields, kind: 'neutral', neutralValue });
  }
  const effect = findEffect(node);
  if (effect) results.push({ ...commonFields, ...effect, kind: 'effect' });
  return results;
}

/** True for `!`, `&&` and `||`, whose operands in a condition are examined one by one. */
function isNegationOrLogical(node: ts.Expression): boolean {
  return (
    (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) ||
    (ts.isBinaryExpression(node) &&
      (node.operatorToken.kind === SyntaxKind.AmpersandAmpersandToken ||
        node.operatorToken.kind === SyntaxKind.BarBarToken))
  );
}

/** True if the code takes a branch by the value of the node, alone or as an operand of `!`, `&&` or `||`. */
function isConditionLeaf(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isParenthesizedExpression(parent)) return isConditionLeaf(parent);
  if (ts.isPrefixUnaryExpression(parent)) return parent.operator === SyntaxKind.ExclamationToken;
  if (ts.isBinaryExpression(parent) && isNegationOrLogical(parent))
    return parent.left === node || isConditionLeaf(parent);
  if (ts.isConditionalExpression(parent)) return parent.condition === node;
  if (ts.isForStatement(parent)) return parent.condition === node;
  return (
    (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent)) && parent.expression === node
  );
}

/**
 * The operands and the method of a call or an arithmetic operation whose value is used; null for any other expression,
 * and for a call that only copies.
 */
function findEffect(node: ts.Expression): Pick<FoundExpression, 'operands' | 'method' | 'mayPause'> | null {
  if (ts.isExpressionStatement(node.parent)) return null;
  if (ts.isBinaryExpression(node) && ARITHMETIC_OPERATORS.has(node.operatorToken.kind))
    return selectOperands([node.left, node.right], '');
  if (!ts.isCallExpression(node) || node.expression.kind === SyntaxKind.ImportKeyword) return null;
  const callee = node.expression;
  if (callee.kind === SyntaxKind.SuperKeyword) return null;
  const isMember = ts.isPropertyAccessExpression(callee);
  const method = isMember ? callee.name.text : '';
  if (node.arguments.length === 0 && COPYING_METHODS.has(method)) return null;
  if (ts.isOptionalChain(node) && isInsideChain(callee)) {
    const isRoot = isMember && !ts.isOptionalChain(callee.expression);
    return selectOperands([...(isRoot ? [callee.expression] : []), ...node.arguments], method);
  }
  return selectOperands([...(isMember ? [callee.expression] : []), ...node.arguments], method);
}

/** The operands to compare, beginning with the last one in which the code may pause, at most `MAX_OPERANDS`. */
function selectOperands(
  values: readonly ts.Expression[],
  method: string,
): Pick<FoundExpression, 'operands' | 'method' | 'mayPause'> {
  const lastPause = values.findLastIndex(mayPause);
  const operands = values.slice(Math.max(0, lastPause)).filter(isOperand).slice(0, MAX_OPERANDS);
  return { operands, method, mayPause: lastPause >= 0 };
}

/**
 * True for a value that the operation could return unchanged. Literals, functions, objects and `super` are not
 * compared.
 */
function isOperand(node: ts.Expression): boolean {
  return !(
    ts.isLiteralExpression(node) ||
    ts.isSpreadElement(node) ||
    ts.isFunctionLike(node) ||
    ts.isObjectLiteralExpression(node) ||
    (ts.isPrefixUnaryExpression(node) && ts.isLiteralExpression(node.operand)) ||
    isConstantWord(node) ||
    node.kind === SyntaxKind.SuperKeyword
  );
}

/** True if the code may pause inside of the expression. */
function mayPause(node: ts.Expression): boolean {
  const visit = (child: ts.Node): boolean =>
    ts.isAwaitExpression(child) ||
    ts.isYieldExpression(child) ||
    (!ts.isFunctionLike(child) && (ts.forEachChild(child, visit) ?? false));
  return visit(node);
}
