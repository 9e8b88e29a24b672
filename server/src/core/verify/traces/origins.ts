// Finds the origins of the names of a file: an import, a function of the file, or the global object.

import { ts } from 'ts-morph';

/** The origins of the names of a file. */
export interface FileOrigins {
  /** Imported names and functions of the file's top level, with the module and the name there, or `here`. */
  readonly originByName: ReadonlyMap<string, string>;
  /** Names that run-time code reads or writes. */
  readonly usedNames: ReadonlySet<string>;
  /**
   * Names of variables, parameters, functions, methods and classes of the file, at any depth. Enums, namespaces and
   * imports do not count.
   */
  readonly declaredNames: ReadonlySet<string>;
}

const GLOBAL = 'the global object';

/** The origins of the names of a file. */
export function createTraceOriginLookup(sourceFile: ts.SourceFile): FileOrigins {
  const bound = new Map<string, string>();
  for (const statement of sourceFile.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.body && statement.name) bound.set(statement.name.text, 'here');
    if (ts.isImportDeclaration(statement))
      for (const [name, origin] of collectImportedNames(statement)) bound.set(name, origin);
  }
  const [usedNames, declaredNames] = [new Set<string>(), new Set<string>()];
  const visit = (node: ts.Node): void => {
    if (isForTypes(node) || ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node)) {
      if (isDeclaredName(node)) declaredNames.add(node.text);
      else if (!isMemberName(node)) usedNames.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return { originByName: bound, usedNames: usedNames, declaredNames: declaredNames };
}

/**
 * A name that both sides use and whose origin differs in the changed file; null if there is none. A name is skipped if
 * one side declares it, other than as a function of its top level.
 */
export function findMovedName(old: FileOrigins, changed: FileOrigins): string | null {
  const findOrigin = (name: string, { originByName, declaredNames }: FileOrigins) =>
    originByName.get(name) ?? (declaredNames.has(name) ? null : GLOBAL);
  for (const name of new Set([...old.originByName.keys(), ...changed.originByName.keys()])) {
    if (!old.usedNames.has(name) || !changed.usedNames.has(name)) continue;
    const [before, after] = [findOrigin(name, old), findOrigin(name, changed)];
    // Null: the file declares the name itself, so its code is compared like any other.
    if (before !== null && after !== null && before !== after) return name;
  }
  return null;
}

/** True for code that the compiler removes because it is only about types. */
export function isForTypes(node: ts.Node): boolean {
  return (
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isTypeParameterDeclaration(node) ||
    (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node))
  );
}

function collectImportedNames({ importClause, moduleSpecifier }: ts.ImportDeclaration): (readonly [string, string])[] {
  if (!importClause || importClause.isTypeOnly || !ts.isStringLiteral(moduleSpecifier)) return [];
  const from = `of ${moduleSpecifier.text.replace(/^node:/, '')}`;
  const { name, namedBindings } = importClause;
  const defaultImport = name ? [[name.text, `default ${from}`] as const] : [];
  if (!namedBindings) return defaultImport;
  if (ts.isNamespaceImport(namedBindings)) return [...defaultImport, [namedBindings.name.text, `all ${from}`]];
  const namedElements = namedBindings.elements.filter((element) => !element.isTypeOnly);
  return [
    ...defaultImport,
    ...namedElements.map(
      (specifier) => [specifier.name.text, `${(specifier.propertyName ?? specifier.name).text} ${from}`] as const,
    ),
  ];
}

function isDeclaredName(node: ts.Identifier): boolean {
  const { parent } = node;
  const declares =
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isBindingElement(parent) ||
    ts.isFunctionLike(parent) ||
    ts.isClassLike(parent);
  return declares && parent.name === node;
}

/** True for `b` in `a.b` and `{ b: 1 }`. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  return (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) && parent.name === node;
}
