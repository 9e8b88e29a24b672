// Finds the function that a task is about, so that an answer may give it as a whole.

import type { Range, SymbolInfo } from '../model.ts';
import type { ReplyTarget } from './reply/read.ts';

/**
 * The innermost function around a range, as whole lines. Undefined if there is none, if its lines are not unique in the
 * file, or if `shown`, what the question shows of the file, does not have it as a whole. Undefined, too, if what is sent of it differs, because a secret in it is redacted: the answer
 * could only give it back without. `symbols`: those of the file as
 * it was indexed, which may have changed since. `sent`: a text as it is sent.
 */
export function findShownFunction(
  { path, text }: { readonly path: string; readonly text: string },
  shown: string,
  symbols: readonly SymbolInfo[],
  range: Range,
  sent: (text: string) => string,
): ReplyTarget | undefined {
  const lines = text.split('\n');
  const functions = symbols
    .filter(({ kind }) => kind === 'function' || kind === 'method')
    .filter((symbol) => symbol.range.startLine <= range.startLine && range.endLine <= symbol.range.endLine)
    .filter(({ name, nameRange }) => lines[nameRange.startLine - 1]?.includes(name));
  const innermost = functions.toSorted((a, b) => countLines(a.range) - countLines(b.range))[0];
  if (!innermost) return undefined;
  const { startLine, endLine } = innermost.range;
  const source = lines.slice(startLine - 1, endLine).join('\n');
  const isUnique = text.indexOf(source) === text.lastIndexOf(source);
  const isSent = shown.includes(source) && sent(source) === source;
  return isUnique && isSent ? { file: path, name: innermost.name, text: source } : undefined;
}

function countLines({ startLine, endLine }: Range): number {
  return endLine - startLine;
}
