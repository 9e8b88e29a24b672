// Names in statements, by their text alone: what a list declares for itself, and whether others mention it.

import { ts } from 'ts-morph';

type List = readonly ts.Statement[];

/** What a statement declares by name: variables, functions and classes. */
export function declaredNames(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => bound(name));
  return (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name
    ? [statement.name.text]
    : [];
}

/** Names that live in the block around the list, as those of `var` do not. */
export function lexicalNames(list: List): ReadonlySet<string> {
  return new Set(
    list.flatMap((statement) =>
      ts.isVariableStatement(statement) && (statement.declarationList.flags & ts.NodeFlags.BlockScoped) === 0
        ? []
        : declaredNames(statement),
    ),
  );
}

/** Whether one of the names stands anywhere in the statements, whatever it means there. */
export function mentions(list: List, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  const look = (node: ts.Node): boolean =>
    (ts.isIdentifier(node) && names.has(node.text)) || (ts.forEachChild(node, look) ?? false);
  return list.some(look);
}

/** Code that looks names up by itself, or that runs something where a block ends. */
export function unforeseeable(node: ts.Node): boolean {
  if (ts.isWithStatement(node) || (ts.isIdentifier(node) && node.text === 'eval')) return true;
  const kind = ts.isVariableDeclarationList(node) ? node.flags & ts.NodeFlags.BlockScoped : ts.NodeFlags.None;
  if (kind === ts.NodeFlags.Using || kind === ts.NodeFlags.AwaitUsing) return true;
  return ts.forEachChild(node, unforeseeable) ?? false;
}

function bound(name: ts.BindingName): readonly string[] {
  return ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? bound(element.name) : []));
}
