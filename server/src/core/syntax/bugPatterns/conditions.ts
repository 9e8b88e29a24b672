// Bug patterns of conditions and operators: a condition that occurs twice, an operand that occurs twice, a condition
// that a literal decides, and a choice between equal results.

import { ts } from 'ts-morph';
import { skipParentheses } from '../controlFlow.ts';
import { hasOperator, isCondition, isNot, splitOperands, isAssignment } from '../values.ts';
import { isLiteral, isRepeatable, isSameCode, makesObject, quoteCode } from './sameCode.ts';
import type { BugPatternMatch, BugPatternFinder } from './pattern.ts';

const { BarBarToken, AmpersandAmpersandToken, QuestionQuestionToken } = ts.SyntaxKind;
/** Operators that give a fixed result, or one of the operands, if both operands are the same. */
const REPEAT_SENSITIVE_OPERATORS: ReadonlySet<ts.SyntaxKind> = new Set([
  BarBarToken,
  AmpersandAmpersandToken,
  QuestionQuestionToken,
  ts.SyntaxKind.MinusToken,
  ts.SyntaxKind.SlashToken,
  ts.SyntaxKind.PercentToken,
  ts.SyntaxKind.BarToken,
  ts.SyntaxKind.AmpersandToken,
  ts.SyntaxKind.CaretToken,
]);

/** Patterns of `if (…) … else if (…)`. */
export const chainPatterns: BugPatternFinder = { nodeKinds: [ts.SyntaxKind.IfStatement], find: findIfPattern };

/**
 * Maximum number of operands of a chain. Each operand is compared with all operands before it, and longer chains are
 * generated code.
 */
const MAX_OPERANDS = 100;

/** Patterns of `a || b`, `a && b`, `a ?? b` and `a - b`. */
export const operandPatterns: BugPatternFinder = {
  nodeKinds: [ts.SyntaxKind.BinaryExpression],
  find: findOperandPattern,
};

/** Patterns of `a ? b : c`. */
export const choicePatterns: BugPatternFinder = {
  nodeKinds: [ts.SyntaxKind.ConditionalExpression],
  find: findRepeatedResult,
};

/**
 * Finds an assignment of a literal that is the condition, and a condition of an `else if` that implies one of a branch
 * above. `node` is an `if`.
 */
function findIfPattern(node: ts.Node, sourceFile: ts.SourceFile): BugPatternMatch | null {
  const { expression } = node as ts.IfStatement;
  const assignmentMatch = findAssignment(expression);
  if (assignmentMatch) return assignmentMatch;
  const operandsOfBranch = splitOperands(expression, BarBarToken);
  const conditionsAbove: ts.Expression[] = [];
  for (let inner = node as ts.IfStatement; isElseIf(inner); ) {
    inner = inner.parent;
    conditionsAbove.push(inner.expression);
    const operandsAbove = splitOperands(inner.expression, BarBarToken);
    if (!operandsOfBranch.every((part) => operandsAbove.some((other) => isSameCode(part, other)))) continue;
    // Checked only after a match, because it takes long and few conditions occur twice.
    if (!conditionsAbove.every((condition) => isRepeatable(condition, sourceFile))) return null;
    return {
      name: 'same condition twice',
      node: expression,
      message: `this branch is never reached: whenever ${quoteCode(expression)} holds, a branch above is taken.`,
      conflicting: { node: inner.expression, message: 'This condition holds as well.' },
    };
  }
  return null;
}

function isElseIf(node: ts.IfStatement): node is ts.IfStatement & { readonly parent: ts.IfStatement } {
  return ts.isIfStatement(node.parent) && node.parent.elseStatement === node;
}

/** Finds `if (a = 5)`: the assigned literal decides, instead of the previous value. */
function findAssignment(condition: ts.Expression): BugPatternMatch | null {
  if (!hasOperator(condition, ts.SyntaxKind.EqualsToken) || !isLiteral(condition.right)) return null;
  return {
    name: 'assignment for a comparison',
    node: condition,
    message: `this assigns ${condition.right.getText()} where a comparison is meant, so the condition is always the same.`,
  };
}

/**
 * Finds an operand that occurs twice, a literal that decides a condition, and a fallback that is never used. `node` is
 * a binary expression.
 */
function findOperandPattern(node: ts.Node, sourceFile: ts.SourceFile): BugPatternMatch | null {
  const expression = node as ts.BinaryExpression;
  const { left, right, operatorToken } = expression;
  const { kind } = operatorToken;
  if (kind === QuestionQuestionToken && isNeverNullish(left)) return describeNeverNullish(left, right);
  if (kind === BarBarToken && isTruthyLiteral(right) && isCondition(expression)) return describeTruthy(right);
  if (!REPEAT_SENSITIVE_OPERATORS.has(kind)) return null;
  const isChain = kind === BarBarToken || kind === AmpersandAmpersandToken;
  // In `a && isReady(a) && a`, the last operand is the result of the expression.
  const isResultUsed = kind === AmpersandAmpersandToken && !isCondition(expression);
  const parts = isChain ? splitOperands(left, kind, MAX_OPERANDS) : [left];
  if (parts.length > MAX_OPERANDS) return null;
  const operands = parts.slice(isResultUsed ? -1 : 0);
  const first = operands.find((operand) => isSameCode(operand, right));
  if (!first || isLiteral(right) || !isRepeatable(right, sourceFile)) return null;
  if (operands.some((operand) => !isRepeatable(operand, sourceFile))) return null;
  // People write `x - x` to test whether a number is infinite, and to make a NaN.
  if (!isChain && ts.isIdentifier(skipParentheses(right))) return null;
  return {
    name: 'same operand twice',
    mayBeIntended: true,
    node: right,
    message: `${quoteCode(right)} is on both sides of ${quoteCode(operatorToken)}, so one of them is not what was meant, or is not needed.`,
    conflicting: { node: first, message: 'The same operand.' },
  };
}

function isTruthyLiteral(node: ts.Expression): boolean {
  const inner = skipParentheses(node);
  if (ts.isStringLiteralLike(inner)) return inner.text !== '';
  return (ts.isNumericLiteral(inner) && Number(inner.text) !== 0) || makesObject(inner);
}

function describeTruthy(literal: ts.Expression): BugPatternMatch {
  return {
    name: 'literal decides',
    mayBeIntended: true,
    node: literal,
    message: `${quoteCode(literal)} alone counts as true, so the condition always holds.`,
  };
}

/** True for the results of operators and for literals, which are neither null nor undefined. */
function isNeverNullish(node: ts.Expression): boolean {
  const inner = skipParentheses(node);
  if (isNot(inner) || ts.isTypeOfExpression(inner) || ts.isTemplateExpression(inner) || makesObject(inner)) return true;
  if (isLiteral(inner)) return inner.kind !== ts.SyntaxKind.NullKeyword;
  if (!ts.isBinaryExpression(inner)) return false;
  const { kind } = inner.operatorToken;
  if (isAssignment(inner)) return false;
  return ![BarBarToken, AmpersandAmpersandToken, QuestionQuestionToken, ts.SyntaxKind.CommaToken].includes(kind);
}

function describeNeverNullish(left: ts.Expression, right: ts.Expression): BugPatternMatch {
  return {
    name: 'fallback that is never used',
    node: right,
    message: `${quoteCode(left)} is never null or undefined, so the value behind \`??\` is never used.`,
  };
}

/** Finds a choice between two equal results. `node` is a conditional expression. */
function findRepeatedResult(node: ts.Node): BugPatternMatch | null {
  const { whenTrue, whenFalse, condition } = node as ts.ConditionalExpression;
  if (!isSameCode(whenTrue, whenFalse)) return null;
  return {
    name: 'same result twice',
    mayBeIntended: true,
    node,
    message: `both results are ${quoteCode(whenTrue)}, so ${quoteCode(condition)} decides nothing.`,
    conflicting: { node: whenTrue, message: 'The first of the two results.' },
  };
}
