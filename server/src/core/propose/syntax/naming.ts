// Creates names for new constants from their expressions.

import { joinInCamelCase, isReserved, toNoun } from '../extraction/nameWords.ts';
import type { ts } from 'ts-morph';
import type { Names } from './names.ts';

/**
 * Finds the first suggestion that has 4 to 40 characters and is neither reserved nor used in the file; null if there is
 * none.
 */
export function findFreeName(suggestions: readonly (string | null)[], names: Names): string | null {
  return (
    suggestions.find(
      (suggestion): suggestion is string =>
        suggestion !== null &&
        suggestion.length >= 4 &&
        suggestion.length <= 40 &&
        !isReserved(suggestion) &&
        !names.isTaken(suggestion),
    ) ?? null
  );
}

/**
 * Puts words around the name of an expression: `sortedUsers` for `sorted` and `users`. Null if the expression has no
 * meaningful name.
 */
export function joinNameWords(
  wordsBefore: readonly string[],
  expression: ts.Expression | undefined,
  wordsAfter: readonly string[],
): string | null {
  const nounWords = expression && toNoun(expression);
  return nounWords ? joinInCamelCase([...wordsBefore, ...nounWords, ...wordsAfter]) : null;
}
