// Writes imports in the style of a file: its extensions, quotes, semicolons and the position of its imports.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import type { SourceTree } from '../../ports/sources.ts';
import type { Style } from '../fileStyle.ts';
import { parseSource } from '../syntax/parse.ts';
import { lineEnd, type Replacement } from '../textEdit.ts';

/** Maximum number of neighbouring files whose imports are examined. */
const MAX_NEIGHBOURS = 20;

/** A name in an import statement. */
export interface ImportStatementName {
  readonly name: string;
  /** The local name; absent if it is the same. */
  readonly localName?: string;
  /** True for an import of a type, which the compiler erases. */
  readonly isType: boolean;
}

/**
 * Creates a relative specifier. It has the extension style of the imports in this file, otherwise that of neighbouring
 * files, otherwise the one that tsconfig.json requires. `from` and `to`: paths relative to the root.
 */
export function createSpecifier(sourceFile: ts.SourceFile, from: string, to: string, tree: SourceTree): string {
  const relative = posix.relative(posix.dirname(from), to);
  const relativePath = relative.startsWith('.') ? relative : `./${relative}`;
  const extensionStyle =
    findExtensionStyle(sourceFile) ?? findNeighbouringExtensionStyle(from, tree) ?? readExtensionStyle(from, tree);
  const [, extension = ''] = /(\.[cm]?[jt]sx?)$/.exec(relativePath) ?? [];
  const withoutExtension = relativePath.slice(0, relativePath.length - extension.length);
  if (extensionStyle === 'own') return relativePath;
  if (extensionStyle === 'js' || /^\.[cm]/.test(extension))
    return withoutExtension + extension.replace('t', 'j').replace(/x$/, '');
  return withoutExtension.replace(/\/index$/, '');
}

/**
 * Writes an import (or re-export) of these names from a specifier, as one statement without line breaks, sorted by
 * name.
 */
export function formatImportStatement(
  names: readonly ImportStatementName[],
  specifier: string,
  style: Style,
  keyword: 'import' | 'export' = 'import',
): string {
  const sortedNames = [...names].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const hasOnlyTypes = sortedNames.every(({ isType }) => isType);
  const nameList = sortedNames
    .map(
      ({ name, localName, isType }) =>
        `${isType && !hasOnlyTypes ? 'type ' : ''}${name}${localName ? ` as ${localName}` : ''}`,
    )
    .join(', ');
  return `${keyword} ${hasOnlyTypes ? 'type ' : ''}{ ${nameList} } from ${style.quote}${specifier}${style.quote}${style.semicolons ? ';' : ''}`;
}

/**
 * Inserts an import statement on a line of its own: after the last import, or at the beginning of the code, below
 * directives and comments about the file.
 */
export function insertImport(sourceFile: ts.SourceFile, statement: string, newline: string): Replacement {
  const { text } = sourceFile;
  const lastImport = sourceFile.statements.findLast((statement) => ts.isImportDeclaration(statement));
  if (lastImport) {
    const offset = lineEnd(text, lastImport.end);
    return { start: offset, end: offset, text: newline + statement };
  }
  const firstStatement = sourceFile.statements.find(
    (statement) => !(ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression)),
  );
  const start = firstStatement ? findStartWithComments(text, firstStatement) : text.length;
  return { start, end: start, text: `${statement}${newline}${newline}` };
}

/**
 * The start of the first comment above the statement that no blank line separates from it; otherwise the start of the
 * statement.
 */
function findStartWithComments(text: string, firstStatement: ts.Statement): number {
  const comments = ts.getLeadingCommentRanges(text, firstStatement.getFullStart()) ?? [];
  let start = firstStatement.getStart();
  for (const comment of comments.toReversed()) {
    if (/\n[ \t]*\r?\n/.test(text.slice(comment.end, start))) break;
    start = comment.pos;
  }
  return start;
}

/** The extension in specifiers: none, that of the compiled file (`js`), or that of the file itself (`own`). */
type ExtensionStyle = 'none' | 'js' | 'own';

/**
 * The extension style that the first relative import shows. If no import shows it: `js` for `.mts`, `.cts`, `.mjs` and
 * `.cjs`, otherwise null.
 */
function findExtensionStyle(sourceFile: ts.SourceFile): ExtensionStyle | null {
  for (const statement of sourceFile.statements) {
    if (
      !(ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) ||
      !statement.moduleSpecifier ||
      !ts.isStringLiteral(statement.moduleSpecifier)
    )
      continue;
    const { text } = statement.moduleSpecifier;
    if (!text.startsWith('.')) continue;
    if (/\.[cm]?tsx?$/.test(text)) return 'own';
    if (/\.[cm]?jsx?$/.test(text)) return 'js';
    if (!/\.\w+$/.test(text)) return 'none';
  }
  return /\.[cm][jt]s$/.test(sourceFile.fileName) ? 'js' : null;
}

/** Finds the extension style of the first files in the same folder; null if they do not show it. */
function findNeighbouringExtensionStyle(from: string, tree: SourceTree): ExtensionStyle | null {
  const folder = posix.join(tree.rootDir.replaceAll('\\', '/'), posix.dirname(from));
  const extensionPattern = /\.[cm]?tsx?$/.test(from) ? /\.[cm]?tsx?$/ : /\.[cm]?jsx?$/;
  const neighbours = tree.list(folder).filter((entry) => entry.kind === 'file' && extensionPattern.test(entry.name));
  for (const { name } of neighbours.slice(0, MAX_NEIGHBOURS)) {
    const text = tree.read(posix.join(folder, name));
    const sourceFile = text === undefined ? null : parseSource(name, text);
    const extensionStyle = sourceFile && findExtensionStyle(sourceFile);
    if (extensionStyle) return extensionStyle;
  }
  return null;
}

/**
 * The extension style that the tsconfig.json of the root requires: `js` if Node resolves the imports, `own` if
 * TypeScript's extensions are allowed, otherwise none. Without that file, and in JavaScript, it is `own`, because every
 * resolver finds a complete path.
 */
function readExtensionStyle(from: string, { rootDir, read }: SourceTree): ExtensionStyle {
  if (!/\.[cm]?tsx?$/.test(from)) return 'own';
  const config = read(posix.join(rootDir.replaceAll('\\', '/'), 'tsconfig.json'));
  if (config === undefined || /"allowImportingTsExtensions"\s*:\s*true/.test(config)) return 'own';
  return /"module(?:Resolution)?"\s*:\s*"node(?:16|18|20|next)"/i.test(config) ? 'js' : 'none';
}
