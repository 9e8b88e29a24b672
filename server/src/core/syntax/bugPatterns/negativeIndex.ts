// The bug pattern of a list that is read at a negative index, as in Python. In JavaScript, the result is undefined.

import { ts } from 'ts-morph';
import { skipParentheses } from '../controlFlow.ts';
import { isList } from './lists.ts';
import { findIdentifiersNamed, isAssigned } from './onlyValue.ts';
import { quoteCode } from './sameCode.ts';
import type { BugPatternFinder, BugPatternMatch } from './pattern.ts';

/** Patterns of `list[…]`. */
export const indexPatterns: BugPatternFinder = {
  nodeKinds: [ts.SyntaxKind.ElementAccessExpression],
  find: findNegativeIndex,
};

/** Finds `words[-1]` if `words` is a list without such a member. An object may have one. */
function findNegativeIndex(node: ts.Node, sourceFile: ts.SourceFile): BugPatternMatch | null {
  const access = node as ts.ElementAccessExpression;
  const index = skipParentheses(access.argumentExpression);
  const isNegative =
    ts.isPrefixUnaryExpression(index) &&
    index.operator === ts.SyntaxKind.MinusToken &&
    ts.isNumericLiteral(index.operand) &&
    Number(index.operand.text) > 0;
  if (!isNegative || isAssigned(access) || !isList(access.expression, sourceFile)) return null;
  const list = skipParentheses(access.expression);
  if (ts.isIdentifier(list) && mayHaveNegativeIndices(list.text, sourceFile)) return null;
  const isConstructor = ts.isNewExpression(access.parent) && access.parent.expression === access;
  return {
    name: 'negative index',
    node: access,
    message: `${quoteCode(access)} is always undefined: a list has no negative indices, and \`at\` counts from its end.`,
    ...(access.questionDotToken || isConstructor
      ? {}
      : { replacement: `${access.expression.getText(sourceFile)}.at(${index.getText(sourceFile)})` }),
  };
}

/** True if the file writes an element whose index may be negative: `sums[i - 1] = 0`. */
function mayHaveNegativeIndices(name: string, sourceFile: ts.SourceFile): boolean {
  return findIdentifiersNamed(name, sourceFile).some(({ parent }) => {
    if (!ts.isElementAccessExpression(parent)) return false;
    return isAssigned(parent) && !ts.isNumericLiteral(skipParentheses(parent.argumentExpression));
  });
}
