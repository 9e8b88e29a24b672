// What may be fixed without a person looking at each place: plain data, without the compiler behind it.

import type { SafetyLevel } from '../model.ts';
import { recipeFacts } from './recipeTable.ts';

const SAFE: ReadonlySet<SafetyLevel> = new Set(['additive', 'behaviorPreserving']);

export function isSafeRecipe(recipe: string | null): boolean {
  return recipe !== null && !recipeFacts(recipe)?.needsPerson;
}

/** How far a fix may reach. */
export function isSafeLevel(level: SafetyLevel): boolean {
  return SAFE.has(level);
}
