// complex-condition: finds conditions with more parts than a reader can remember, if they mix `&&` and `||`.

import { ts } from 'ts-morph';
import { isLogical, listLogicalOperators, skipParentheses } from '../../syntax/controlFlow.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';
import { rule } from './rule.ts';

export const finder: NodeFinder = {
  nodes: [
    ts.SyntaxKind.IfStatement,
    ts.SyntaxKind.WhileStatement,
    ts.SyntaxKind.DoStatement,
    ts.SyntaxKind.ForStatement,
    ts.SyntaxKind.ConditionalExpression,
  ],
  find: findComplexCondition,
};

/** A condition with more logical operators is reported. */
const MAX_OPERATORS = rule.limit.least;
/** Minimum number of changes between `&&` and `||`. A row of guards with one exception is easy to read. */
const MIN_CHANGES = 3;

/**
 * Reports a condition with many parts that changes several times between `&&` and `||`. A row of one operator is not
 * reported, because it reads like a list. `node` is an `if`, a loop with a condition, or a `?:`.
 */
function findComplexCondition(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const condition = findCondition(node);
  if (!condition || !isLogical(skipParentheses(condition))) return null;
  const operators = listLogicalOperators(skipParentheses(condition) as ts.BinaryExpression);
  if (operators.length <= MAX_OPERATORS) return null;
  const changeCount = operators.filter(
    (operator, index) => index > 0 && operator.operatorToken.kind !== operators[index - 1]!.operatorToken.kind,
  ).length;
  if (changeCount < MIN_CHANGES) return null;
  return {
    rule: 'complex-condition',
    start: condition.getStart(sourceFile),
    end: condition.end,
    nameStart: condition.getStart(sourceFile),
    nameEnd: condition.end,
    impact: Math.min(50, 15 + 3 * (operators.length - MAX_OPERATORS) + 2 * changeCount),
    confidence: 0.5,
    message: `a condition joins ${operators.length + 1} parts and changes between \`&&\` and \`||\` ${changeCount === 1 ? 'once' : `${changeCount} times`}: names for its parts would say what it tests.`,
    evidence: { operators: operators.length, threshold: MAX_OPERATORS, changes: changeCount },
    recipe: null,
  };
}

/** The condition of a statement or of a `?:`; null if it has none. */
function findCondition(node: ts.Node): ts.Expression | null {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) return node.expression;
  if (ts.isConditionalExpression(node) || ts.isForStatement(node)) return node.condition ?? null;
  return null;
}
