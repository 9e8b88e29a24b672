// Equivalence of declarations: `const` in place of a `let` whose names are never assigned again.

import { ts } from 'ts-morph';
import { findAssignedNames } from '../../syntax/writtenNames.ts';
import { collectBoundNames } from '../syntax/scopes.ts';
import type { NodeEquivalence } from './equivalence.ts';

/** Accepts `const a = 1` in place of `let a = 1`, unless it is exported or at the top level of a script. */
export const unassignedLet: NodeEquivalence = (old, changed, proof) => {
  if (!ts.isVariableDeclarationList(old) || !ts.isVariableDeclarationList(changed)) return false;
  const kind = (declarationList: ts.VariableDeclarationList) => declarationList.flags & ts.NodeFlags.BlockScoped;
  if (
    kind(old) !== ts.NodeFlags.Let ||
    kind(changed) !== ts.NodeFlags.Const ||
    old.declarations.length !== changed.declarations.length
  )
    return false;
  if (!old.declarations.every((declaration, index) => proof.same(declaration, changed.declarations[index]!)))
    return false;
  if (
    ts.isVariableStatement(old.parent) &&
    (old.parent.modifiers?.length || (ts.isSourceFile(old.parent.parent) && !ts.isExternalModule(old.parent.parent)))
  )
    return false;
  const loops = ts.isForOfStatement(changed.parent);
  if (!loops && changed.declarations.some(({ initializer }) => !initializer)) return false;
  const assigned = findAssignedNames(findScope(changed));
  return changed.declarations.every(({ name }) => collectBoundNames(name).every(({ text }) => !assigned.has(text)));
};

/** The code that can assign to the names: the enclosing block, loop, file or `switch`. */
function findScope(declarations: ts.VariableDeclarationList): ts.Node {
  return ts.isVariableStatement(declarations.parent)
    ? ts.isCaseOrDefaultClause(declarations.parent.parent)
      ? declarations.parent.parent.parent
      : declarations.parent.parent
    : declarations.parent;
}
