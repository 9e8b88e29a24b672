// Finds the exported declaration at a position in the text.

import { ts } from 'ts-morph';
import { collectDescendants, type Span } from '../syntax/locate.ts';
import { hasExportKeyword, hasModifier } from '../../syntax/declarations/modifiers.ts';

/** A declaration that is exported. */
export interface ExportedDeclaration {
  readonly name: string;
  /** The declaration without its comments: a statement, or a member of a class or interface. */
  readonly node: ts.Node;
}

/**
 * Finds the exported declaration at a span; null if the declaration there is not exported. In order of preference, it
 * is the declaration whose name begins at the span, the one that begins there, or one with the last name in `symbol`
 * that overlaps the span. The first overload represents all. Members count as exported if their class or interface is.
 */
export function findExportedDeclaration(
  sourceFile: ts.SourceFile,
  span: Span,
  symbol: string | null,
): ExportedDeclaration | null {
  const lastName = symbol?.split('.').at(-1) ?? null;
  const declarations = collectDeclarations(sourceFile);
  const declaration =
    declarations.find(({ nameStart }) => nameStart === span.start) ??
    declarations.find(({ node }) => node.getStart(sourceFile) === span.start) ??
    declarations.find(
      ({ node, name }) => name === lastName && node.getStart(sourceFile) <= span.end && node.end >= span.start,
    );
  if (!declaration || !isExported(sourceFile, declaration.node, declaration.name)) return null;
  return { name: declaration.name, node: findFirstOverload(declaration.node, declaration.name) };
}

/** Collects all declarations of the file, each with the position of its name. */
function collectDeclarations(sourceFile: ts.SourceFile): { name: string; nameStart: number; node: ts.Node }[] {
  return collectDescendants(sourceFile).flatMap((node) => {
    if (ts.isVariableStatement(node)) {
      return node.declarationList.declarations.flatMap(({ name }) =>
        ts.isIdentifier(name) ? [{ name: name.text, nameStart: name.getStart(sourceFile), node: node as ts.Node }] : [],
      );
    }
    const isDeclaration =
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isEnumDeclaration(node) ||
      ts.isModuleDeclaration(node) ||
      ts.isClassElement(node) ||
      ts.isTypeElement(node);
    if (!isDeclaration) return [];
    const { name } = node as ts.NamedDeclaration;
    if (!name)
      return hasModifier(node, ts.SyntaxKind.DefaultKeyword)
        ? [{ name: 'default', nameStart: node.getStart(sourceFile), node }]
        : [];
    return [{ name: name.getText(sourceFile), nameStart: name.getStart(sourceFile), node }];
  });
}

/** True for an exported declaration, and for a member of one. `name`: its name in the file. */
function isExported(sourceFile: ts.SourceFile, node: ts.Node, name: string): boolean {
  const { parent } = node;
  if (ts.isClassLike(parent) || ts.isInterfaceDeclaration(parent))
    return parent.name !== undefined && isExported(sourceFile, parent, parent.name.text);
  if (!ts.isSourceFile(parent) && !ts.isModuleBlock(parent)) return false;
  if (hasExportKeyword(node)) return true;
  return sourceFile.statements.some((statement) => {
    if (ts.isExportAssignment(statement))
      return ts.isIdentifier(statement.expression) && statement.expression.text === name;
    if (
      !ts.isExportDeclaration(statement) ||
      statement.moduleSpecifier ||
      !statement.exportClause ||
      !ts.isNamedExports(statement.exportClause)
    )
      return false;
    return statement.exportClause.elements.some((element) => (element.propertyName ?? element.name).text === name);
  });
}

/** The first overload of a function or method; other nodes themselves. */
function findFirstOverload(node: ts.Node, name: string): ts.Node {
  if (!ts.isFunctionDeclaration(node) && !ts.isMethodDeclaration(node)) return node;
  const { parent } = node;
  const siblings: readonly ts.Node[] =
    ts.isSourceFile(parent) || ts.isModuleBlock(parent)
      ? parent.statements
      : ts.isClassLike(parent)
        ? parent.members
        : [];
  return (
    siblings.find(
      (candidate) => candidate.kind === node.kind && (candidate as ts.NamedDeclaration).name?.getText() === name,
    ) ?? node
  );
}
