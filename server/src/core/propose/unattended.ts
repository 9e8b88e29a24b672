// Decides which changes need no review of each place. Importing this file does not load the compiler.

import type { SafetyLevel } from '../model.ts';
import { findRecipeFacts } from './recipeTable.ts';

/** Safety levels of changes that need no review of each place. */
const SAFE_LEVELS: ReadonlySet<SafetyLevel> = new Set(['additive', 'behaviorPreserving']);

/**
 * True for recipes whose changes need no review by a person; false for null. An id that is not in the table counts as
 * safe.
 */
export function isSafeRecipe(recipe: string | null): boolean {
  return recipe !== null && !findRecipeFacts(recipe)?.needsPerson;
}

/** True for a recipe that may also be tried at places that nobody has requested; false for null. */
export function mayTryUnasked(recipe: string | null): boolean {
  return recipe !== null && !findRecipeFacts(recipe)?.onlyIfAsked;
}

/** True if a change of this level needs no review of each place. */
export function isSafeLevel(level: SafetyLevel): boolean {
  return SAFE_LEVELS.has(level);
}
