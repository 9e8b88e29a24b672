// Removes an entry from a table of a package.json. All other bytes stay.

import { ts } from 'ts-morph';
import { applyReplacements, type Replacement } from '../textEdit.ts';

/**
 * The text without the entry; without the whole table if it would be empty, as package managers write it. Null if the
 * table does not have exactly one such entry.
 */
export function withoutEntry(sourceFile: ts.SourceFile, table: string, name: string): string | null {
  const manifest = rootOf(sourceFile);
  const tableEntry = manifest && entryOf(manifest, table);
  const entries = tableEntry && ts.isObjectLiteralExpression(tableEntry.initializer) ? tableEntry.initializer : null;
  const entry = entries && entryOf(entries, name);
  if (!manifest || !tableEntry || !entries || !entry) return null;
  const removal =
    entries.properties.length > 1 ? removalOf(entries, entry, sourceFile) : removalOf(manifest, tableEntry, sourceFile);
  return applyReplacements(sourceFile.text, [removal]);
}

/** The tables of the manifest that have an entry of this name. */
export function tablesWith(sourceFile: ts.SourceFile, name: string, tables: readonly string[]): string[] {
  const manifest = rootOf(sourceFile);
  return tables.filter((table) => {
    const entries = manifest && entryOf(manifest, table)?.initializer;
    return entries && ts.isObjectLiteralExpression(entries) && entryOf(entries, name) !== null;
  });
}

function rootOf(sourceFile: ts.SourceFile): ts.ObjectLiteralExpression | null {
  const [statement] = sourceFile.statements;
  if (!statement || !ts.isExpressionStatement(statement)) return null;
  return ts.isObjectLiteralExpression(statement.expression) ? statement.expression : null;
}

/** The only entry of this name; null if there is none, or more than one. */
function entryOf(object: ts.ObjectLiteralExpression, name: string): ts.PropertyAssignment | null {
  const found = object.properties.filter(
    (property): property is ts.PropertyAssignment =>
      ts.isPropertyAssignment(property) && ts.isStringLiteral(property.name) && property.name.text === name,
  );
  return found.length === 1 ? found[0]! : null;
}

/** Removes an entry with one comma: the one behind it, or, of the last entry, the one before it. */
function removalOf(
  { properties }: ts.ObjectLiteralExpression,
  entry: ts.PropertyAssignment,
  sourceFile: ts.SourceFile,
): Replacement {
  const at = properties.indexOf(entry);
  const next = properties[at + 1];
  const previous = properties[at - 1];
  if (next) return { start: entry.getStart(sourceFile), end: next.getStart(sourceFile), text: '' };
  if (previous) return { start: previous.end, end: entry.end, text: '' };
  return { start: entry.pos, end: entry.end, text: '' };
}
