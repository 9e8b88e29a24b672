// Names of statements, by their text alone: what a list declares for itself, and whether others mention it.

import { ts } from 'ts-morph';

type List = readonly ts.Statement[];

/** Names that live in the block around the list: `let`, `const`, classes and functions. */
export function lexicalNames(list: List): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of list) {
    if (ts.isVariableStatement(statement) && statement.declarationList.flags & ts.NodeFlags.BlockScoped) for (const { name } of statement.declarationList.declarations) bound(name, names);
    if ((ts.isClassDeclaration(statement) || ts.isFunctionDeclaration(statement)) && statement.name) names.add(statement.name.text);
  }
  return names;
}

export function declares(list: List): boolean {
  return list.some((statement) => ts.isClassDeclaration(statement) || ts.isFunctionDeclaration(statement) || (ts.isVariableStatement(statement) && (statement.declarationList.flags & ts.NodeFlags.BlockScoped) !== 0));
}

/** Whether one of the names stands anywhere in the statements, whatever it means there. */
export function mentions(list: List, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  const look = (node: ts.Node): boolean => (ts.isIdentifier(node) && names.has(node.text)) || (ts.forEachChild(node, look) ?? false);
  return list.some(look);
}

/** Code that looks names up by itself, or that runs something where a block ends. */
export function unforeseeable(node: ts.Node): boolean {
  if (ts.isWithStatement(node) || (ts.isIdentifier(node) && node.text === 'eval')) return true;
  if (ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.BlockScoped) === ts.NodeFlags.Using) return true;
  if (ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.BlockScoped) === ts.NodeFlags.AwaitUsing) return true;
  return ts.forEachChild(node, unforeseeable) ?? false;
}

function bound(name: ts.BindingName, names: Set<string>): void {
  if (ts.isIdentifier(name)) names.add(name.text);
  else for (const element of name.elements) if (ts.isBindingElement(element)) bound(element.name, names);
}
