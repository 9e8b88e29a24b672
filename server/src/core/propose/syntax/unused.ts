// Finds the declarations that TypeScript's language service reports as unused.

import { ts } from 'ts-morph';
import { collectDescendants, type Span } from './locate.ts';
import { collectBoundIdentifiers } from '../../syntax/names.ts';
import { UNUSED_CODES } from '../../syntax/declarations/unusedCodes.ts';

/** Unused declarations that the language service reports together. */
export interface UnusedDiagnostic {
  readonly diagnostic: ts.Diagnostic;
  readonly names: readonly string[];
  readonly identifiers: readonly ts.Identifier[];
  /** The statement that contains the declarations. */
  readonly statement: ts.Statement;
  /** True if the statement contains no other declarations. */
  readonly coversStatement: boolean;
  /** The nodes of the unused declarations. */
  readonly declarationNodes: readonly ts.Node[];
  readonly isImport: boolean;
}

/**
 * Finds the first unused names in the span: those of an import, or of a declaration. Null if there are none.
 * Parameters, type parameters and members are ignored.
 */
export function findFirstUnused(
  service: ts.LanguageService,
  fileName: string,
  sourceFile: ts.SourceFile,
  span: Span,
): UnusedDiagnostic | null {
  const declarations = collectDescendants(sourceFile).flatMap(findDeclaredNames);
  const diagnostics = service
    .getSuggestionDiagnostics(fileName)
    .filter(
      ({ code, start = -1, length = 0 }) => UNUSED_CODES.has(code) && start < span.end && start + length > span.start,
    )
    .sort((a, b) => (a.start ?? 0) - (b.start ?? 0));
  for (const diagnostic of diagnostics) {
    const start = diagnostic.start ?? 0;
    const end = start + (diagnostic.length ?? 0);
    const reportedDeclarations = declarations.filter(
      ({ name }) => name.getStart(sourceFile) >= start && name.end <= end,
    );
    const declarationsInSpan = reportedDeclarations.filter(
      ({ name, statement }) =>
        reportedDeclarations.length === 1 ||
        (statement.pos < span.end && statement.end > span.start && name.end > start),
    );
    const firstDeclaration = declarationsInSpan[0];
    if (!firstDeclaration || !overlapsSpan(sourceFile, declarationsInSpan, span)) continue;
    const identifiers = declarationsInSpan.map(({ name }) => name);
    return {
      diagnostic,
      names: identifiers.map(({ text }) => text),
      identifiers,
      statement: firstDeclaration.statement,
      coversStatement:
        declarations.filter(({ statement }) => statement === firstDeclaration.statement).length ===
        declarationsInSpan.length,
      declarationNodes: declarationsInSpan.map(({ node }) => node),
      isImport:
        ts.isImportDeclaration(firstDeclaration.statement) || ts.isImportEqualsDeclaration(firstDeclaration.statement),
    };
  }
  return null;
}

/** A declared name with its declaration. */
interface DeclaredName {
  readonly name: ts.Identifier;
  readonly node: ts.Node;
  readonly statement: ts.Statement;
}

/** True if a name, or the whole statement that declares it, is in the span. */
function overlapsSpan(sourceFile: ts.SourceFile, declaredNames: readonly DeclaredName[], span: Span): boolean {
  return declaredNames.some(
    ({ name, statement }) =>
      (name.getStart(sourceFile) < span.end && name.end > span.start) ||
      (statement.getStart(sourceFile) >= span.start && statement.end <= span.end),
  );
}

/** Finds the names that a statement declares, each with the node that could be removed for it. */
function findDeclaredNames(node: ts.Node): DeclaredName[] {
  if (ts.isImportDeclaration(node)) {
    const { importClause } = node;
    if (!importClause) return [];
    const bindings = importClause.namedBindings;
    const namedImports = !bindings
      ? []
      : ts.isNamespaceImport(bindings)
        ? [{ name: bindings.name, node: bindings as ts.Node, statement: node }]
        : bindings.elements.map((element) => ({ name: element.name, node: element as ts.Node, statement: node }));
    return importClause.name
      ? [{ name: importClause.name, node: importClause, statement: node }, ...namedImports]
      : namedImports;
  }
  if (ts.isVariableStatement(node)) {
    return node.declarationList.declarations.flatMap((declaration) =>
      collectBoundIdentifiers(declaration.name).map((name) => ({ name, node: name.parent, statement: node })),
    );
  }
  if (ts.isImportEqualsDeclaration(node)) return [{ name: node.name, node, statement: node }];
  const isNamed =
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node);
  return isNamed && node.name ? [{ name: node.name, node, statement: node }] : [];
}
