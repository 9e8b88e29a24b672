// Decides whether loading a file does more than create its declarations.

import { ts } from 'ts-morph';
import { hasEffects } from '../../syntax/effects.ts';

/** True if loading the file only creates its declarations. Imports of the file are not followed. */
export function loadsQuietly(sourceFile: ts.SourceFile): boolean {
  return sourceFile.statements.every((statement) => {
    if (ts.isImportDeclaration(statement)) return statement.importClause !== undefined;
    if (ts.isVariableStatement(statement)) return !hasEffects(sourceFile, statement);
    if (ts.isClassDeclaration(statement))
      return (
        !hasDecorators(statement) &&
        !statement.members.some(
          (member) =>
            ts.isClassStaticBlockDeclaration(member) ||
            (ts.isPropertyDeclaration(member) && hasEffects(sourceFile, member)),
        )
      );
    if (ts.isExportAssignment(statement)) return !hasEffects(sourceFile, statement.expression);
    return (
      ts.isExportDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isFunctionDeclaration(statement) ||
      ts.isEnumDeclaration(statement) ||
      isDirective(statement)
    );
  });
}

function hasDecorators(node: ts.ClassDeclaration): boolean {
  return (ts.getDecorators(node)?.length ?? 0) > 0;
}

function isDirective(statement: ts.Statement): boolean {
  return ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression);
}
