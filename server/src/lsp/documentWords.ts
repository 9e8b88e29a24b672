// Finds the word or line at a position of a document.

import type { Position } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';

/**
 * The name at a position; null between names. As in a hover, the position right after the last letter belongs to the
 * name.
 */
export function findWordAt(document: TextDocument, { line, character }: Position): string | null {
  const text = lineAt(document, line);
  for (const { 0: word, index } of text.matchAll(/[#\p{L}_$][\p{L}\p{N}_$]*/gu))
    if (index <= character && character <= index + word.length) return word;
  return null;
}

/** A line (0-based) without its end. */
export function lineAt(document: TextDocument, line: number): string {
  return document
    .getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } })
    .replace(/(?<![\r\n])[\r\n]+$/, '');
}
