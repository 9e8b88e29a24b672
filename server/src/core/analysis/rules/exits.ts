// Whether a statement always leaves the place that it stands in.

import { ts } from 'ts-morph';

/** `return` or `throw` at the end of every path, judged by syntax. */
export function alwaysReturns(statement: ts.Statement): boolean {
  if (ts.isReturnStatement(statement) || ts.isThrowStatement(statement)) return true;
  if (ts.isBlock(statement)) {
    const last = statement.statements.at(-1);
    return last !== undefined && alwaysReturns(last);
  }
  return ts.isIfStatement(statement) && statement.elseStatement !== undefined && alwaysReturns(statement.thenStatement) && alwaysReturns(statement.elseStatement);
}
