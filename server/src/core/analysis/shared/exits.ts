// Decides whether a statement always exits the block that it is in, and finds the keyword of a jump.

import { ts } from 'ts-morph';

/**
 * True for `return`, `throw`, `continue` and `break`, for a block that ends with such a statement, and for an `if`
 * whose branches both exit. False does not mean that control may continue: `try`, `switch` and loops are not examined.
 */
export function endsWithExit(statement: ts.Statement): boolean {
  if (getJumpKeyword(statement) !== null) return true;
  if (ts.isBlock(statement)) {
    const lastStatement = statement.statements.at(-1);
    return lastStatement !== undefined && endsWithExit(lastStatement);
  }
  return (
    ts.isIfStatement(statement) &&
    statement.elseStatement !== undefined &&
    endsWithExit(statement.thenStatement) &&
    endsWithExit(statement.elseStatement)
  );
}

/** The keyword by which a statement exits; null if it is not a jump. */
export function getJumpKeyword(statement: ts.Statement): 'return' | 'throw' | 'continue' | 'break' | null {
  if (ts.isReturnStatement(statement)) return 'return';
  if (ts.isThrowStatement(statement)) return 'throw';
  if (ts.isContinueStatement(statement)) return 'continue';
  return ts.isBreakStatement(statement) ? 'break' : null;
}
