// Negates a condition with as few changes as possible.

import { ts } from 'ts-morph';
import type { Replacement } from '../textEdit.ts';
import { OPPOSITE_EQUALITY } from '../../syntax/values.ts';

/**
 * Creates the replacements that negate `condition`, which stands alone between parentheses, as after `if`. Equality
 * becomes inequality and vice versa, a leading `!` is removed, names and calls get one, and chains of up to four
 * operands are negated by De Morgan's laws. Other conditions are wrapped: `a < b` becomes `!(a < b)`, because `a >= b`
 * differs for NaN.
 */
export function negate(sourceFile: ts.SourceFile, condition: ts.Expression): Replacement[] {
  return (
    negateSimple(sourceFile, condition) ?? negateChain(sourceFile, condition) ?? wrapInNegation(sourceFile, condition)
  );
}

/** Wraps the condition in `!(…)`. */
function wrapInNegation(sourceFile: ts.SourceFile, condition: ts.Expression): Replacement[] {
  return [
    { start: condition.getStart(sourceFile), end: condition.getStart(sourceFile), text: '!(' },
    { start: condition.end, end: condition.end, text: ')' },
  ];
}

/** Negates a chain by De Morgan if each operand is simple or a chain of simple ones in parentheses; otherwise null. */
function negateChain(sourceFile: ts.SourceFile, condition: ts.Expression): Replacement[] | null {
  const chain = findChain(condition);
  if (!chain) return null;
  const parts = chain.operands.map(
    (operand) =>
      (ts.isParenthesizedExpression(operand) ? negateChain(sourceFile, operand.expression) : null) ??
      negateSimple(sourceFile, operand, true),
  );
  if (!parts.every((part) => part !== null)) return null;
  return [
    ...parts.flat(),
    ...chain.operators.map((operator) => ({
      start: operator.getStart(sourceFile),
      end: operator.end,
      text: chain.opposite,
    })),
  ];
}

/** Negates a simple expression; null if no negated form is as easy to read. */
function negateSimple(sourceFile: ts.SourceFile, expression: ts.Expression, isInChain = false): Replacement[] | null {
  const start = expression.getStart(sourceFile);
  if (ts.isPrefixUnaryExpression(expression) && expression.operator === ts.SyntaxKind.ExclamationToken) {
    const operand = expression.operand;
    const operandStart = operand.getStart(sourceFile);
    if (!ts.isParenthesizedExpression(operand)) return [{ start, end: operandStart, text: '' }];
    const inner = operand.expression;
    // Inside a chain, the operand may need its parentheses.
    if (isInChain && !bindsTighterThanLogic(inner)) return [{ start, end: operandStart, text: '' }];
    if (
      sourceFile.text.slice(operandStart + 1, inner.getStart(sourceFile)).trim() ||
      sourceFile.text.slice(inner.end, operand.end - 1).trim()
    )
      return [{ start, end: operandStart, text: '' }];
    return [
      { start, end: inner.getStart(sourceFile), text: '' },
      { start: inner.end, end: operand.end, text: '' },
    ];
  }
  if (ts.isBinaryExpression(expression)) {
    const opposite = OPPOSITE_EQUALITY.get(expression.operatorToken.kind);
    return opposite
      ? [
          {
            start: expression.operatorToken.getStart(sourceFile),
            end: expression.operatorToken.end,
            text: ts.tokenToString(opposite)!,
          },
        ]
      : null;
  }
  return canFollowNot(expression) ? [{ start, end: start, text: '!' }] : null;
}

/**
 * The operands of a chain of `&&` or of `||`, rightmost first, with its operators; null for other code and for more
 * than four operands. `opposite`: the other of the two operators.
 */
function findChain(
  expression: ts.Expression,
): { operands: ts.Expression[]; operators: ts.Node[]; opposite: string } | null {
  if (!ts.isBinaryExpression(expression)) return null;
  const kind = expression.operatorToken.kind;
  if (kind !== ts.SyntaxKind.AmpersandAmpersandToken && kind !== ts.SyntaxKind.BarBarToken) return null;
  const operands: ts.Expression[] = [];
  const operators: ts.Node[] = [];
  let remaining: ts.Expression = expression;
  while (ts.isBinaryExpression(remaining) && remaining.operatorToken.kind === kind) {
    operands.push(remaining.right);
    operators.push(remaining.operatorToken);
    remaining = remaining.left;
  }
  operands.push(remaining);
  return operands.length > 4
    ? null
    : { operands, operators, opposite: kind === ts.SyntaxKind.AmpersandAmpersandToken ? '||' : '&&' };
}

/**
 * True if the expression certainly needs no parentheses as an operand of `&&` and `||`. The kinds from `LessThanToken`
 * to `PercentToken` are comparisons, shifts and arithmetic operators.
 */
function bindsTighterThanLogic(expression: ts.Expression): boolean {
  if (!ts.isBinaryExpression(expression)) return canFollowNot(expression) || ts.isPrefixUnaryExpression(expression);
  const { kind } = expression.operatorToken;
  return (
    kind === ts.SyntaxKind.InKeyword ||
    kind === ts.SyntaxKind.InstanceOfKeyword ||
    (kind >= ts.SyntaxKind.LessThanToken && kind <= ts.SyntaxKind.PercentToken)
  );
}

/** True for expressions that can follow `!` without parentheses and are usually written that way. */
function canFollowNot(expression: ts.Expression): boolean {
  return (
    ts.isIdentifier(expression) ||
    ts.isPropertyAccessExpression(expression) ||
    ts.isElementAccessExpression(expression) ||
    ts.isCallExpression(expression) ||
    ts.isParenthesizedExpression(expression) ||
    ts.isNonNullExpression(expression) ||
    ts.isAwaitExpression(expression) ||
    expression.kind === ts.SyntaxKind.ThisKeyword
  );
}
