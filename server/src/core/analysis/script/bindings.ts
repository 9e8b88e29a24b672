// Binds the names of one file without its imports and libraries, and finds the local declaration of an identifier.

import { ts } from 'ts-morph';
import { createOneFileHost } from '../../syntax/oneFileHost.ts';

/** TypeScript's settings for a single file: nothing is resolved or emitted, and unused names are reported. */
const COMPILER_OPTIONS: ts.CompilerOptions = {
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

/** A node with the symbols that its scope declares. The binder fills the table, which the public types do not show. */
interface Scope extends ts.Node {
  readonly locals?: ts.SymbolTable;
}

/** Maximum number of nodes between an expression and its scope in code that people write. */
const MAX_USUAL_DISTANCE = 64;
/** By node of the bound file that is far from its scope: the scope around it; null if there is none. */
let scopeCache = new WeakMap<ts.Node, Scope | null>();

/**
 * Functions of the compiler that its types do not declare. A type checker binds too, but creating one costs more than a
 * parse.
 */
const { bindSourceFile, setParentRecursive } = ts as unknown as {
  bindSourceFile(sourceFile: ts.SourceFile, options: ts.CompilerOptions): void;
  setParentRecursive(node: ts.Node, isIncremental: boolean): void;
};

/**
 * Binds `sourceFile` in place and sets the parents of its nodes. Throws the error of the compiler on code that it
 * cannot handle.
 */
export function bindScript(sourceFile: ts.SourceFile): void {
  scopeCache = new WeakMap();
  bindSourceFile(sourceFile, COMPILER_OPTIONS);
}

/** Sets the parents of the nodes, as the binder does, in a file that is not bound. */
export function setParents(sourceFile: ts.SourceFile): void {
  setParentRecursive(sourceFile, false);
}

/** A program with only this file, which must have been bound. */
export function createSingleFileProgram(sourceFile: ts.SourceFile): ts.Program {
  return ts.createProgram({
    rootNames: [sourceFile.fileName],
    options: COMPILER_OPTIONS,
    host: createOneFileHost(sourceFile),
  });
}

/**
 * The local declaration that an identifier refers to, found only by scopes. `isWithinDeclaration`: true if the
 * identifier is within that declaration, as in recursion. Null if no scope of the file declares the name.
 */
export function resolveLocal(
  identifier: ts.Identifier,
): { readonly symbol: ts.Symbol; readonly isWithinDeclaration: boolean } | null {
  const name = identifier.escapedText;
  for (let scope = findScopeAround(identifier); scope; scope = findScopeAround(scope)) {
    const symbol = scope.locals?.get(name);
    if (symbol)
      return {
        symbol,
        isWithinDeclaration:
          symbol.declarations?.some(
            (declaration) => declaration.pos <= identifier.pos && identifier.end <= declaration.end,
          ) ?? false,
      };
  }
  return null;
}

/**
 * The nearest scope around a node; null if there is none. Long paths are cached, so that a chain of thousands of
 * operators takes linear time.
 */
function findScopeAround(node: ts.Node): Scope | null {
  let steps = 0;
  let current: Scope | null = node.parent ?? null;
  while (current && !current.locals) {
    const cachedScope: Scope | null | undefined = ++steps > MAX_USUAL_DISTANCE ? scopeCache.get(current) : undefined;
    current = cachedScope === undefined ? (current.parent ?? null) : cachedScope;
  }
  if (steps > MAX_USUAL_DISTANCE)
    for (let passed = node.parent; passed && passed !== current && !scopeCache.has(passed); passed = passed.parent)
      scopeCache.set(passed, current);
  return current;
}

/**
 * The symbols that the scope of `node` declares. Top-level names of a script that is not a module are global, so they
 * are skipped.
 */
export function listLocals(node: ts.Node): Iterable<ts.Symbol> {
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

/** True for an ES module, and for a CommonJS module that is not part of a bundle. */
function isModule(sourceFile: ts.SourceFile): boolean {
  if (ts.isExternalModule(sourceFile)) return true;
  const { commonJsModuleIndicator: indicator } = sourceFile as ts.SourceFile & {
    readonly commonJsModuleIndicator?: ts.Node;
  };
  return indicator !== undefined && !isInBundle(indicator);
}

/**
 * True for a use of `exports`, `module` or `require` that is a parameter of a function around it, as in a bundle for
 * browsers: `var lib = (function (exports) { exports.a = 1; })({})`. The compiler takes it for CommonJS, but the file
 * is a script whose names are global.
 */
function isInBundle(indicator: ts.Node): boolean {
  for (let node = indicator.parent; node; node = node.parent)
    if (
      ts.isFunctionLike(node) &&
      node.parameters.some(({ name }) => /^(?:exports|module|require)$/.test(name.getText()))
    )
      return true;
  return false;
}
