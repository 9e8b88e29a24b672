// Equivalences of jumps: a `try` without a `catch` that only rethrows, and code without a `return` or `continue` that
// does not change where control continues.

import { ts } from 'ts-morph';
import { isNeedlessJump, isOnlyRethrow } from '../../syntax/needlessParts.ts';
import { collectBlockScopedNames, findNameUsedOutside, findScopeAround } from '../syntax/scopes.ts';
import type { ListEquivalence, NodeEquivalence } from './equivalence.ts';

/** Accepts `try … finally …` in place of `try … catch (e) { throw e; } finally …`. */
export const rethrowingCatch: NodeEquivalence = (oldNode, changedNode, proof) =>
  ts.isTryStatement(oldNode) &&
  ts.isTryStatement(changedNode) &&
  oldNode.catchClause !== undefined &&
  isOnlyRethrow(oldNode.catchClause) &&
  !changedNode.catchClause &&
  oldNode.finallyBlock !== undefined &&
  changedNode.finallyBlock !== undefined &&
  proof.isSame(oldNode.tryBlock, changedNode.tryBlock) &&
  proof.isSame(oldNode.finallyBlock, changedNode.finallyBlock);

/**
 * Accepts the statements of `try … catch (e) { throw e; }` in place of the whole statement. A name that they declare
 * must not be used in the enclosing scope or become global, and a string must not become a directive.
 */
export const rethrowingTry: ListEquivalence = (oldStatements, changedStatements, proof) => {
  const [tryStatement] = oldStatements;
  if (
    !tryStatement ||
    !ts.isTryStatement(tryStatement) ||
    !tryStatement.catchClause ||
    !isOnlyRethrow(tryStatement.catchClause) ||
    tryStatement.finallyBlock
  )
    return null;
  const { statements } = tryStatement.tryBlock;
  const scope = findScopeAround(tryStatement);
  const names = collectBlockScopedNames([...statements]);
  const [firstStatement] = statements;
  // A string as the first statement could become a directive such as `'use strict'`.
  if (!firstStatement || (ts.isExpressionStatement(firstStatement) && ts.isStringLiteral(firstStatement.expression)))
    return null;
  if (
    !scope ||
    findNameUsedOutside(names, scope, tryStatement.tryBlock) ||
    (names.size > 0 && ts.isSourceFile(scope) && !ts.isExternalModule(scope))
  )
    return null;
  return proof.isSameList(statements, changedStatements.slice(0, statements.length))
    ? { oldCount: 1, changedCount: statements.length }
    : null;
};

/** Accepts the removal of `return;` at the end of a function and of `continue;` at the end of a loop. */
export const needlessJump: ListEquivalence = (oldStatements, changedStatements) => {
  const [first, second] = oldStatements;
  return first && !second && changedStatements.length === 0 && isNeedlessJump(first)
    ? { oldCount: 1, changedCount: 0 }
    : null;
};
