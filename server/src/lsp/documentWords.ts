// Reads the name or the line at a position of a document.

import type { Position } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';

/**
 * The name at a position (0-based); null if there is none. The position directly after the last letter belongs to the
 * name, as editors count it for hovers.
 */
export function findWordAt(document: TextDocument, { line, character }: Position): string | null {
  const text = readLine(document, line);
  for (const { 0: word, index } of text.matchAll(/[#\p{L}_$][\p{L}\p{N}_$]*/gu))
    if (index <= character && character <= index + word.length) return word;
  return null;
}

/** The text of a line (0-based) without its line ending. */
function readLine(document: TextDocument, line: number): string {
  return document
    .getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } })
    .replace(/(?<![\r\n])[\r\n]+$/, '');
}
