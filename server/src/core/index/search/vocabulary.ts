// Numbers terms, so that the index contains integers only.

import { createWordNumbers, type WordNumbers } from '../../../util/wordNumbers.ts';

/** Terms and their numbers. */
export interface Vocabulary {
  /** The number of a term; an unknown term gets the next number. */
  number(term: string): number;
  /** The numbers of terms that are separated by spaces. */
  numbers(terms: string): Int32Array;
  /** The number of a term; -1 if it is unknown. */
  find(term: string): number;
  term(number: number): string;
  size(): number;
}

/**
 * Creates a vocabulary. `knownTerms`: the terms with the first numbers. The map from terms to numbers is built when it
 * is first needed.
 */
export function createVocabulary(knownTerms: readonly string[] = []): Vocabulary {
  const terms: string[] = [...knownTerms];
  let numbers: WordNumbers | null = null;
  const buildTermNumbers = (): WordNumbers => {
    if (numbers) return numbers;
    let nextKnown = 0;
    const knownCount = terms.length;
    // Known terms get the number of their position; a new term is appended.
    const newNumbers = createWordNumbers((term) => (nextKnown < knownCount ? nextKnown : terms.push(term) - 1));
    for (; nextKnown < knownCount; nextKnown++) newNumbers.number(terms[nextKnown]!);
    return (numbers = newNumbers);
  };
  return {
    number: (term) => buildTermNumbers().number(term),
    numbers: (joinedTerms) => buildTermNumbers().numberAll(joinedTerms),
    find: (term) => buildTermNumbers().find(term),
    term: (number) => terms[number]!,
    size: () => terms.length,
  };
}
