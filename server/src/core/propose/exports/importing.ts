// Writes imports as the file writes them: endings, quotes, semicolons, places.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import type { Style } from '../style.ts';
import { lineEnd, type Replacement } from '../textEdit.ts';

export interface ImportedName {
  readonly name: string;
  /** What the importer calls it, where that differs. */
  readonly as?: string;
  /** Erased by the compiler. */
  readonly type: boolean;
}

/** Relative specifier with the ending that the file's own relative imports have. */
export function specifierFor(sourceFile: ts.SourceFile, from: string, to: string): string {
  const relative = posix.relative(posix.dirname(from), to);
  const dotted = relative.startsWith('.') ? relative : `./${relative}`;
  const ending = endingOf(sourceFile);
  const [, real = ''] = /(\.[cm]?[jt]sx?)$/.exec(dotted) ?? [];
  const bare = dotted.slice(0, dotted.length - real.length);
  if (ending === 'own') return dotted;
  if (ending === 'js' || /^\.[cm]/.test(real)) return bare + real.replace('t', 'j').replace(/x$/, '');
  return bare.replace(/\/index$/, '');
}

export function importStatement(
  names: readonly ImportedName[],
  specifier: string,
  style: Style,
  keyword: 'import' | 'export' = 'import',
): string {
  const sorted = [...names].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const onlyTypes = sorted.every(({ type }) => type);
  const listed = sorted
    .map(({ name, as, type }) => `${type && !onlyTypes ? 'type ' : ''}${name}${as ? ` as ${as}` : ''}`)
    .join(', ');
  return `${keyword} ${onlyTypes ? 'type ' : ''}{ ${listed} } from ${style.quote}${specifier}${style.quote}${style.semicolons ? ';' : ''}`;
}

/** Behind the last import, or where the code begins, below what speaks of the file. */
export function importPlace(sourceFile: ts.SourceFile, statement: string, newline: string): Replacement {
  const { text } = sourceFile;
  const last = sourceFile.statements.findLast((one) => ts.isImportDeclaration(one));
  if (last) {
    const at = lineEnd(text, last.end);
    return { start: at, end: at, text: newline + statement };
  }
  const first = sourceFile.statements.find(
    (one) => !(ts.isExpressionStatement(one) && ts.isStringLiteral(one.expression)),
  );
  const start = first ? blankAbove(text, first) : text.length;
  return { start, end: start, text: `${statement}${newline}${newline}` };
}

/**
 * The start of the comments that belong to the statement: behind a blank line, or behind a directive like 'use strict'.
 */
function blankAbove(text: string, first: ts.Statement): number {
  const comments = ts.getLeadingCommentRanges(text, first.getFullStart()) ?? [];
  let start = first.getStart();
  for (const comment of comments.toReversed()) {
    if (/\n[ \t]*\r?\n/.test(text.slice(comment.end, start))) break;
    start = comment.pos;
  }
  return start;
}

function endingOf(sourceFile: ts.SourceFile): 'none' | 'js' | 'own' {
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
  return /\.[cm][jt]s$/.test(sourceFile.fileName) ? 'js' : 'none';
}
