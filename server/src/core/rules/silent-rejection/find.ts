// silent-rejection: finds a `.catch(() => {})` that gives no reason.

import { ts } from 'ts-morph';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import type { Finding } from '../finding.ts';
import { hasAdjacentComment, hasCommentWithin } from '../../analysis/shared/reasons.ts';
import { INTENDED_NAME_PATTERN } from '../swallowed-error/find.ts';
import { isConsequentialCall } from '../../analysis/shared/triedCalls.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.CallExpression], find: findSilentRejection };

/**
 * Reports `load().catch(() => {})` as a statement, also awaited. Not reported: a call whose result is used, because it
 * is a fallback; a call with `void`, which shows that it is intended; a call with a comment; a handler whose parameter
 * is named as ignored; and a call on a name, because it may mark a promise as handled that other code awaits.
 */
function findSilentRejection(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const call = node as ts.CallExpression;
  const callee = call.expression;
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'catch' || call.arguments.length !== 1)
    return null;
  const statement = ts.isAwaitExpression(call.parent) ? call.parent.parent : call.parent;
  if (!ts.isExpressionStatement(statement)) return null;
  const handler = skipParentheses(call.arguments[0]!);
  if (
    !(ts.isArrowFunction(handler) || ts.isFunctionExpression(handler)) ||
    !isConsequentialCall(skipParentheses(callee.expression))
  )
    return null;
  if (INTENDED_NAME_PATTERN.test(handler.parameters[0]?.name.getText(sourceFile) ?? '')) return null;
  const { body } = handler;
  const isSilent = ts.isBlock(body) ? body.statements.length === 0 : isUndefinedValue(skipParentheses(body));
  if (
    !isSilent ||
    hasCommentWithin(sourceFile.text, handler.getStart(sourceFile), handler.end) ||
    hasAdjacentComment(call, sourceFile)
  )
    return null;
  return {
    rule: 'silent-rejection',
    start: call.getStart(sourceFile),
    end: call.end,
    nameStart: callee.name.getStart(sourceFile),
    nameEnd: callee.name.end,
    impact: 30,
    confidence: 0.3,
    message: 'a `.catch` drops every error silently: handle it, or say in a comment why it does not matter.',
    evidence: {},
    recipe: null,
  };
}

/** True for `undefined` and `void …`. */
function isUndefinedValue(value: ts.Expression): boolean {
  return (ts.isIdentifier(value) && value.text === 'undefined') || ts.isVoidExpression(value);
}
