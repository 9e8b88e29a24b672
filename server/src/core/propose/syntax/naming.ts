// Names for new constants: made of what they are about, never taken, reserved or empty of meaning.

import { camel, isReserved, nounOf } from '../extraction/nameWords.ts';
import type { ts } from 'ts-morph';
import type { Names } from './names.ts';

/** The first of the ideas that is free in the whole file, or null. */
export function freeName(ideas: readonly (string | null)[], names: Names): string | null {
  return (
    ideas.find(
      (idea): idea is string =>
        idea !== null && idea.length >= 4 && idea.length <= 40 && !isReserved(idea) && !names.isTaken(idea),
    ) ?? null
  );
}

/** `sorted` + `users` → `sortedUsers`; null where the expression says nothing. */
export function aboutName(
  before: readonly string[],
  expression: ts.Expression | undefined,
  after: readonly string[],
): string | null {
  const noun = expression && nounOf(expression);
  return noun ? camel([...before, ...noun, ...after]) : null;
}
