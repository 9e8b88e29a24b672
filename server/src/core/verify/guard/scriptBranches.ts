// Finds what TypeScript and JavaScript do in both branches of a comparison.

import { ts } from 'ts-morph';
import { createUnchangedBranch, type Branch } from './relations.ts';

type TextOf = (node: ts.Node) => string;

/**
 * Both branches of this comparison. A branch is null if it does anything other than a `Branch`; both are null if the
 * comparison is not a whole condition.
 */
export function findScriptBranches(
  comparison: ts.BinaryExpression,
  textOf: TextOf,
): { readonly then: Branch | null; readonly otherwise: Branch | null } {
  let condition: ts.Node = comparison;
  while (ts.isParenthesizedExpression(condition.parent)) condition = condition.parent;
  const { parent } = condition;
  if (ts.isConditionalExpression(parent) && parent.condition === condition)
    return { then: toValueBranch(parent.whenTrue, textOf), otherwise: toValueBranch(parent.whenFalse, textOf) };
  if (!ts.isIfStatement(parent) || parent.expression !== condition) return { then: null, otherwise: null };
  const then = readBranch(parent.thenStatement, textOf);
  if (parent.elseStatement) return { then, otherwise: readBranch(parent.elseStatement, textOf) };
  return {
    then,
    otherwise: then?.kind === 'return' ? readBranch(findNextStatement(parent), textOf) : createUnchangedBranch(then),
  };
}

function toValueBranch(node: ts.Expression, textOf: TextOf): Branch {
  return { kind: 'value', target: '', value: textOf(node) };
}

function readBranch(statement: ts.Statement | undefined, textOf: TextOf): Branch | null {
  if (!statement) return null;
  if (ts.isBlock(statement))
    return statement.statements.length === 1 ? readBranch(statement.statements[0], textOf) : null;
  if (ts.isReturnStatement(statement))
    return statement.expression ? { kind: 'return', target: '', value: textOf(statement.expression) } : null;
  if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression)) return null;
  const { left, operatorToken, right } = statement.expression;
  return operatorToken.kind === ts.SyntaxKind.EqualsToken
    ? { kind: 'assignment', target: textOf(left), value: textOf(right) }
    : null;
}

/** The statement after an `if`, or after the whole chain of `else if` to which it belongs. */
function findNextStatement(statement: ts.IfStatement): ts.Statement | undefined {
  let outer = statement;
  while (ts.isIfStatement(outer.parent) && outer.parent.elseStatement === outer) outer = outer.parent;
  if (!ts.isBlock(outer.parent) && !ts.isSourceFile(outer.parent)) return undefined;
  const { statements } = outer.parent;
  return statements[statements.indexOf(outer) + 1];
}
