// Reads the import specifiers of a script, as written.

import { ts } from 'ts-morph';
import { findCalledSpecifiers } from './calledImports.ts';

/** Specifiers of imports, re-exports, `import x = require()`, `require` and `import()`, each once. */
export function readImportSpecifiers(sourceFile: ts.SourceFile): string[] {
  const specifiers = new Set<string>();
  for (const statement of sourceFile.statements) {
    if (
      (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) &&
      statement.moduleSpecifier &&
      ts.isStringLiteral(statement.moduleSpecifier)
    )
      specifiers.add(statement.moduleSpecifier.text);
    if (
      ts.isImportEqualsDeclaration(statement) &&
      ts.isExternalModuleReference(statement.moduleReference) &&
      ts.isStringLiteral(statement.moduleReference.expression)
    )
      specifiers.add(statement.moduleReference.expression.text);
  }
  for (const specifier of findCalledSpecifiers(sourceFile.text)) specifiers.add(specifier);
  specifiers.delete('');
  return [...specifiers];
}
