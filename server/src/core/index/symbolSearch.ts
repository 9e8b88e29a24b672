// Finds definitions by a name as people type it: whole, by a part, by initials (`gUBI` → getUserById), or by letters in
// order.

import type { SymbolInfo } from '../model.ts';
import type { FileRecord } from '../ports/catalogue.ts';

/** A definition that matches. */
export interface FoundSymbol {
  readonly path: string;
  readonly symbol: SymbolInfo;
}

/** Scores for the kinds of matches of a name; higher is better, 0 means no match. */
const WHOLE_NAME_SCORE = 5,
  ANY_CASE_SCORE = 4.5,
  BEGINNING_SCORE = 4,
  INITIALS_SCORE = 3,
  INSIDE_SCORE = 2,
  IN_ORDER_SCORE = 1;
/** Minimum number of letters for a match by letters in order. A shorter query would match almost every name. */
const MIN_LETTERS_IN_ORDER = 3;

/**
 * Finds at most `limit` definitions, best first: by the match of the name, then by length, then by the number of files
 * that import the file and whether the definition is exported. Generated files rank lower. The parts before `.`, `::`,
 * `#` or `/` must occur in the qualified name of the definition (`Store.get`), in upper or lower case. An empty query
 * finds nothing.
 */
export function findSymbols(
  records: Iterable<FileRecord>,
  query: string,
  limit: number,
  importerCounts: ReadonlyMap<string, number>,
): FoundSymbol[] {
  const qualifiers = query
    .trim()
    .split(/\.|::|#|\//)
    .filter((part) => part !== '');
  const wantedName = qualifiers.pop() ?? '';
  if (wantedName === '' || limit <= 0) return [];
  const matches: {
    readonly matchScore: number;
    readonly weight: number;
    readonly path: string;
    readonly symbol: SymbolInfo;
  }[] = [];
  const lowerWantedName = wantedName.toLowerCase();
  for (const record of records) {
    const importance = Math.log1p(importerCounts.get(record.path) ?? 0) - (record.generated ? 3 : 0);
    for (const symbol of record.symbols) {
      const matchScore = scoreMatch(symbol.name, wantedName, lowerWantedName);
      if (matchScore === 0 || !qualifiers.every((scope) => symbol.path.toLowerCase().includes(scope.toLowerCase())))
        continue;
      matches.push({
        matchScore: matchScore,
        weight: importance + (symbol.exported ? 1 : 0),
        path: record.path,
        symbol,
      });
    }
  }
  matches.sort(
    (a, b) =>
      b.matchScore - a.matchScore ||
      a.symbol.name.length - b.symbol.name.length ||
      b.weight - a.weight ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : a.symbol.range.startLine - b.symbol.range.startLine),
  );
  return matches.slice(0, limit).map(({ path, symbol }) => ({ path, symbol }));
}

/**
 * The score of the best kind of match between a name and the wanted name; 0 if they do not match. `lowerWantedName`:
 * the wanted name in lower case.
 */
function scoreMatch(name: string, wantedName: string, lowerWantedName: string): number {
  if (name.length < wantedName.length) return 0;
  if (name === wantedName) return WHOLE_NAME_SCORE;
  const lowerName = name.toLowerCase();
  if (lowerName === lowerWantedName) return ANY_CASE_SCORE;
  const index = lowerName.indexOf(lowerWantedName);
  if (index === 0) return BEGINNING_SCORE;
  if (collectInitials(name).startsWith(lowerWantedName)) return INITIALS_SCORE;
  if (index > 0) return INSIDE_SCORE;
  return wantedName.length >= MIN_LETTERS_IN_ORDER && hasLettersInOrder(lowerName, lowerWantedName)
    ? IN_ORDER_SCORE
    : 0;
}

/** The first letters of the words in a name, in lower case. */
function collectInitials(name: string): string {
  let letters = '';
  for (let index = 0; index < name.length; index++) {
    const previous = name[index - 1];
    const current = name[index]!;
    const beginsWord =
      previous === undefined ||
      previous === '_' ||
      previous === '-' ||
      previous === '$' ||
      (current !== current.toLowerCase() && previous === previous.toLowerCase());
    if (beginsWord && /[\p{L}\p{N}]/u.test(current)) letters += current.toLowerCase();
  }
  return letters;
}

function hasLettersInOrder(name: string, letters: string): boolean {
  let index = 0;
  for (const letter of name) if (letter === letters[index]) index++;
  return index === letters.length;
}
