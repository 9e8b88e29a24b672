// Equivalence of unreachable code: statements that control never reaches may be removed, as long as no other code uses
// a name that they declare.

import { ts } from 'ts-morph';
import { alwaysExits } from '../syntax/alwaysExits.ts';
import { collectDescendants } from '../syntax/locate.ts';
import { collectDeclaredInside, isPropertyName } from '../syntax/scopes.ts';
import type { ListEquivalence } from './equivalence.ts';

/**
 * Accepts the removal of statements that are never reached. Functions, classes, enums and namespaces must stay.
 * Variables that are declared by `var` may stay without their initialisers.
 */
export const unreachableCode: ListEquivalence = (oldStatements, changedStatements, proof) => {
  const [first] = oldStatements;
  const siblings =
    first && 'statements' in first.parent ? (first.parent.statements as ts.NodeArray<ts.Statement>) : undefined;
  if (!first || !siblings?.slice(0, siblings.indexOf(first)).some(alwaysExits)) return null;
  const removedStatements: ts.Statement[] = [];
  let changedIndex = 0;
  for (const statement of oldStatements) {
    const keptStatement = changedStatements[changedIndex];
    if (keptStatement && (proof.isSame(statement, keptStatement) || isBareVariable(statement, keptStatement))) {
      changedIndex++;
      continue;
    }
    if (
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isModuleDeclaration(statement) ||
      ts.isEnumDeclaration(statement)
    )
      return null;
    removedStatements.push(statement);
  }
  return changedIndex === changedStatements.length && !findNameStillUsed(removedStatements)
    ? { oldCount: oldStatements.length, changedCount: changedStatements.length }
    : null;
};

/** True for `var a;` in place of `var a = 1;`. */
function isBareVariable(oldStatement: ts.Statement, changedStatement: ts.Statement): boolean {
  if (
    !ts.isVariableStatement(oldStatement) ||
    !ts.isVariableStatement(changedStatement) ||
    ((oldStatement.declarationList.flags | changedStatement.declarationList.flags) & ts.NodeFlags.BlockScoped) !== 0
  )
    return false;
  const [from, to] = [oldStatement.declarationList.declarations, changedStatement.declarationList.declarations];
  return (
    from.length === to.length &&
    from.every(
      ({ name, type }, index) =>
        ts.isIdentifier(name) &&
        name.text === to[index]?.name.getText() &&
        type?.getText() === to[index].type?.getText() &&
        !to[index].initializer,
    )
  );
}

/**
 * Finds a name that these statements declare and that other code of the same function or file uses; null if there is
 * none.
 */
export function findNameStillUsed(removedStatements: readonly ts.Statement[]): string | null {
  const [first] = removedStatements;
  if (!first) return null;
  const names = new Set(removedStatements.flatMap((statement) => [...collectDeclaredInside(statement)]));
  if (names.size === 0) return null;
  const reference = collectDescendants(findEnclosingFunction(first)).find(
    (node) =>
      ts.isIdentifier(node) &&
      names.has(node.text) &&
      !isPropertyName(node) &&
      !removedStatements.some((statement) => statement.pos <= node.pos && node.end <= statement.end),
  );
  return reference ? (reference as ts.Identifier).text : null;
}

/** The function or file that contains the node. */
function findEnclosingFunction(node: ts.Node): ts.Node {
  let outer = node.parent;
  while (!ts.isSourceFile(outer) && !ts.isFunctionLike(outer)) outer = outer.parent;
  return outer;
}
