// Finds the line in the output of a program that gives the reason why it did nothing.

import { removeEscapeSequences } from './plainText.ts';

/**
 * Matches lines before the reason: the start of ESLint's message, its version, and lines that package managers print.
 */
const BEFORE_REASON_PATTERN = /^(?:#|>|Oops!|ESLint: \d|at )/;
/** Maximum number of characters of the quoted line. */
const MAX_CHARACTERS = 200;

/**
 * Returns complete sentences that quote the reason, with a space before them; empty if the program printed no reason.
 */
export function quoteComplaint(printed: string): string {
  const line = removeEscapeSequences(printed)
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '' && !BEFORE_REASON_PATTERN.test(line));
  if (line === undefined) return '';
  const quote = line.slice(0, MAX_CHARACTERS).trimEnd();
  return ` It says: ${quote}${/[.!?:;…]$/.test(quote) ? '' : line.length > MAX_CHARACTERS ? '…' : '.'}`;
}
