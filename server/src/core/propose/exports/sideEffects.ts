// Decides whether loading a file has side effects beyond creating its declarations.

import { ts } from 'ts-morph';
import { hasSideEffects } from '../../syntax/sideEffects.ts';

/**
 * True if loading the file only creates its declarations, as far as `hasSideEffects` recognises. Imported files are not
 * read, but an import without names (`import './x'`) counts as a side effect.
 */
export function loadsWithoutSideEffects(sourceFile: ts.SourceFile): boolean {
  return sourceFile.statements.every((statement) => {
    if (ts.isImportDeclaration(statement)) return statement.importClause !== undefined;
    if (ts.isVariableStatement(statement)) return !hasSideEffects(sourceFile, statement);
    if (ts.isClassDeclaration(statement)) return isClassWithoutEffects(sourceFile, statement);
    if (ts.isEnumDeclaration(statement)) return !hasSideEffects(sourceFile, statement);
    if (ts.isExportAssignment(statement)) return !hasSideEffects(sourceFile, statement.expression);
    return (
      ts.isExportDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isFunctionDeclaration(statement) ||
      isDirective(statement)
    );
  });
}

/**
 * False for decorators and static blocks, and if the extended class, a computed name or a field may have side effects.
 */
function isClassWithoutEffects(sourceFile: ts.SourceFile, node: ts.ClassDeclaration): boolean {
  const extendedClasses = (node.heritageClauses ?? [])
    .filter(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
    .flatMap(({ types }) => types.map(({ expression }) => expression));
  return (
    !hasDecorators(node) &&
    !extendedClasses.some((expression) => hasSideEffects(sourceFile, expression)) &&
    !node.members.some(
      (member) =>
        ts.isClassStaticBlockDeclaration(member) ||
        hasDecorators(member) ||
        (member.name !== undefined && hasSideEffects(sourceFile, member.name)) ||
        (ts.isPropertyDeclaration(member) && hasSideEffects(sourceFile, member)),
    )
  );
}

function hasDecorators(node: ts.Node): boolean {
  return ts.canHaveDecorators(node) && (ts.getDecorators(node)?.length ?? 0) > 0;
}

function isDirective(statement: ts.Statement): boolean {
  return ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression);
}
