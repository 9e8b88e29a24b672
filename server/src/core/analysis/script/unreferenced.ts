// Finds the locals to which no code of a file can refer, without the type checker, which would report the same locals
// as unused.

import { ts } from 'ts-morph';
import { mayBeReferenced } from './mayBeReferenced.ts';
import { appendTo } from '../../../util/values/appendTo.ts';

/** A range of the text, as the type checker reports it: one name, or all code that belongs together. */
export type ReportedSpan = readonly [start: number, end: number];

/** A flag of the compiler that its types do not declare: the node is within `declare`, or in a declaration file. */
const AMBIENT_FLAG = (ts.NodeFlags as unknown as { readonly Ambient: number }).Ambient;

/** Nodes whose scopes the type checker searches for unused names. */
const SCOPE_KINDS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.SourceFile,
  ts.SyntaxKind.Block,
  ts.SyntaxKind.CaseBlock,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.Constructor,
  ts.SyntaxKind.FunctionExpression,
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.ArrowFunction,
  ts.SyntaxKind.MethodDeclaration,
  ts.SyntaxKind.GetAccessor,
  ts.SyntaxKind.SetAccessor,
]);

/** A symbol that no read of the file refers to. */
export interface UnreadSymbol {
  readonly symbol: ts.Symbol;
  /** The node in whose scope the name is declared. */
  readonly scope: ts.Node;
}

/**
 * The unused ranges in text order. Null if only the type checker can decide: some occurrence may refer to one of the
 * names, or one is declared in a way with special rules. Groups are the same as in TypeScript: all names of an import,
 * a pattern or a statement are one group.
 */
export function findUnreferencedSpans(
  unreadSymbols: readonly UnreadSymbol[],
  sourceFile: ts.SourceFile,
): readonly ReportedSpan[] | null {
  // A name may be written with an escape.
  if (sourceFile.text.includes('\\u')) return null;
  const declarations: ts.Declaration[] = [];
  const declarationsByName = new Map<string, ts.Declaration[]>();
  for (const { symbol, scope } of unreadSymbols) {
    // Ambient declarations describe other code, so none of them is reported as unused.
    const symbolDeclarations = symbol.declarations?.filter(({ flags }) => (flags & AMBIENT_FLAG) === 0) ?? [];
    if (symbolDeclarations.length === 0) continue;
    if (!SCOPE_KINDS.has(scope.kind) || (symbol as { readonly exportSymbol?: ts.Symbol }).exportSymbol) return null;
    for (const declaration of symbolDeclarations) {
      if (!hasPlainName(declaration)) return null;
      declarations.push(declaration);
      appendTo(declarationsByName, symbol.name, declaration);
    }
  }
  for (const [name, group] of declarationsByName) if (mayBeReferenced(sourceFile, name, group)) return null;
  return createSpansOfGroups(declarations, sourceFile).sort(([a, aEnd], [b, bEnd]) => a - b || aEnd - bEnd);
}

/** True if the declaration has one name, an identifier, and disposes of nothing at the end of its scope. */
function hasPlainName(declaration: ts.Declaration): boolean {
  const { name } = declaration as ts.NamedDeclaration;
  if (!name || !ts.isIdentifier(name)) return false;
  switch (declaration.kind) {
    case ts.SyntaxKind.ImportClause:
    case ts.SyntaxKind.ImportSpecifier:
    case ts.SyntaxKind.NamespaceImport:
    case ts.SyntaxKind.ImportEqualsDeclaration:
    case ts.SyntaxKind.FunctionDeclaration:
    case ts.SyntaxKind.ClassDeclaration:
    case ts.SyntaxKind.InterfaceDeclaration:
    case ts.SyntaxKind.TypeAliasDeclaration:
    case ts.SyntaxKind.EnumDeclaration:
      return true;
    case ts.SyntaxKind.VariableDeclaration:
    case ts.SyntaxKind.BindingElement:
      return isOfStatement(declaration);
    default:
      return false;
  }
}

/** True for a variable of a statement, or in a pattern of one, that is not disposed of at the end of its scope. */
function isOfStatement(declaration: ts.Node): boolean {
  let node = declaration;
  while (ts.isBindingElement(node)) node = node.parent.parent;
  if (
    !ts.isVariableDeclaration(node) ||
    !ts.isVariableDeclarationList(node.parent) ||
    !ts.isVariableStatement(node.parent.parent)
  )
    return false;
  const scoped = node.parent.flags & ts.NodeFlags.BlockScoped;
  return scoped === 0 || scoped === ts.NodeFlags.Let || scoped === ts.NodeFlags.Const;
}

/**
 * The spans of these declarations: one for each name, but one for a whole import, pattern or list in which no name is
 * referenced.
 */
function createSpansOfGroups(declarations: readonly ts.Declaration[], sourceFile: ts.SourceFile): ReportedSpan[] {
  const groups = groupByConstruct(declarations.filter((declaration) => !isIntentionallyUnused(declaration)));
  const spanOf = (node: ts.Node): ReportedSpan => [node.getStart(sourceFile), node.end];
  const findNameSpans = (group: readonly ts.Declaration[]): ReportedSpan[] =>
    group.map((declaration) => spanOf((declaration as ts.NamedDeclaration).name ?? declaration));
  const spans = findNameSpans(groups.single);
  for (const [clause, group] of groups.imports)
    spans.push(...(group.length === countNames(clause) ? [spanOf(clause.parent)] : findNameSpans(group)));
  for (const [pattern, group] of groups.patterns) {
    const parent = pattern.parent;
    if (group.length < pattern.elements.length) spans.push(...findNameSpans(group));
    else if (group.length === 1 && ts.isVariableDeclaration(parent) && ts.isVariableDeclarationList(parent.parent))
      appendTo(groups.lists, parent.parent, parent);
    else spans.push(spanOf(pattern));
  }
  for (const [list, group] of groups.lists) {
    const areAllUnused = group.length === list.declarations.length && group.length > 1;
    spans.push(
      ...(areAllUnused ? [spanOf(ts.isVariableStatement(list.parent) ? list.parent : list)] : findNameSpans(group)),
    );
  }
  return spans;
}

/** Declarations, grouped by the construct that contains them. */
function groupByConstruct(declarations: readonly ts.Declaration[]) {
  const singleDeclarations: ts.Declaration[] = [];
  const imports = new Map<ts.ImportClause, ts.Declaration[]>();
  const patterns = new Map<ts.ObjectBindingPattern, ts.BindingElement[]>();
  const lists = new Map<ts.VariableDeclarationList, ts.VariableDeclaration[]>();
  for (const declaration of declarations) {
    if (ts.isImportClause(declaration)) appendTo(imports, declaration, declaration);
    else if (ts.isNamespaceImport(declaration)) appendTo(imports, declaration.parent, declaration);
    else if (ts.isImportSpecifier(declaration)) appendTo(imports, declaration.parent.parent, declaration);
    else if (ts.isBindingElement(declaration) && ts.isObjectBindingPattern(declaration.parent)) {
      const lastElement = declaration.parent.elements.at(-1);
      // An element before a rest element may be there only to exclude it from the remaining ones.
      if (declaration === lastElement || !lastElement?.dotDotDotToken)
        appendTo(patterns, declaration.parent, declaration);
    } else if (ts.isVariableDeclaration(declaration))
      appendTo(lists, declaration.parent as ts.VariableDeclarationList, declaration);
    else singleDeclarations.push(declaration);
  }
  return { single: singleDeclarations, imports, patterns, lists };
}

/** True for a name with a leading underscore in a position where TypeScript takes that as a sign to keep the name. */
function isIntentionallyUnused(declaration: ts.Declaration): boolean {
  const isUnderscored = ((declaration as ts.NamedDeclaration).name as ts.Identifier).text.startsWith('_');
  if (!isUnderscored) return false;
  if (ts.isBindingElement(declaration))
    return !ts.isObjectBindingPattern(declaration.parent) || declaration.propertyName !== undefined;
  return ts.isImportClause(declaration) || ts.isImportSpecifier(declaration) || ts.isNamespaceImport(declaration);
}

/** The number of names that an import clause declares. */
function countNames({ name, namedBindings }: ts.ImportClause): number {
  return (
    (name ? 1 : 0) + (!namedBindings ? 0 : ts.isNamespaceImport(namedBindings) ? 1 : namedBindings.elements.length)
  );
}
