// Finds imports and locals of one file that no code reads, as TypeScript's type checker decides. The type checker is
// used only if necessary.

import { ts } from 'ts-morph';
import { isReference, listLocals, createSingleFileProgram, resolveLocal } from './bindings.ts';
import { isNamedGraphqlDocument } from './graphqlDocument.ts';
import { findUnreferencedSpans, type ReportedSpan, type UnreadSymbol } from './unreferenced.ts';
import { UNUSED_CODES } from '../../syntax/declarations/unusedCodes.ts';

/** The kind of an unused declaration. `require`: a variable whose value is a `require` call; `type`: includes enums. */
export type UnusedKind = 'import' | 'require' | 'variable' | 'function' | 'class' | 'type';

/** An unused declaration, or the unused part of one. */
export interface UnusedDeclaration {
  readonly kind: UnusedKind;
  /** The first of the declarations that belong together. */
  readonly declaration: ts.Declaration;
  readonly names: readonly { readonly text: string; readonly start: number; readonly end: number }[];
  /** The offsets of the declaration or specifier; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /**
   * The statement that can be removed as a whole without effect; null if part of it stays, or if a call computes its
   * value.
   */
  readonly statement: ts.Statement | null;
  /** False if other names of the same import or declaration stay. */
  readonly whole: boolean;
  /** False if computing the value may have effects, or if it is a `require` call. */
  readonly pure: boolean;
  /** True if a name is declared by `let` or `var`, because other code may assign to it. */
  readonly isReassignable: boolean;
}

/** Names that a JSX transform may use without a reference in the file. */
const JSX_FACTORIES = new Set(['React', 'Preact', 'h', 'jsx', 'Fragment', 'createElement', 'Solid']);

/**
 * An undeclared function of the compiler: true for a node that is assigned to, incremented, or part of a pattern that
 * is.
 */
const { isAssignmentTarget } = ts as unknown as { isAssignmentTarget(node: ts.Node): boolean };

/** Records during a walk which locals are read, so that most files need no type check. */
export class ReferenceCount {
  readonly #read = new Set<ts.Symbol>();
  /**
   * Symbols with at least one read that is not also an assignment within an expression. For symbols whose reads all are
   * assignments as well, the type checker has special rules.
   */
  readonly #surelyRead = new Set<ts.Symbol>();
  readonly #declared = new Map<number, ts.Declaration>();
  readonly #symbols: UnreadSymbol[] = [];
  /** The names after `use:` in JSX, which Solid's compiler turns into calls. */
  readonly #directives = new Set<string>();
  #jsx = false;

  visit(node: ts.Node): void {
    if (
      node.kind === ts.SyntaxKind.JsxOpeningElement ||
      node.kind === ts.SyntaxKind.JsxSelfClosingElement ||
      node.kind === ts.SyntaxKind.JsxFragment
    )
      this.#jsx = true;
    for (const symbol of listLocals(node)) this.#declare(symbol, node);
    if (node.kind === ts.SyntaxKind.JsxNamespacedName) this.#take(node as ts.JsxNamespacedName);
    if (node.kind !== ts.SyntaxKind.Identifier || !isReference(node as ts.Identifier)) return;
    const local = resolveLocal(node as ts.Identifier);
    if (!local || local.isWithinDeclaration) return;
    this.#read.add(local.symbol);
    if (!isAssignmentTarget(node)) this.#surelyRead.add(local.symbol);
  }

  /** True if a local seems unread. Otherwise there can be no finding. */
  mayHaveUnused(): boolean {
    return this.#symbols.some(({ symbol }) => !this.#read.has(symbol));
  }

  /**
   * Unread names with a leading underscore. The type checker accepts some of them. Renaming must not be enough to
   * improve the score, so the ruler counts them.
   */
  listUnreadUnderscored(): readonly { readonly start: number }[] {
    return this.#symbols
      .filter(({ symbol }) => symbol.name.startsWith('_') && !this.#read.has(symbol))
      .flatMap(({ symbol }) => (symbol.declarations ?? []).filter(isRemovable))
      .flatMap((declaration) => {
        const name = findName(declaration);
        return name ? [{ start: name.getStart() }] : [];
      });
  }

  /** The unused declarations of a bound file. Throws the error of the compiler on code that it cannot handle. */
  findUnused(sourceFile: ts.SourceFile): readonly UnusedDeclaration[] {
    const unusedDeclarations: UnusedDeclaration[] = [];
    for (const [start, end] of this.#unmentioned(sourceFile) ?? listSpansByChecker(sourceFile)) {
      const declarations = this.#within(start, end).filter((declaration) => !this.#isSpared(declaration, sourceFile));
      const unused = declarations.length > 0 ? createUnused(declarations, sourceFile) : null;
      if (unused) unusedDeclarations.push(unused);
    }
    return unusedDeclarations;
  }

  /**
   * True if a local may be read only by the code of these nodes, so that there may be more findings without them.
   * Decided by names.
   */
  mayBeFreedByRemoving(nodes: readonly ts.Node[]): boolean {
    if (nodes.length === 0) return false;
    const names = new Set(this.#symbols.map(({ symbol }) => symbol.escapedName));
    const pending = [...nodes];
    for (let node = pending.pop(); node; node = pending.pop()) {
      // Code with JSX uses a factory without naming it.
      if (
        node.kind === ts.SyntaxKind.JsxElement ||
        node.kind === ts.SyntaxKind.JsxSelfClosingElement ||
        node.kind === ts.SyntaxKind.JsxFragment
      )
        return true;
      if (ts.isIdentifier(node) && names.has(node.escapedText) && isReference(node)) return true;
      ts.forEachChild(node, (child) => void pending.push(child));
    }
    return false;
  }

  /**
   * The unused ranges, found without the type checker, which would examine the whole file. Usually it is enough to know
   * that a name does not occur again. Null if only the type checker can decide.
   */
  #unmentioned(sourceFile: ts.SourceFile): readonly ReportedSpan[] | null {
    if (this.#symbols.some(({ symbol }) => this.#read.has(symbol) && !this.#surelyRead.has(symbol))) return null;
    const unreadSymbols = this.#symbols.filter(({ symbol }) => !this.#read.has(symbol));
    const usedByJsx = unreadSymbols.filter(
      ({ symbol }) => JSX_FACTORIES.has(symbol.name) && this.#mayShowJsx(sourceFile),
    );
    if (usedByJsx.length === 0) return findUnreferencedSpans(unreadSymbols, sourceFile);
    const otherUnread = unreadSymbols.filter((symbol) => !usedByJsx.includes(symbol));
    // JSX factories that are imported are kept by `#isSpared`. But the names of one import are reported together, so
    // the type checker decides if such an import has other unread names.
    const statements = new Set(
      usedByJsx.flatMap(({ symbol }) =>
        (symbol.declarations ?? []).map((declaration) =>
          classifyDeclaration(declaration) === 'import' ? findStatement(declaration) : null,
        ),
      ),
    );
    if (
      statements.has(null) ||
      otherUnread.some(({ symbol }) =>
        symbol.declarations?.some((declaration) => statements.has(findStatement(declaration))),
      )
    )
      return null;
    return findUnreferencedSpans(otherUnread, sourceFile);
  }

  /** True if the file contains JSX, or has a name of files with JSX. */
  #mayShowJsx({ fileName }: ts.SourceFile): boolean {
    return this.#jsx || /\.[jt]sx$/.test(fileName);
  }

  /** Records the name of a `use:` directive. */
  #take({ namespace, name }: ts.JsxNamespacedName): void {
    if (namespace.text === 'use') this.#directives.add(name.text);
  }

  /** Records the declarations of a symbol that could be removed. */
  #declare(symbol: ts.Symbol, scope: ts.Node): void {
    const declarations = (symbol.declarations ?? []).filter(isRemovable);
    if (declarations.length === 0) return;
    this.#symbols.push({ symbol, scope });
    for (const declaration of declarations) {
      const name = findName(declaration);
      if (name) this.#declared.set(name.end, declaration);
    }
  }

  /** The recorded declarations that a reported range is about; empty if there is none. */
  #within(start: number, end: number): ts.Declaration[] {
    const exact = this.#declared.get(end);
    if (exact && exact.getSourceFile().text.slice(start, end) === findName(exact)?.text) return [exact];
    const innerDeclarations = [...this.#declared]
      .filter(([nameEnd]) => nameEnd > start && nameEnd <= end)
      .map(([, declaration]) => declaration);
    const [first] = innerDeclarations;
    // A span over a whole statement also covers declarations inside its values, which are reported separately.
    return first ? innerDeclarations.filter((declaration) => findStatement(declaration) === findStatement(first)) : [];
  }

  /** True for a name that tools read although the code does not: GraphQL, JSX, and types in comments of JavaScript. */
  #isSpared(declaration: ts.Declaration, sourceFile: ts.SourceFile): boolean {
    const name = findName(declaration)?.text ?? '';
    const value = findVariable(declaration)?.initializer;
    if (value && isNamedGraphqlDocument(value, sourceFile)) return true;
    if (this.#directives.has(name)) return true;
    if (classifyDeclaration(declaration) !== 'import') return false;
    if (JSX_FACTORIES.has(name) && this.#mayShowJsx(sourceFile)) return true;
    return isJavaScript(sourceFile) && isNamedInDocComment(name, sourceFile.text);
  }
}

/** The ranges that the type checker reports. Suppression comments are ignored: hidden code is still unused. */
function listSpansByChecker(sourceFile: ts.SourceFile): readonly ReportedSpan[] {
  const mutableFile = sourceFile as { commentDirectives?: unknown; checkJsDirective?: unknown };
  mutableFile.commentDirectives = undefined;
  mutableFile.checkJsDirective = undefined;
  const diagnostics = createSingleFileProgram(sourceFile).getSemanticDiagnostics(sourceFile);
  return diagnostics.flatMap(({ code, start, length }): ReportedSpan[] =>
    UNUSED_CODES.has(code) && start !== undefined ? [[start, start + (length ?? 0)]] : [],
  );
}

/**
 * True if a doc comment contains the name. In JavaScript, types are in doc comments, where an unresolved import does
 * not count as read.
 */
function isNamedInDocComment(name: string, text: string): boolean {
  for (let offset = text.indexOf('/**'); offset >= 0; offset = text.indexOf('/**', offset + 3)) {
    const end = text.indexOf('*/', offset);
    const comment = text.slice(offset, end < 0 ? undefined : end);
    if (new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(comment)) return true;
  }
  return false;
}

function isJavaScript(sourceFile: ts.SourceFile): boolean {
  return /\.[cm]?jsx?$/.test(sourceFile.fileName);
}

/** True for an import, and for a declaration that is neither exported nor ambient. Parameters do not count. */
function isRemovable(declaration: ts.Declaration): boolean {
  if (
    ts.isImportClause(declaration) ||
    ts.isImportSpecifier(declaration) ||
    ts.isNamespaceImport(declaration) ||
    ts.isImportEqualsDeclaration(declaration)
  )
    return true;
  if (ts.isFunctionDeclaration(declaration) || ts.isClassDeclaration(declaration)) return !isExported(declaration);
  if (
    ts.isInterfaceDeclaration(declaration) ||
    ts.isTypeAliasDeclaration(declaration) ||
    ts.isEnumDeclaration(declaration)
  )
    return !isExported(declaration);
  const variable = findVariable(declaration);
  return variable !== null && ts.isVariableStatement(variable.parent.parent) && !isExported(variable);
}

function isExported(declaration: ts.Declaration): boolean {
  return (ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Export | ts.ModifierFlags.Ambient)) !== 0;
}

/** The variable that a declaration is, or whose pattern contains it; null for other declarations. */
function findVariable(declaration: ts.Node): ts.VariableDeclaration | null {
  let node = declaration;
  while (ts.isBindingElement(node)) node = node.parent.parent;
  return ts.isVariableDeclaration(node) && ts.isVariableDeclarationList(node.parent) ? node : null;
}

function findName(declaration: ts.Declaration): ts.Identifier | null {
  const { name } = declaration as ts.NamedDeclaration;
  return name && ts.isIdentifier(name) ? name : null;
}

/** The kind of a declaration, if it is unused. */
function classifyDeclaration(declaration: ts.Declaration): UnusedKind {
  if (ts.isFunctionDeclaration(declaration)) return 'function';
  if (ts.isClassDeclaration(declaration)) return 'class';
  if (
    ts.isInterfaceDeclaration(declaration) ||
    ts.isTypeAliasDeclaration(declaration) ||
    ts.isEnumDeclaration(declaration)
  )
    return 'type';
  const variable = findVariable(declaration);
  if (!variable) return 'import';
  const value = variable.initializer;
  return value && ts.isCallExpression(value) && ts.isIdentifier(value.expression) && value.expression.text === 'require'
    ? 'require'
    : 'variable';
}

/**
 * The unused names that one construct declares, as one result; null if none of the declarations has an identifier as
 * its name.
 */
function createUnused(declarations: readonly ts.Declaration[], sourceFile: ts.SourceFile): UnusedDeclaration | null {
  const [first] = declarations;
  if (!first) return null;
  const kind = classifyDeclaration(first);
  const names = declarations.flatMap((declaration) => {
    const name = findName(declaration);
    return name ? [{ text: name.text, start: name.getStart(sourceFile), end: name.end }] : [];
  });
  if (names.length === 0) return null;
  const statement = findStatement(first);
  const isWholeStatement = statement !== null && countDeclaredNames(statement) === names.length;
  const variables = declarations.map(findVariable).filter((variable) => variable !== null);
  const pure =
    kind !== 'require' && variables.every((variable) => !variable.initializer || isPure(variable.initializer));
  const construct =
    isWholeStatement && statement ? statement : declarations.length === 1 ? first : (first.parent ?? first);
  return {
    kind,
    declaration: first,
    names,
    start: construct.getStart(sourceFile),
    end: construct.end,
    statement: isWholeStatement && pure && kind !== 'import' ? statement : null,
    whole: isWholeStatement,
    pure,
    isReassignable: variables.some((variable) => (variable.parent.flags & ts.NodeFlags.Const) === 0),
  };
}

/**
 * The innermost import, function, class, type or variable statement around a declaration, which may be the declaration
 * itself; null if there is none.
 */
function findStatement(declaration: ts.Node): ts.Statement | null {
  for (let node: ts.Node | undefined = declaration; node; node = node.parent) {
    if (ts.isVariableStatement(node) || ts.isImportDeclaration(node) || ts.isImportEqualsDeclaration(node)) return node;
    if (
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isEnumDeclaration(node)
    )
      return node;
  }
  return null;
}

/** Number of names that a statement declares or imports. */
function countDeclaredNames(statement: ts.Statement): number {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.reduce((sum, { name }) => sum + countNames(name), 0);
  if (ts.isImportDeclaration(statement)) {
    const clause = statement.importClause;
    const bindings = clause?.namedBindings;
    return (clause?.name ? 1 : 0) + (!bindings ? 0 : ts.isNamespaceImport(bindings) ? 1 : bindings.elements.length);
  }
  return 1;
}

function countNames(name: ts.BindingName): number {
  if (ts.isIdentifier(name)) return 1;
  return name.elements.reduce((sum, element) => sum + (ts.isBindingElement(element) ? countNames(element.name) : 0), 0);
}

/** True if evaluating the expression obviously has no effect: no call, no assignment, no `await`. */
function isPure(expression: ts.Node): boolean {
  switch (expression.kind) {
    case ts.SyntaxKind.CallExpression:
    case ts.SyntaxKind.NewExpression:
    case ts.SyntaxKind.TaggedTemplateExpression:
    case ts.SyntaxKind.AwaitExpression:
    case ts.SyntaxKind.YieldExpression:
    case ts.SyntaxKind.DeleteExpression:
    case ts.SyntaxKind.PostfixUnaryExpression:
    case ts.SyntaxKind.ClassExpression:
      return false;
    case ts.SyntaxKind.ArrowFunction:
    case ts.SyntaxKind.FunctionExpression:
      return true;
    case ts.SyntaxKind.PrefixUnaryExpression: {
      const { operator } = expression as ts.PrefixUnaryExpression;
      if (operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken) return false;
      break;
    }
    case ts.SyntaxKind.BinaryExpression: {
      const { kind } = (expression as ts.BinaryExpression).operatorToken;
      if (kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment) return false;
      break;
    }
    default:
  }
  return !ts.forEachChild(expression, (child) => !isPure(child));
}
