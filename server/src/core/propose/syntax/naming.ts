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
      (idea): idea is string =>
        idea !== null && idea.length >= 4 && idea.length <= 40 && !isReserved(idea) && !names.isTaken(idea),
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
  const noun = expression && toNoun(expression);
  return noun ? joinInCamelCase([...wordsBefore, ...noun, ...wordsAfter]) : null;
}
