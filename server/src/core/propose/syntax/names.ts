// Resolves the names of one file: the declaration of a name, all references to it, and whether a reference writes to
// it. The compiler binds the names without reading any other file.

import { ts } from 'ts-morph';
import { createOneFileHost } from '../../syntax/oneFileHost.ts';
import { collectDescendants } from './locate.ts';
import { isAssignment } from '../../syntax/values.ts';

/** The names of one file. */
export interface Names {
  /**
   * Finds the declaration in this file to which an identifier refers; undefined for globals, properties of unknown
   * objects and other names without a declaration in it.
   */
  symbolOf(identifier: ts.Identifier): ts.Symbol | undefined;
  /** Lists every identifier of the file that refers to the symbol, including declarations, in the order of the text. */
  referencesOf(symbol: ts.Symbol): readonly ts.Identifier[];
  /** True if any identifier of the file has this name. */
  isTaken(name: string): boolean;
}

/** Options with which the compiler binds one file without libraries and imports. */
const COMPILER_OPTIONS: ts.CompilerOptions = {
  noLib: true,
  noResolve: true,
  types: [],
  allowJs: true,
  checkJs: false,
  jsx: ts.JsxEmit.Preserve,
  target: ts.ScriptTarget.Latest,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  experimentalDecorators: true,
};

/**
 * Binds the names of a file. Takes some milliseconds. `sourceFile` must come from `parseSource`, and is modified by the
 * binder.
 */
export function collectFileNames(sourceFile: ts.SourceFile): Names {
  const { fileName } = sourceFile;
  const checker = ts
    .createProgram({ rootNames: [fileName], options: COMPILER_OPTIONS, host: createOneFileHost(sourceFile) })
    .getTypeChecker();
  const identifiersByText = new Map<string, ts.Identifier[]>();
  for (const node of collectDescendants(sourceFile)) {
    if (!ts.isIdentifier(node)) continue;
    const identifiers = identifiersByText.get(node.text);
    if (identifiers) identifiers.push(node);
    else identifiersByText.set(node.text, [node]);
  }
  const symbolOf = (node: ts.Identifier): ts.Symbol | undefined => {
    const { parent } = node;
    if (ts.isShorthandPropertyAssignment(parent)) return checker.getShorthandAssignmentValueSymbol(parent);
    if (ts.isExportSpecifier(parent))
      return parent.parent.parent.moduleSpecifier ? undefined : checker.getExportSpecifierLocalTargetSymbol(parent);
    // The pattern `{ name }` declares a variable and reads a property; the variable is returned.
    if (ts.isBindingElement(parent) && parent.name === node) return checker.getSymbolAtLocation(node);
    const symbol = checker.getSymbolAtLocation(node);
    return symbol && (symbol.declarations ?? []).some((declaration) => declaration.getSourceFile() === sourceFile)
      ? symbol
      : undefined;
  };
  return {
    symbolOf,
    referencesOf: (symbol) =>
      (identifiersByText.get(symbol.name) ?? identifiersByText.get(readLocalName(symbol))!).filter(
        (node) => symbolOf(node) === symbol,
      ),
    isTaken: (name) => identifiersByText.has(name),
  };
}

/** The name of a symbol in its own file: `f` for `export default function f`, whose symbol is called `default`. */
function readLocalName(symbol: ts.Symbol): string {
  const { name } = (symbol.declarations?.[0] ?? {}) as ts.NamedDeclaration;
  return name && ts.isIdentifier(name) ? name.text : symbol.name;
}

/**
 * True if the identifier is assigned to (also by destructuring, or as the target of `for … of` or `for … in`),
 * incremented or decremented. Its declaration is not a write.
 */
export function isWrite(identifier: ts.Node): boolean {
  const { parent } = identifier;
  if (
    ts.isParenthesizedExpression(parent) ||
    ts.isNonNullExpression(parent) ||
    ts.isAsExpression(parent) ||
    ts.isSatisfiesExpression(parent)
  )
    return isWrite(parent);
  if (
    ts.isArrayLiteralExpression(parent) ||
    ts.isSpreadElement(parent) ||
    ts.isObjectLiteralExpression(parent) ||
    ts.isSpreadAssignment(parent)
  )
    return isWrite(parent);
  if (ts.isPropertyAssignment(parent)) return parent.initializer === identifier && isWrite(parent);
  if (ts.isShorthandPropertyAssignment(parent)) return parent.name === identifier && isWrite(parent);
  if (ts.isBinaryExpression(parent)) return parent.left === identifier && isAssignment(parent);
  if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent))
    return parent.operator === ts.SyntaxKind.PlusPlusToken || parent.operator === ts.SyntaxKind.MinusMinusToken;
  return (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) && parent.initializer === identifier;
}
