// Equivalences of jumps: a `try` without a `catch` that only rethrows, and code without a `return` or `continue` that
// does not change where control continues.

import { ts } from 'ts-morph';
import { isNeedlessJump, isOnlyRethrow } from '../../syntax/needlessParts.ts';
import { collectBlockScopedNames, nameUsedOutside, findScopeAround } from '../syntax/scopes.ts';
import type { ListEquivalence, NodeEquivalence } from './equivalence.ts';

/** Accepts `try … finally …` in place of `try … catch (e) { throw e; } finally …`. */
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
 * Accepts the statements of `try … catch (e) { throw e; }` in place of the whole statement, unless a name that they
 * declare has another meaning in the enclosing scope.
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
  // A string as the first statement could become a directive such as `'use strict'`.
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

/** Accepts the removal of `return;` at the end of a function and of `continue;` at the end of a loop. */
export const needlessJump: ListEquivalence = (old, changed) => {
  const [first, second] = old;
  return first && !second && changed.length === 0 && isNeedlessJump(first) ? { oldCount: 1, changedCount: 0 } : null;
};
