// Reads the import specifiers of a script, as written.

import { ts } from 'ts-morph';
import { specifiersIn } from './calledImports.ts';

/** Specifiers of imports, re-exports, `require` and `import()`, each once. */
export function scriptImports(sourceFile: ts.SourceFile): string[] {
  const found = new Set<string>();
  for (const statement of sourceFile.statements) {
    if (
      (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) &&
      statement.moduleSpecifier &&
      ts.isStringLiteral(statement.moduleSpecifier)
    )
      found.add(statement.moduleSpecifier.text);
    if (
      ts.isImportEqualsDeclaration(statement) &&
      ts.isExternalModuleReference(statement.moduleReference) &&
      ts.isStringLiteral(statement.moduleReference.expression)
    )
      found.add(statement.moduleReference.expression.text);
  }
  for (const specifier of specifiersIn(sourceFile.text)) found.add(specifier);
  found.delete('');
  return [...found];
}
