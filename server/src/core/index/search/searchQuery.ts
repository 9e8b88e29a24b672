// Splits a query into its terms and the words that look like names.

import { extractQueryTerms } from '../terms/terms.ts';

/** A query, split for the search. */
export interface SearchQuery {
  /** Stemmed terms, each once. */
  readonly terms: readonly string[];
  /** Neighbouring words joined as in names: "rate limit" → ratelimit. */
  readonly compounds: readonly string[];
  /** Beginnings of the terms, as in abbreviations: implement → impl. */
  readonly beginnings: readonly string[];
  /**
   * Words that look like names in code, or the only word of the query. A qualified name is a list: `Store.get` →
   * [Store, get].
   */
  readonly names: readonly (readonly string[])[];
  /** True if the query consists of names only. */
  readonly isSymbol: boolean;
}

const WORD_PATTERN = /[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*/gu;
/** Matches words that look like names in code: `camelCase`, `snake_case`, and qualified names. */
const NAME_PATTERN = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}|[\p{L}\p{N}]_[\p{L}\p{N}]|[\p{L}\p{N}](\.|::|#|->)[\p{L}]/u;
const SEPARATOR_PATTERN = /\.|::|#|->/;
/** Maximum length of a query, in UTF-16 units. Longer texts are cut. */
const MAX_QUERY = 4_000;
/** Maximum number of neighbouring words that are joined to a compound. */
const MAX_COMPOUND_WORDS = 3;
/** Minimum number of letters of a beginning. */
const MIN_BEGINNING_LENGTH = 3;

/** Parses the text of a query, of which at most `MAX_QUERY` UTF-16 units are read. */
export function parseQuery(text: string): SearchQuery {
  const query = text.slice(0, MAX_QUERY);
  const words = query.match(WORD_PATTERN) ?? [];
  const terms = extractQueryTerms(query);
  const names = words.filter((word) => words.length === 1 || NAME_PATTERN.test(word));
  return {
    terms,
    compounds: collectCompounds(query),
    beginnings: terms.flatMap((term) =>
      Array.from({ length: Math.max(0, term.length - MIN_BEGINNING_LENGTH) }, (_, index) =>
        term.slice(0, index + MIN_BEGINNING_LENGTH),
      ),
    ),
    names: names.map((name) => name.split(SEPARATOR_PATTERN)),
    isSymbol: names.length > 0 && names.length === query.trim().split(/\s+/).length,
  };
}

/** Two or three neighbouring words joined, each also without a final `s`. */
function collectCompounds(text: string): string[] {
  const words = (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.toLowerCase());
  const compounds = new Set<string>();
  for (let index = 0; index < words.length; index++) {
    for (let length = 2; length <= MAX_COMPOUND_WORDS && index + length <= words.length; length++) {
      const compound = words.slice(index, index + length).join('');
      compounds.add(compound);
      if (compound.endsWith('s')) compounds.add(compound.slice(0, -1));
    }
  }
  return [...compounds];
}
