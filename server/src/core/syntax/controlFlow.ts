// Answers questions about the syntax of control flow: branches, nesting, logical operators.

import { ts } from 'ts-morph';

/** True for the part of a control structure whose content counts as one level deeper. */
export function isNestedPart(node: ts.Node): boolean {
  const parent = node.parent;
  if (!parent) return false;
  switch (parent.kind) {
    case ts.SyntaxKind.IfStatement: {
      const branch = parent as ts.IfStatement;
      return (
        branch.thenStatement === node || (branch.elseStatement === node && node.kind !== ts.SyntaxKind.IfStatement)
      );
    }
    case ts.SyntaxKind.ForStatement:
    case ts.SyntaxKind.ForInStatement:
    case ts.SyntaxKind.ForOfStatement:
    case ts.SyntaxKind.WhileStatement:
    case ts.SyntaxKind.DoStatement:
      return (parent as ts.IterationStatement).statement === node;
    case ts.SyntaxKind.CaseBlock:
      return true;
    case ts.SyntaxKind.CatchClause:
      return (parent as ts.CatchClause).block === node;
    case ts.SyntaxKind.ConditionalExpression:
      return (
        (parent as ts.ConditionalExpression).whenTrue === node ||
        (parent as ts.ConditionalExpression).whenFalse === node
      );
    default:
      return false;
  }
}

/** True for the `if` of an `else if`. */
export function isElseIf(node: ts.Node): boolean {
  return (
    node.kind === ts.SyntaxKind.IfStatement &&
    node.parent?.kind === ts.SyntaxKind.IfStatement &&
    (node.parent as ts.IfStatement).elseStatement === node
  );
}

/** True for `left = value` inside a destructuring assignment, where it means a default value. */
export function isAssignmentDefault(node: ts.BinaryExpression): boolean {
  return isTargetElement(node);
}

/** True for an element of a pattern that is assigned to. */
function isTargetElement(node: ts.Node): boolean {
  let parent = node.parent;
  if (parent && (ts.isPropertyAssignment(parent) || ts.isSpreadAssignment(parent) || ts.isSpreadElement(parent)))
    parent = parent.parent;
  if (!parent || !(ts.isArrayLiteralExpression(parent) || ts.isObjectLiteralExpression(parent))) return false;
  return isTarget(parent);
}

/** True for a list or object literal that is the target of an assignment or a loop, or a part of one. */
function isTarget(literal: ts.Node): boolean {
  const parent = literal.parent;
  if (!parent) return false;
  if (
    ts.isBinaryExpression(parent) &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    parent.left === literal
  )
    return true;
  if ((ts.isForOfStatement(parent) || ts.isForInStatement(parent)) && parent.initializer === literal) return true;
  return isTargetElement(literal);
}

/** The logical operators of an expression in text order, left operands first; parentheses are ignored. */
export function listLogicalOperators(root: ts.BinaryExpression): readonly ts.BinaryExpression[] {
  const operators: ts.BinaryExpression[] = [];
  const pending: ({ readonly expand: ts.Expression } | { readonly emit: ts.BinaryExpression })[] = [{ expand: root }];
  for (let current = pending.pop(); current; current = pending.pop()) {
    if ('emit' in current) {
      operators.push(current.emit);
      continue;
    }
    const expression = skipParentheses(current.expand);
    if (isLogical(expression))
      pending.push({ expand: expression.right }, { emit: expression }, { expand: expression.left });
  }
  return operators;
}

/** True for `&&`, `||` and `??`. */
export function isLogical(node: ts.Node): node is ts.BinaryExpression {
  if (node.kind !== ts.SyntaxKind.BinaryExpression) return false;
  const operator = (node as ts.BinaryExpression).operatorToken.kind;
  return (
    operator === ts.SyntaxKind.AmpersandAmpersandToken ||
    operator === ts.SyntaxKind.BarBarToken ||
    operator === ts.SyntaxKind.QuestionQuestionToken
  );
}

/** The expression inside any number of parentheses. */
export function skipParentheses(expression: ts.Expression): ts.Expression {
  let inner = expression;
  while (ts.isParenthesizedExpression(inner)) inner = inner.expression;
  return inner;
}

/** The value that a branch returns as its only statement; null if it does anything else. */
export function findReturnValue(branch: ts.Statement): ts.Expression | null {
  const statement = ts.isBlock(branch) ? (branch.statements.length === 1 ? branch.statements[0] : undefined) : branch;
  return statement && ts.isReturnStatement(statement) ? (statement.expression ?? null) : null;
}

/** The inner `if` if it is the only statement in `outer` and neither has an `else`; otherwise null. */
export function findOnlyInnerIf(outer: ts.IfStatement): ts.IfStatement | null {
  if (outer.elseStatement || !ts.isBlock(outer.thenStatement)) return null;
  const [innerStatement, secondStatement] = outer.thenStatement.statements;
  return innerStatement && !secondStatement && ts.isIfStatement(innerStatement) && !innerStatement.elseStatement
    ? innerStatement
    : null;
}

/** True inside the block of a `try` of the same function. */
export function isInTryBlock(node: ts.Node): boolean {
  for (let inner = node; inner.parent && !ts.isFunctionLike(inner); inner = inner.parent)
    if (ts.isTryStatement(inner.parent) && inner.parent.tryBlock === inner) return true;
  return false;
}

/** The innermost function around a node; null at the top level. */
export function findEnclosingFunction(node: ts.Node): ts.SignatureDeclaration | null {
  for (let outer = node.parent; outer; outer = outer.parent) if (ts.isFunctionLike(outer)) return outer;
  return null;
}
