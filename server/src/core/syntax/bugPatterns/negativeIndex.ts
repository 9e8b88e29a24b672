// The bug pattern of a list that is read at a negative index, as in Python: in JavaScript that is always undefined.

import { ts } from 'ts-morph';
import { skipParentheses } from '../controlFlow.ts';
import { isList } from './lists.ts';
import { quoteCode } from './sameCode.ts';
import type { BugPatternFinder, BugPatternMatch } from './pattern.ts';

/** Patterns of `list[…]`. */
export const indexPatterns: BugPatternFinder = {
  nodes: [ts.SyntaxKind.ElementAccessExpression],
  find: findNegativeIndex,
};

/** `words[-1]`, where the words are certainly a list; an object may have such a key. */
function findNegativeIndex(node: ts.Node, sourceFile: ts.SourceFile): BugPatternMatch | null {
  const access = node as ts.ElementAccessExpression;
  const index = skipParentheses(access.argumentExpression);
  const isNegative =
    ts.isPrefixUnaryExpression(index) &&
    index.operator === ts.SyntaxKind.MinusToken &&
    ts.isNumericLiteral(index.operand) &&
    Number(index.operand.text) > 0;
  if (!isNegative || isWritten(access) || !isList(access.expression, sourceFile)) return null;
  return {
    name: 'negative index',
    node: access,
    message: `${quoteCode(access)} is always undefined: a list has no negative indices, and \`at\` counts from its end.`,
    ...(access.questionDotToken
      ? {}
      : { replacement: `${access.expression.getText(sourceFile)}.at(${index.getText(sourceFile)})` }),
  };
}

/** True if the element is assigned or deleted. */
function isWritten(access: ts.ElementAccessExpression): boolean {
  const { parent } = access;
  if (ts.isDeleteExpression(parent) || ts.isPostfixUnaryExpression(parent)) return true;
  if (ts.isPrefixUnaryExpression(parent))
    return parent.operator === ts.SyntaxKind.PlusPlusToken || parent.operator === ts.SyntaxKind.MinusMinusToken;
  if (!ts.isBinaryExpression(parent) || parent.left !== access) return false;
  const { kind } = parent.operatorToken;
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}
