// Answers what declares a name, and lists the names that a pattern binds.

import { ts } from 'ts-morph';

/** All identifiers that a name or a pattern binds. */
export function collectBoundIdentifiers(name: ts.BindingName): ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name];
  return name.elements.flatMap((element) =>
    ts.isBindingElement(element) ? collectBoundIdentifiers(element.name) : [],
  );
}

/** All names that a name or a pattern binds. */
export function listBoundNames(name: ts.BindingName): string[] {
  return collectBoundIdentifiers(name).map(({ text }) => text);
}

/** True if the name or pattern binds this name. */
export function bindsName(pattern: ts.BindingName, name: string): boolean {
  return collectBoundIdentifiers(pattern).some(({ text }) => text === name);
}

/** True for a node that declares an imported name. */
export function isImport(node: ts.Node): node is ts.ImportSpecifier | ts.ImportClause | ts.NamespaceImport {
  return ts.isImportSpecifier(node) || ts.isImportClause(node) || ts.isNamespaceImport(node);
}

/** True for a name after a dot: `other.name`. */
export function isNameOfMember(node: ts.Identifier): boolean {
  return ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
}
