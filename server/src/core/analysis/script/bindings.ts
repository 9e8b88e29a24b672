// Binds the names of one file, without its imports or libraries, and tells which local declaration an identifier means.

import { ts } from 'ts-morph';

/** TypeScript's own settings for looking at a single file: nothing is resolved or emitted, unused names are reported. */
const OPTIONS: ts.CompilerOptions = {
  noLib: true,
  noResolve: true,
  noEmit: true,
  types: [],
  noUnusedLocals: true,
  allowJs: true,
  checkJs: true,
  jsx: ts.JsxEmit.Preserve,
  target: ts.ScriptTarget.Latest,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  isolatedModules: true,
  experimentalDecorators: true,
};

/** Node with the table of names that its scope declares. The binder fills it; the public types leave it out. */
interface Scope extends ts.Node {
  readonly locals?: ts.SymbolTable;
}

/** The compiler has it and does not declare it. A checker binds as well, but making one costs more than a parse. */
const { bindSourceFile } = ts as unknown as { bindSourceFile(sourceFile: ts.SourceFile, options: ts.CompilerOptions): void };

/** Binds `sourceFile` in place. Throws whatever the compiler throws on code beyond it. */
export function bindScript(sourceFile: ts.SourceFile): void {
  bindSourceFile(sourceFile, OPTIONS);
}

/** A program of this file alone, which must have been bound. */
export function programOf(sourceFile: ts.SourceFile): ts.Program {
  return ts.createProgram({ rootNames: [sourceFile.fileName], options: OPTIONS, host: hostOf(sourceFile) });
}

/**
 * The local that an identifier refers to, judged by scopes alone. `inside` is true when the place is within the
 * declaration itself, as in recursion.
 */
export function resolveLocal(identifier: ts.Identifier): { readonly symbol: ts.Symbol; readonly inside: boolean } | null {
  const name = identifier.escapedText;
  const passed: ts.Node[] = [];
  for (let scope: Scope | undefined = identifier.parent; scope; scope = scope.parent) {
    passed.push(scope);
    const symbol = scope.locals?.get(name);
    if (symbol) return { symbol, inside: symbol.declarations?.some((declaration) => passed.includes(declaration)) ?? false };
  }
  return null;
}

/** Declarations that `node` as a scope holds. Top-level names of a script that is no module are global and left out. */
export function localsOf(node: ts.Node): Iterable<ts.Symbol> {
  const { locals } = node as Scope;
  if (!locals || (ts.isSourceFile(node) && !isModule(node))) return [];
  return locals.values();
}

/** True unless the identifier names a declaration or a property, or is only written to. */
export function isReference(identifier: ts.Identifier): boolean {
  const parent = identifier.parent;
  switch (parent.kind) {
    case ts.SyntaxKind.ShorthandPropertyAssignment:
      return true;
    case ts.SyntaxKind.ExportSpecifier: {
      const specifier = parent as ts.ExportSpecifier;
      return (specifier.propertyName ?? specifier.name) === identifier && !specifier.parent.parent.moduleSpecifier;
    }
    case ts.SyntaxKind.ImportSpecifier:
    case ts.SyntaxKind.BindingElement:
      return (parent as ts.BindingElement).initializer === identifier;
    case ts.SyntaxKind.QualifiedName:
      return (parent as ts.QualifiedName).left === identifier;
    case ts.SyntaxKind.BinaryExpression: {
      const binary = parent as ts.BinaryExpression;
      const { kind } = binary.operatorToken;
      const assigns = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
      return !(assigns && binary.left === identifier && binary.parent.kind === ts.SyntaxKind.ExpressionStatement);
    }
    case ts.SyntaxKind.PostfixUnaryExpression:
    case ts.SyntaxKind.PrefixUnaryExpression:
      return parent.parent.kind !== ts.SyntaxKind.ExpressionStatement;
    default:
      return (parent as ts.NamedDeclaration).name !== identifier;
  }
}

function isModule(sourceFile: ts.SourceFile): boolean {
  return ts.isExternalModule(sourceFile) || (sourceFile as ts.SourceFile & { readonly commonJsModuleIndicator?: unknown }).commonJsModuleIndicator !== undefined;
}

function hostOf(sourceFile: ts.SourceFile): ts.CompilerHost {
  return {
    getSourceFile: (name) => (name === sourceFile.fileName ? sourceFile : undefined),
    fileExists: (name) => name === sourceFile.fileName,
    readFile: () => undefined,
    writeFile: () => undefined,
    getDefaultLibFileName: () => '/lib.d.ts',
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    getDirectories: () => [],
    directoryExists: () => false,
    realpath: (path) => path,
  };
}
