// Reads the export lists of a module.

import { ts } from 'ts-morph';

/** The entries of `export { … }`, without `from`; null for any other statement. */
export function listExportSpecifiers(statement: ts.Statement): readonly ts.ExportSpecifier[] | null {
  if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier) return null;
  return statement.exportClause && ts.isNamedExports(statement.exportClause) ? statement.exportClause.elements : null;
}
