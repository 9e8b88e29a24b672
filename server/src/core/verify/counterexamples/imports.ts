// Finds what a file imports and exports, and opens the files from which tests import.

import { ts } from 'ts-morph';
import type { SourceTree } from '../../ports/sources.ts';
import { hasExportKeyword } from '../../syntax/declarations/modifiers.ts';
import { bindsName } from '../../syntax/names.ts';

/** Returns the parsed file with this path from the root; null if there is none. */
export type LoadFile = (path: string) => ts.SourceFile | null;

/** Maximum number of files that one search opens, and maximum number of characters in all of them. */
const [MAX_FILES, MAX_CHARACTERS] = [200, 8_000_000];

/** Creates a `LoadFile` for the files of a tree. It parses each file once. Files beyond the limits count as missing. */
export function createLoadFile(tree: SourceTree, root: string): LoadFile {
  const parsedFiles = new Map<string, ts.SourceFile | null>();
  let [files, characters] = [0, 0];
  return (path) => {
    const parsedFile = parsedFiles.get(path);
    if (parsedFile !== undefined) return parsedFile;
    const text = tree.read(`${root}/${path}`);
    const isWithinLimits = text !== undefined && files < MAX_FILES && characters + text.length <= MAX_CHARACTERS;
    const file = isWithinLimits ? ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) : null;
    if (isWithinLimits) [files, characters] = [files + 1, characters + text.length];
    parsedFiles.set(path, file);
    return file;
  };
}

/** The specifier in `require("…")`; null for other code. */
export function findRequireSpecifier(node: ts.Expression): string | null {
  const isRequire = ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'require';
  const [specifier] = isRequire ? node.arguments : [];
  return specifier && ts.isStringLiteralLike(specifier) ? specifier.text : null;
}

/**
 * The module from which the file imports or requires a local name, and the name in that module. `default` also stands
 * for the whole of a required module, and `*` for a namespace. Null if the name is not imported.
 */
export function findImport(
  file: ts.SourceFile,
  name: string,
): { readonly from: string; readonly imported: string } | null {
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
      const from = statement.moduleSpecifier.text;
      const { importClause: clause } = statement;
      if (clause?.name?.text === name) return { from, imported: 'default' };
      const bindings = clause?.namedBindings;
      if (bindings && ts.isNamespaceImport(bindings) && bindings.name.text === name) return { from, imported: '*' };
      const elements = bindings && ts.isNamedImports(bindings) ? bindings.elements : [];
      const specifier = elements.find((element) => element.name.text === name);
      if (specifier) return { from, imported: (specifier.propertyName ?? specifier.name).text };
    }
    const required = ts.isVariableStatement(statement) ? findRequire(statement, name) : null;
    if (required) return required;
  }
  return null;
}

/**
 * The module that this statement requires into the variable `name`, and the name in that module; null if it does not.
 */
function findRequire(
  statement: ts.VariableStatement,
  name: string,
): { readonly from: string; readonly imported: string } | null {
  for (const { name: bound, initializer } of statement.declarationList.declarations) {
    const from = initializer ? findRequireSpecifier(initializer) : null;
    if (from === null || !bindsName(bound, name)) continue;
    if (ts.isIdentifier(bound)) return { from, imported: 'default' };
    const element = bound.elements.find(
      (candidate) => ts.isBindingElement(candidate) && bindsName(candidate.name, name),
    );
    const key = element && ts.isBindingElement(element) ? (element.propertyName ?? element.name) : null;
    return key && ts.isIdentifier(key) ? { from, imported: key.text } : null;
  }
  return null;
}

/** The expression that a file exports under this name, also through `module.exports`; null if there is none. */
export function findExportedExpression(file: ts.SourceFile, name: string): ts.Expression | null {
  for (const statement of file.statements) {
    if (ts.isExportAssignment(statement) && name === 'default') return statement.expression;
    if (ts.isVariableStatement(statement))
      for (const { name: bound, initializer } of statement.declarationList.declarations)
        if (ts.isIdentifier(bound) && bound.text === name && initializer) return initializer;
    if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression)) continue;
    const { left, right } = statement.expression;
    const isWholeModule = left.getText(file) === 'module.exports' && name === 'default';
    if (isWholeModule || left.getText(file).replace(/^module\./, '') === `exports.${name}`) return right;
  }
  return null;
}

/** The name under which a file exports the variable `name` of this statement; null if it does not export it. */
export function findExportedName(file: ts.SourceFile, statement: ts.VariableStatement, name: string): string | null {
  if (hasExportKeyword(statement)) return name;
  for (const candidate of file.statements) {
    if (!ts.isExportDeclaration(candidate) || candidate.moduleSpecifier || !candidate.exportClause) continue;
    if (!ts.isNamedExports(candidate.exportClause)) continue;
    const specifier = candidate.exportClause.elements.find(
      (element) => (element.propertyName ?? element.name).text === name,
    );
    if (specifier) return specifier.name.text;
  }
  return null;
}
