// What a definition costs in a model's context, whole and as doc comment with signature.

import type { Language, SymbolInfo } from '../model.ts';
import { leadingLine } from './leading.ts';
import { estimateTokens } from '../../util/tokens.ts';

/** A signature that has not ended by then is cut. */
const MAX_SIGNATURE_LINES = 12;
const endOfSignature = /(\{|=>|:|;|\bthen|\bdo)\s*(\/\/.*)?$/;

/** [whole, doc comment and signature] in estimated tokens, one for each symbol. The second is never more than the first. */
export function symbolTokens(text: string, symbols: readonly SymbolInfo[], language: Language | null): [body: number, signature: number][] {
  if (symbols.length === 0) return [];
  const lines = text.split('\n');
  const offsets = [0];
  for (const line of lines) offsets.push(offsets.at(-1)! + line.length + 1);
  const size = (from: number, to: number) => offsets[Math.min(to, lines.length)]! - offsets[from - 1]!;
  return symbols.map(({ range }) => {
    const first = leadingLine(lines, Math.min(range.startLine, lines.length), language);
    const limit = Math.min(range.endLine, range.startLine + MAX_SIGNATURE_LINES - 1, lines.length);
    let last = range.startLine;
    while (last < limit && !endOfSignature.test(lines[last - 1]!)) last++;
    return [estimateTokens(size(first, range.endLine)), estimateTokens(size(first, last))];
  });
}
