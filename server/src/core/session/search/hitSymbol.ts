// Chooses the symbol with which a search result is shown.

import { splitIdentifier } from '../../../util/identifiers.ts';
import type { SymbolInfo } from '../../model.ts';
import type { SearchHit } from '../../index/search/hit.ts';

/** Minimum share of a result's lines that a symbol has to cover to be the subject of the result. */
const MIN_SHARE = 0.5;

/**
 * The path of the symbol that these lines are about. It is the symbol with the longest name of which each word is in
 * the query, otherwise the innermost symbol that covers at least half of the lines, otherwise the symbol that covers
 * the largest part of them. Null if the lines contain no symbol.
 */
export function findLabel(
  { startLine, endLine }: Pick<SearchHit, 'startLine' | 'endLine'>,
  symbols: readonly SymbolInfo[],
  query: string,
): string | null {
  const overlappingSymbols = symbols
    .map((symbol) => ({
      symbol,
      lines: Math.min(symbol.range.endLine, endLine) - Math.max(symbol.range.startLine, startLine) + 1,
      length: symbol.range.endLine - symbol.range.startLine,
    }))
    .filter(({ lines }) => lines > 0);
  const queryParts = new Set(splitIdentifier(query));
  const namedSymbols = overlappingSymbols.filter(({ symbol }) => isNamed(symbol.name, queryParts));
  // Of nested symbols whose names match equally, the inner one is more precise.
  const bestNamedSymbol = namedSymbols.toSorted(
    (a, b) => splitIdentifier(b.symbol.name).length - splitIdentifier(a.symbol.name).length || a.length - b.length,
  )[0];
  if (bestNamedSymbol) return bestNamedSymbol.symbol.path;
  const coveringSymbols = overlappingSymbols.filter(({ lines }) => lines >= MIN_SHARE * (endLine - startLine + 1));
  const chosenSymbol =
    coveringSymbols.toSorted((a, b) => a.length - b.length)[0] ??
    overlappingSymbols.toSorted((a, b) => b.lines - a.lines)[0];
  return chosenSymbol?.symbol.path ?? null;
}

/** True if the query contains each word of the name. A name of one letter does not count. */
function isNamed(name: string, queryParts: ReadonlySet<string>): boolean {
  const parts = splitIdentifier(name);
  return parts.join('').length > 1 && parts.every((part) => queryParts.has(part));
}
