// Finds the function that a task is about, so that an answer may contain it as a whole.

import type { Range, SymbolInfo } from '../model.ts';
import type { ReplyTarget } from './reply/read.ts';

/**
 * Finds the innermost function around a range, as whole lines. Undefined if there is none, if its lines occur twice in
 * the file, or if `shownText` (the text that the question shows of the file) does not contain it as a whole. Also
 * undefined if the function contains a secret, which is redacted when it is sent, so that the answer would lose it.
 * `symbols`: the symbols of the indexed file, which may have changed since then. `redact`: returns a text as it is
 * sent.
 */
export function findShownFunction(
  { path, text }: { readonly path: string; readonly text: string },
  shownText: string,
  symbols: readonly SymbolInfo[],
  range: Range,
  redact: (text: string) => string,
): ReplyTarget | undefined {
  const lines = text.split('\n');
  const functions = symbols
    .filter(({ kind }) => kind === 'function' || kind === 'method')
    .filter((symbol) => symbol.range.startLine <= range.startLine && range.endLine <= symbol.range.endLine)
    .filter(({ name, nameRange }) => lines[nameRange.startLine - 1]?.includes(name));
  const innermostFunction = functions.toSorted((a, b) => measureLineSpan(a.range) - measureLineSpan(b.range))[0];
  if (!innermostFunction) return undefined;
  const { startLine, endLine } = innermostFunction.range;
  const source = lines.slice(startLine - 1, endLine).join('\n');
  const isUnique = text.indexOf(source) === text.lastIndexOf(source);
  const isSent = shownText.includes(source) && redact(source) === source;
  return isUnique && isSent ? { file: path, name: innermostFunction.name, text: source } : undefined;
}

/** The number of lines, less one; only for comparisons. */
function measureLineSpan({ startLine, endLine }: Range): number {
  return endLine - startLine;
}
