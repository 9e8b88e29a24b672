// Binds the names of one file, without its imports or libraries, and finds the local declaration of an identifier.

import { ts } from 'ts-morph';
import { oneFileHost } from '../../syntax/oneFileHost.ts';

/**
 * TypeScript's own settings for looking at a single file: nothing is resolved or emitted, unused names are reported.
 */
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

/** Nodes between an expression and its scope in code that people write. */
const LONG_WAY = 64;
/** From nodes of the file that is bound to the scopes around them; null = none. */
let shortcuts = new WeakMap<ts.Node, Scope | null>();

/** The compiler has them and does not declare them. A checker binds as well, but making one costs more than a parse. */
const { bindSourceFile, setParentRecursive } = ts as unknown as {
  bindSourceFile(sourceFile: ts.SourceFile, options: ts.CompilerOptions): void;
  setParentRecursive(node: ts.Node, incremental: boolean): void;
};

/**
 * Binds `sourceFile` in place, and tells each node its parent. Throws whatever the compiler throws on code beyond it.
 */
export function bindScript(sourceFile: ts.SourceFile): void {
  shortcuts = new WeakMap();
  bindSourceFile(sourceFile, OPTIONS);
}

/** What the binder does on the way, for a file that is not bound. */
export function tellParents(sourceFile: ts.SourceFile): void {
  setParentRecursive(sourceFile, false);
}

/** A program of this file alone, which must have been bound. */
export function programOf(sourceFile: ts.SourceFile): ts.Program {
  return ts.createProgram({ rootNames: [sourceFile.fileName], options: OPTIONS, host: oneFileHost(sourceFile) });
}

/**
 * The local that an identifier refers to, judged by scopes alone. `inside` is true when the place is within the
 * declaration itself, as in recursion.
 */
export function resolveLocal(
  identifier: ts.Identifier,
): { readonly symbol: ts.Symbol; readonly inside: boolean } | null {
  const name = identifier.escapedText;
  for (let scope = scopeAround(identifier); scope; scope = scopeAround(scope)) {
    const symbol = scope.locals?.get(name);
    if (symbol)
      return {
        symbol,
        inside:
          symbol.declarations?.some(
            (declaration) => declaration.pos <= identifier.pos && identifier.end <= declaration.end,
          ) ?? false,
      };
  }
  return null;
}

/**
 * The nearest node above with a table of names. A long way is remembered, so that a chain of thousands of operators
 * stays linear.
 */
function scopeAround(node: ts.Node): Scope | null {
  let steps = 0;
  let at: Scope | null = node.parent ?? null;
  while (at && !at.locals) {
    const known: Scope | null | undefined = ++steps > LONG_WAY ? shortcuts.get(at) : undefined;
    at = known === undefined ? (at.parent ?? null) : known;
  }
  if (steps > LONG_WAY)
    for (let passed = node.parent; passed && passed !== at && !shortcuts.has(passed); passed = passed.parent)
      shortcuts.set(passed, at);
  return at;
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
  return (
    ts.isExternalModule(sourceFile) ||
    (sourceFile as ts.SourceFile & { readonly commonJsModuleIndicator?: unknown }).commonJsModuleIndicator !== undefined
  );
}
