// What may be fixed without a look at each place: plain data, without the compiler behind it.

import type { SafetyLevel } from '../model.ts';

/** Recipes whose result needs a person's eye, however safe it is: a name made by a machine. */
const NEEDS_A_PERSON: ReadonlySet<string> = new Set(['extract-function']);
const SAFE: ReadonlySet<SafetyLevel> = new Set(['additive', 'behaviorPreserving']);

export function isSafeRecipe(recipe: string | null): boolean {
  return recipe !== null && !NEEDS_A_PERSON.has(recipe);
}

/** How far a fix may reach. */
export function isSafeLevel(level: SafetyLevel): boolean {
  return SAFE.has(level);
}
