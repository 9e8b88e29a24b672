// Reads the names that statements declare and mention. Needs no types, because any equal name counts as the same.

import { ts } from 'ts-morph';
import { listBoundNames } from '../../syntax/names.ts';

type Statements = readonly ts.Statement[];

/** Names of the variables, functions and classes that a statement declares. */
export function listDeclaredNames(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => listBoundNames(name));
  return (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name
    ? [statement.name.text]
    : [];
}

/** Names that are scoped to the block around the statements, without those of `var`. */
export function listLexicalNames(statements: Statements): ReadonlySet<string> {
  return new Set(
    statements.flatMap((statement) =>
      ts.isVariableStatement(statement) && (statement.declarationList.flags & ts.NodeFlags.BlockScoped) === 0
        ? []
        : listDeclaredNames(statement),
    ),
  );
}

/** True if one of the names occurs anywhere in the statements, regardless of what it refers to. */
export function refersTo(statements: Statements, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  const findsName = (node: ts.Node): boolean =>
    (ts.isIdentifier(node) && names.has(node.text)) || (ts.forEachChild(node, findsName) ?? false);
  return statements.some(findsName);
}

/** True for code that looks up names at run time (`with`, `eval`), or runs code at the end of a block (`using`). */
export function hasDynamicNames(node: ts.Node): boolean {
  if (ts.isWithStatement(node) || (ts.isIdentifier(node) && node.text === 'eval')) return true;
  const kind = ts.isVariableDeclarationList(node) ? node.flags & ts.NodeFlags.BlockScoped : ts.NodeFlags.None;
  if (kind === ts.NodeFlags.Using || kind === ts.NodeFlags.AwaitUsing) return true;
  return ts.forEachChild(node, hasDynamicNames) ?? false;
}
