// Finds the origin of a name: a global, an import, the top level of a file, or a local scope. A name means the same in
// two files if its origin is the same in both.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { toModulePath } from './moduleOf.ts';
import { createOneFileHost } from './oneFileHost.ts';

/** The origin of a name that no file declares. */
export const GLOBAL_ORIGIN = 'global';
/** The origin of a parameter, and of a declaration within a function or block. */
export const LOCAL_ORIGIN = 'local';
/** Options of a program of one file, which is bound without its imports and without libraries. */
export const ONE_FILE_OPTIONS: ts.CompilerOptions = {
  noLib: true,
  noResolve: true,
  types: [],
  allowJs: true,
  jsx: ts.JsxEmit.Preserve,
  target: ts.ScriptTarget.Latest,
  module: ts.ModuleKind.ESNext,
};

/** Finds the origins of names in one parsed file, which the compiler binds at the first call. */
export interface OriginLookup {
  /**
   * The origin of a name: `global`, `local`, `module:PACKAGE#NAME`, or `file:PATH#NAME` for a top-level name of a file
   * of the repository (its path has no extension). `usePlace`: the node from which the name is looked up.
   */
  of(name: string, usePlace: ts.Node): string;
}

/** Creates the lookup. `path`: the path of the file, relative to the root. */
export function createOriginLookup(path: string, sourceFile: ts.SourceFile): OriginLookup {
  let checker: ts.TypeChecker | null = null;
  const symbols = new Map<ts.Node, ReadonlyMap<string, ts.Symbol>>();
  return {
    of(name, usePlace) {
      checker ??= ts
        .createProgram([sourceFile.fileName], ONE_FILE_OPTIONS, createOneFileHost(sourceFile))
        .getTypeChecker();
      const scope = findScope(usePlace);
      let symbolsOfScope = symbols.get(scope);
      if (!symbolsOfScope) {
        const visible = checker.getSymbolsInScope(scope, ts.SymbolFlags.Value | ts.SymbolFlags.Alias);
        symbolsOfScope = new Map(visible.map((symbol) => [symbol.name, symbol]));
        symbols.set(scope, symbolsOfScope);
      }
      const declaration = symbolsOfScope.get(name)?.declarations?.[0];
      return declaration ? computeOrigin(path, name, declaration) : GLOBAL_ORIGIN;
    },
  };
}

/** The innermost enclosing node that declares names. All nodes directly inside it see the same names. */
function findScope(node: ts.Node): ts.Node {
  let scope = node;
  while (scope.parent && !isScope(scope)) scope = scope.parent;
  return scope;
}

/** True for nodes whose declarations are visible only within them, and for the file. */
function isScope(node: ts.Node): boolean {
  return (
    ts.isSourceFile(node) ||
    ts.isBlock(node) ||
    ts.isModuleBlock(node) ||
    ts.isCaseBlock(node) ||
    ts.isFunctionLike(node) ||
    ts.isClassLike(node) ||
    ts.isCatchClause(node) ||
    ts.isForStatement(node) ||
    ts.isForOfStatement(node) ||
    ts.isForInStatement(node)
  );
}

/** The origin of a name that has a declaration in the file. */
function computeOrigin(path: string, name: string, declaration: ts.Declaration): string {
  const importedName = findImport(declaration);
  if (importedName)
    return importedName.from.startsWith('.')
      ? createFileOrigin(path, importedName)
      : `module:${importedName.from}#${importedName.name}`;
  return isTopLevel(declaration) ? `file:${toModulePath(path)}#${name}` : LOCAL_ORIGIN;
}

/** The module specifier of an import, and the imported name. */
interface ImportOrigin {
  readonly from: string;
  /** `default`, `*` for the whole module, or a name. */
  readonly name: string;
}

/** The origin of a name that is imported from a file of the repository by a relative specifier. */
function createFileOrigin(path: string, { from, name }: ImportOrigin): string {
  return `file:${toModulePath(posix.join(posix.dirname(path), from))}#${name}`;
}

/** The origin of a name that `import` or `require` declares; null for any other declaration. */
function findImport(declaration: ts.Declaration): ImportOrigin | null {
  if (ts.isImportSpecifier(declaration))
    return importOfDeclaration(declaration.parent.parent.parent, (declaration.propertyName ?? declaration.name).text);
  if (ts.isNamespaceImport(declaration)) return importOfDeclaration(declaration.parent.parent, '*');
  if (ts.isImportClause(declaration)) return importOfDeclaration(declaration.parent, 'default');
  if (ts.isVariableDeclaration(declaration)) return importOfRequire(declaration.initializer, '*');
  if (ts.isBindingElement(declaration) && ts.isVariableDeclaration(declaration.parent.parent)) {
    const { propertyName, name } = declaration;
    const property = propertyName ?? name;
    return ts.isIdentifier(property) ? importOfRequire(declaration.parent.parent.initializer, property.text) : null;
  }
  return null;
}

function importOfDeclaration(declaration: ts.Node, name: string): ImportOrigin | null {
  return ts.isImportDeclaration(declaration) && ts.isStringLiteral(declaration.moduleSpecifier)
    ? { from: declaration.moduleSpecifier.text, name }
    : null;
}

/**
 * The import of a `require` call: `require('x')` gives the whole module, `require('x').name` that name. Null for any
 * other value.
 */
function importOfRequire(value: ts.Expression | undefined, name: string): ImportOrigin | null {
  if (!value) return null;
  if (ts.isPropertyAccessExpression(value) && name === '*') return importOfRequire(value.expression, value.name.text);
  if (!ts.isCallExpression(value) || !ts.isIdentifier(value.expression) || value.expression.text !== 'require')
    return null;
  const [specifier] = value.arguments;
  return specifier && ts.isStringLiteral(specifier) ? { from: specifier.text, name } : null;
}

/** True for a declaration at the top level of its file, outside of blocks, functions, classes and loops. */
function isTopLevel(declaration: ts.Declaration): boolean {
  let node: ts.Node = declaration;
  while (node.parent && !ts.isSourceFile(node.parent)) {
    node = node.parent;
    if (ts.isBlock(node) || ts.isFunctionLike(node) || ts.isClassLike(node) || ts.isModuleBlock(node)) break;
    if (ts.isForStatement(node) || ts.isForOfStatement(node) || ts.isForInStatement(node)) break;
  }
  return (
    node.parent !== undefined && ts.isSourceFile(node.parent) && (node === declaration || ts.isVariableStatement(node))
  );
}
