// Decides what may be fixed without a person reviewing each place. Does not load the compiler.

import type { SafetyLevel } from '../model.ts';
import { findRecipeFacts } from './recipeTable.ts';

/** Levels of safety of changes that need no review of each place. */
const SAFE_LEVELS: ReadonlySet<SafetyLevel> = new Set(['additive', 'behaviorPreserving']);

/** True for recipes that need no person; false for null. An id that is not in the table counts as safe. */
export function isSafeRecipe(recipe: string | null): boolean {
  return recipe !== null && !findRecipeFacts(recipe)?.needsPerson;
}

/** True for a recipe that may be tried at places that nobody has named; false for null. */
export function isTriedUnasked(recipe: string | null): boolean {
  return recipe !== null && !findRecipeFacts(recipe)?.onlyIfAsked;
}

/** True if the level of a fix is low enough. */
export function isSafeLevel(level: SafetyLevel): boolean {
  return SAFE_LEVELS.has(level);
}
