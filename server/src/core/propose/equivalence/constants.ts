// Equivalence of declarations: `const` in place of a `let` whose names are never assigned again.

import { ts } from 'ts-morph';
import { findAssignedNames } from '../../syntax/writtenNames.ts';
import type { NodeEquivalence } from './equivalence.ts';
import { collectBoundIdentifiers } from '../../syntax/names.ts';

/**
 * Accepts `const a = 1` in place of `let a = 1` if `a` is never assigned again, unless it is exported, has no value, or
 * is at the top level of a script.
 */
export const unassignedLet: NodeEquivalence = (oldNode, changedNode, proof) => {
  if (!ts.isVariableDeclarationList(oldNode) || !ts.isVariableDeclarationList(changedNode)) return false;
  const readScopeFlags = (declarationList: ts.VariableDeclarationList) =>
    declarationList.flags & ts.NodeFlags.BlockScoped;
  if (
    readScopeFlags(oldNode) !== ts.NodeFlags.Let ||
    readScopeFlags(changedNode) !== ts.NodeFlags.Const ||
    oldNode.declarations.length !== changedNode.declarations.length
  )
    return false;
  if (!oldNode.declarations.every((declaration, index) => proof.isSame(declaration, changedNode.declarations[index]!)))
    return false;
  if (
    ts.isVariableStatement(oldNode.parent) &&
    (oldNode.parent.modifiers?.length ||
      (ts.isSourceFile(oldNode.parent.parent) && !ts.isExternalModule(oldNode.parent.parent)))
  )
    return false;
  const isForOf = ts.isForOfStatement(changedNode.parent);
  if (!isForOf && changedNode.declarations.some(({ initializer }) => !initializer)) return false;
  const assignedNames = findAssignedNames(findScope(changedNode));
  return changedNode.declarations.every(({ name }) =>
    collectBoundIdentifiers(name).every(({ text }) => !assignedNames.has(text)),
  );
};

/** The code that can assign to the declared names: the enclosing block, loop, file or `switch`. */
function findScope(declarations: ts.VariableDeclarationList): ts.Node {
  return ts.isVariableStatement(declarations.parent)
    ? ts.isCaseOrDefaultClause(declarations.parent.parent)
      ? declarations.parent.parent.parent
      : declarations.parent.parent
    : declarations.parent;
}
