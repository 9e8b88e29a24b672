// Equivalences of code that leaves: without a `catch` that only rethrows, and without a jump to where control goes
// anyway.

import { ts } from 'ts-morph';
import { isNeedlessJump, isOnlyRethrow } from '../../syntax/needlessParts.ts';
import { collectBlockScopedNames, nameUsedOutside, findScopeAround } from '../syntax/scopes.ts';
import type { ListEquivalence, NodeEquivalence } from './equivalence.ts';

/** `try … finally …` for `try … catch (e) { throw e; } finally …` */
export const rethrowingCatch: NodeEquivalence = (old, changed, proof) =>
  ts.isTryStatement(old) &&
  ts.isTryStatement(changed) &&
  old.catchClause !== undefined &&
  isOnlyRethrow(old.catchClause) &&
  !changed.catchClause &&
  old.finallyBlock !== undefined &&
  changed.finallyBlock !== undefined &&
  proof.same(old.tryBlock, changed.tryBlock) &&
  proof.same(old.finallyBlock, changed.finallyBlock);

/**
 * The statements of `try … catch (e) { throw e; }` in place of the whole statement, unless one of their names means
 * something else around it.
 */
export const rethrowingTry: ListEquivalence = (old, changed, proof) => {
  const [first] = old;
  if (
    !first ||
    !ts.isTryStatement(first) ||
    !first.catchClause ||
    !isOnlyRethrow(first.catchClause) ||
    first.finallyBlock
  )
    return null;
  const { statements } = first.tryBlock;
  const scope = findScopeAround(first);
  const names = collectBlockScopedNames([...statements]);
  const [start] = statements;
  // A string as the first statement could become a directive.
  if (!start || (ts.isExpressionStatement(start) && ts.isStringLiteral(start.expression))) return null;
  if (
    !scope ||
    nameUsedOutside(names, scope, first.tryBlock) ||
    (names.size > 0 && ts.isSourceFile(scope) && !ts.isExternalModule(scope))
  )
    return null;
  return proof.isSameList(statements, changed.slice(0, statements.length))
    ? { oldCount: 1, changedCount: statements.length }
    : null;
};

/** No statement for `return;` at the end of a function, or for `continue;` at the end of a loop. */
export const needlessJump: ListEquivalence = (old, changed) => {
  const [first, second] = old;
  return first && !second && changed.length === 0 && isNeedlessJump(first) ? { oldCount: 1, changedCount: 0 } : null;
};
