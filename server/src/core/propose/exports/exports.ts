// Removes the export of a name: the keyword, an entry of an export list, a default export, and re-exports in other
// files.

import { ts } from 'ts-morph';
import { listExportSpecifiers } from '../../syntax/exportLists.ts';
import { applyReplacements, isFirstOnLine, lineEnd, nextLineStart, lineStart, type Replacement } from '../textEdit.ts';
import { normaliseModulePath, type Importers } from './importers.ts';
import { loadsWithoutSideEffects } from './sideEffects.ts';
import type { ReExporters } from './reExporters.ts';
import { removeStatement } from '../syntax/removeStatement.ts';
import { isNameDeclaration, listDeclaredNames, type NameDeclaration } from '../transforms/declarations.ts';

/** The changes that remove the export of a name from its file. */
export interface ExportRemoval {
  readonly replacements: readonly Replacement[];
  /** The name that importers use. */
  readonly exportedAs: string;
  readonly localName: string;
  /** Declarations and export statements of the name. References inside them do not count as uses. */
  readonly declarations: readonly ts.Node[];
}

/**
 * Removes the export of `name` from its declaration, from an export list, or by removing `export default name`. Refuses
 * if it is not exported or cannot be removed alone.
 */
export function removeExport(
  sourceFile: ts.SourceFile,
  name: ts.Identifier,
): ExportRemoval | { readonly refused: string } {
  const { parent } = name;
  const declarations = sourceFile.statements.filter(
    (statement): statement is NameDeclaration =>
      isNameDeclaration(statement) && listDeclaredNames(statement).includes(name.text),
  );
  if (ts.isExportSpecifier(parent)) return removeListEntry(sourceFile, parent, declarations);
  if (ts.isExportAssignment(parent))
    return {
      replacements: [removeStatement(sourceFile, parent)],
      exportedAs: 'default',
      localName: name.text,
      declarations: [parent, ...declarations],
    };
  if (declarations.length === 0)
    return (
      removeListedExport(sourceFile, name.text, declarations) ?? {
        refused: 'It is not a declaration of the file itself.',
      }
    );
  const keywords = declarations.map((statement) => [statement, findExportKeywords(statement)] as const);
  const isDefault = keywords.some(([, { defaultKeyword }]) => defaultKeyword !== undefined);
  if (keywords.every(([, { exportKeyword }]) => exportKeyword === undefined))
    return removeListedExport(sourceFile, name.text, declarations) ?? { refused: 'It is no longer exported.' };
  if (isListed(sourceFile, name.text)) return { refused: 'It is exported in more than one way.' };
  for (const statement of declarations)
    if (ts.isVariableStatement(statement) && listDeclaredNames(statement).length > 1)
      return { refused: 'It is exported together with other names.' };
  const replacements = keywords.flatMap(([, { exportKeyword, defaultKeyword }]) => {
    const lastKeyword = defaultKeyword ?? exportKeyword;
    return exportKeyword && lastKeyword
      ? [
          {
            start: exportKeyword.getStart(sourceFile),
            end: lastKeyword.end + (/^[ \t]+/.exec(sourceFile.text.slice(lastKeyword.end))?.[0].length ?? 0),
            text: '',
          },
        ]
      : [];
  });
  return {
    replacements,
    exportedAs: isDefault ? 'default' : name.text,
    localName: name.text,
    declarations: declarations,
  };
}

/**
 * Creates the new texts of the re-exporting files, without these re-exports. Refuses if one of the files would stop
 * being a module, or would no longer load a file that has side effects when it is loaded.
 */
export function removeReexports(
  importers: Importers,
  { specifiers }: ReExporters,
): { readonly files: readonly { readonly path: string; readonly text: string }[] } | { readonly refused: string } {
  const files: { path: string; text: string }[] = [];
  for (const path of new Set(specifiers.map((specifier) => specifier.path))) {
    const specifiersInFile = specifiers.filter((specifier) => specifier.path === path);
    const sourceFile = specifiersInFile[0]!.sourceFile;
    const replacements: Replacement[] = [];
    for (const namedExports of new Set(specifiersInFile.map(({ node }) => node.parent))) {
      const removedNodes = new Set<ts.Node>(
        specifiersInFile.map(({ node }) => node).filter((node) => node.parent === namedExports),
      );
      const statement = namedExports.parent;
      if (removedNodes.size < namedExports.elements.length)
        replacements.push(...removeEntries(sourceFile, namedExports.elements, removedNodes));
      else {
        if (!isLoadedOtherwise(importers, path, statement))
          return { refused: `${path} would no longer load the file, which does something when it is loaded.` };
        replacements.push(removeStatement(sourceFile, statement));
      }
    }
    const text = applyReplacements(sourceFile.text, replacements);
    if (!/\b(import|export)\b/.test(text)) return { refused: `${path} would stop being a module.` };
    files.push({ path, text });
  }
  return { files };
}

/**
 * Removes an entry of an export list, or the whole list if it has no other entry. Refuses if the name is declared
 * elsewhere.
 */
function removeListEntry(
  sourceFile: ts.SourceFile,
  element: ts.ExportSpecifier,
  declarations: readonly NameDeclaration[],
): ExportRemoval | { readonly refused: string } {
  if (element.parent.parent.moduleSpecifier) return { refused: 'It is declared in another file.' };
  const localName = (element.propertyName ?? element.name).text;
  const declarationsOfName =
    declarations.length > 0
      ? declarations
      : sourceFile.statements.filter(
          (statement) => isNameDeclaration(statement) && listDeclaredNames(statement).includes(localName),
        );
  if (declarationsOfName.length === 0) return { refused: 'It is declared in another file.' };
  const namedExports = element.parent;
  const replacements =
    namedExports.elements.length === 1
      ? [removeStatement(sourceFile, namedExports.parent)]
      : removeEntries(sourceFile, namedExports.elements, new Set([element]));
  return {
    replacements,
    exportedAs: element.name.text,
    localName: localName,
    declarations: [...declarationsOfName, element],
  };
}

/** Removes the export in a list or by `export default name`; null if the name is exported in neither way. */
function removeListedExport(
  sourceFile: ts.SourceFile,
  name: string,
  declarations: readonly NameDeclaration[],
): ExportRemoval | { readonly refused: string } | null {
  for (const statement of sourceFile.statements) {
    if (ts.isExportAssignment(statement) && ts.isIdentifier(statement.expression) && statement.expression.text === name)
      return {
        replacements: [removeStatement(sourceFile, statement)],
        exportedAs: 'default',
        localName: name,
        declarations: [statement, ...declarations],
      };
    const element = listExportSpecifiers(statement)?.find((entry) => (entry.propertyName ?? entry.name).text === name);
    if (element) return removeListEntry(sourceFile, element, declarations);
  }
  return null;
}

/** True if an export list or `export default name` exports the name. */
function isListed(sourceFile: ts.SourceFile, name: string): boolean {
  return removeListedExport(sourceFile, name, []) !== null;
}

/** Removes entries of a list with their commas. An entry that has its lines for itself is removed with these lines. */
function removeEntries(
  sourceFile: ts.SourceFile,
  elements: ts.NodeArray<ts.ExportSpecifier>,
  removedNodes: ReadonlySet<ts.Node>,
): Replacement[] {
  const { text } = sourceFile;
  const replacements: Replacement[] = [];
  const keptElements = elements.filter((element) => !removedNodes.has(element));
  for (const [index, element] of elements.entries()) {
    if (!removedNodes.has(element)) continue;
    const start = element.getStart(sourceFile);
    const comma = /^\s*,/.exec(text.slice(element.end))?.[0].length ?? 0;
    const end = element.end + comma;
    if (isFirstOnLine(text, start) && /^[ \t]*(\/\/.*)?$/.test(text.slice(end, lineEnd(text, end))))
      replacements.push({ start: lineStart(text, start), end: nextLineStart(text, end), text: '' });
    else if (elements.indexOf(keptElements.at(-1)!) > index)
      replacements.push({ start, end: elements[index + 1]!.getStart(sourceFile), text: '' });
    else replacements.push({ start: elements[index - 1]!.end, end: element.end, text: '' });
  }
  return replacements;
}

/**
 * True if the file at `path` needs the statement only for its names: another statement loads the same module, only
 * types are exported, or loading the module only creates its declarations.
 */
function isLoadedOtherwise(importers: Importers, path: string, statement: ts.ExportDeclaration): boolean {
  const specifier =
    statement.moduleSpecifier && ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier.text : '';
  const isLoadedElsewhere = statement
    .getSourceFile()
    .statements.some(
      (candidate) =>
        candidate !== statement &&
        (ts.isImportDeclaration(candidate) || ts.isExportDeclaration(candidate)) &&
        candidate.moduleSpecifier !== undefined &&
        ts.isStringLiteral(candidate.moduleSpecifier) &&
        candidate.moduleSpecifier.text === specifier,
    );
  if (isLoadedElsewhere || statement.isTypeOnly) return true;
  const targetStem = normaliseModulePath(
    [...path.split('/').slice(0, -1), ...specifier.split('/')]
      .reduce<string[]>(
        (parts, part) => (part === '..' ? parts.slice(0, -1) : part === '.' || part === '' ? parts : [...parts, part]),
        [],
      )
      .join('/'),
  );
  const target = ['.ts', '.tsx', '.js', '.mts', '.mjs', '/index.ts', '/index.js']
    .map((extension) => targetStem + extension)
    .find((path) => importers.text(path) !== '');
  const sourceFile = target === undefined ? null : importers.sourceFile(target);
  return sourceFile !== null && loadsWithoutSideEffects(sourceFile);
}

/** Finds the keywords `export` and `default` of a declaration. */
function findExportKeywords(statement: NameDeclaration): {
  readonly exportKeyword?: ts.Node;
  readonly defaultKeyword?: ts.Node;
} {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  const exportKeyword = modifiers.find(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  const defaultKeyword = modifiers.find(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
  return { ...(exportKeyword ? { exportKeyword } : {}), ...(defaultKeyword ? { defaultKeyword } : {}) };
}
