// A question taken apart: its terms, and the words in it that are spelled like names.

import { queryTerms } from '../terms.ts';

export interface Question {
  /** Stemmed, each once. */
  readonly terms: readonly string[];
  /** Words spelled like names in code, qualified ones as lists: `Store.get` → [Store, get]. */
  readonly names: readonly (readonly string[])[];
  /** True when it is made of names only. */
  readonly isSymbol: boolean;
}

const wordPattern = /[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*/gu;
const namePattern = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}|[\p{L}\p{N}]_[\p{L}\p{N}]|[\p{L}\p{N}](\.|::|#|->)[\p{L}]/u;
const separator = /\.|::|#|->/;
/** UTF-16 units; what is beyond is not a question any more. */
const MAX_QUESTION = 4_000;

export function questionOf(text: string): Question {
  const asked = text.slice(0, MAX_QUESTION);
  const words = asked.match(wordPattern) ?? [];
  const names = words.filter((word) => words.length === 1 || namePattern.test(word));
  return {
    terms: queryTerms(asked),
    names: names.map((name) => name.split(separator)),
    isSymbol: names.length > 0 && names.length === asked.trim().split(/\s+/).length,
  };
}
