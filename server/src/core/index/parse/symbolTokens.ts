// Estimates how many tokens a definition takes in a model's context: as a whole, and as its doc comment with its
// signature.

import type { Language, SymbolInfo } from '../../model.ts';
import { findFirstLineWithComments } from './leading.ts';
import type { Lines } from './lines.ts';
import { estimateTokens } from '../../../util/tokens.ts';

/** Maximum number of lines of a signature; a longer one is cut. */
const MAX_SIGNATURE_LINES = 12;
const END_OF_SIGNATURE = /(\{|=>|:|;|\bthen|\bdo)\s*(\/\/.*)?$/;
/** Length of the longest word that ends a signature, with the character before it. */
const MAX_ENDING_LENGTH = 5;

/** The estimated tokens of each symbol: [whole, doc comment and signature]. The second is never more than the first. */
export function estimateSymbolTokens(
  lines: Lines,
  symbols: readonly SymbolInfo[],
  language: Language | null,
): [body: number, signature: number][] {
  const measureSize = (from: number, to: number) => lines.sizeOf(from, Math.min(to, lines.count));
  return symbols.map(({ range }) => {
    const firstLine = findFirstLineWithComments(lines, Math.min(range.startLine, lines.count), language);
    const limit = Math.min(range.endLine, range.startLine + MAX_SIGNATURE_LINES - 1, lines.count);
    let lastLine = range.startLine;
    while (lastLine < limit && !endsSignature(lines.textOf(lastLine))) lastLine++;
    return [estimateTokens(measureSize(firstLine, range.endLine)), estimateTokens(measureSize(firstLine, lastLine))];
  });
}

/** True if a signature ends in this line. Without a comment in the line, its last characters are enough. */
function endsSignature(line: string): boolean {
  return END_OF_SIGNATURE.test(line.includes('//') ? line : line.trimEnd().slice(-MAX_ENDING_LENGTH));
}
