// Computes the surface of a file from its text: exports with their written signatures, and top-level statements that
// are not declarations. Inferred types and the values of variables that are not exported are not part of it.

import { ts } from 'ts-morph';
import { listTokenTexts } from '../syntax/tokens.ts';
import { hasModifier } from '../../syntax/declarations/modifiers.ts';

/**
 * The surface as a text, for comparing two versions of the file. It contains neither bodies of functions nor private
 * members. For a script that is not a module, it contains all statements, because other scripts can use them.
 */
export function describeSurface(sourceFile: ts.SourceFile): string {
  const listedNames = new Set(sourceFile.statements.flatMap(collectExportedNames));
  const isScript = !ts.isExternalModule(sourceFile);
  const parts = sourceFile.statements
    .filter((statement) => isScript || isVisible(statement, listedNames))
    .map((statement) => listTokenTexts(statement, isInner).join(' '));
  return parts.join('\n');
}

/**
 * True for a statement that other files may use or that runs when the file is loaded. `listedNames`: names in export
 * lists.
 */
function isVisible(statement: ts.Statement, listedNames: ReadonlySet<string>): boolean {
  if (ts.isImportDeclaration(statement)) return statement.importClause === undefined;
  if (ts.isVariableStatement(statement))
    return (
      isExported(statement) ||
      statement.declarationList.declarations.some(({ name }) =>
        listTokenTexts(name).some((token) => listedNames.has(token)),
      )
    );
  if (
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement)
  ) {
    return isExported(statement) || (statement.name !== undefined && listedNames.has(statement.name.text));
  }
  // Export statements, ambient modules, and every statement that runs when the file is loaded.
  return true;
}

/** True for a declaration with `export` or `declare`. */
function isExported(statement: ts.Statement): boolean {
  return hasModifier(statement, ts.SyntaxKind.ExportKeyword, ts.SyntaxKind.DeclareKeyword);
}

/** Local names that an export list or `export default name` exports. */
function collectExportedNames(statement: ts.Statement): string[] {
  if (ts.isExportAssignment(statement) && ts.isIdentifier(statement.expression)) return [statement.expression.text];
  if (
    !ts.isExportDeclaration(statement) ||
    statement.moduleSpecifier ||
    !statement.exportClause ||
    !ts.isNamedExports(statement.exportClause)
  )
    return [];
  return statement.exportClause.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
}

/** True for bodies of functions, and for members that only the class itself may use. */
function isInner(node: ts.Node): boolean {
  if (ts.isBlock(node)) return ts.isFunctionLike(node.parent);
  if (!ts.isClassElement(node)) return false;
  if (node.name && ts.isPrivateIdentifier(node.name)) return true;
  return hasModifier(node, ts.SyntaxKind.PrivateKeyword);
}
