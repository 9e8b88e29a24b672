// Folds the ledger into the learned recipes that are accepted.

import type { LearnedRecipe, RecipeEvent } from '../../model/learnedRecipes.ts';

/** The types of events that `foldAcceptedRecipes` reads. */
export const RECIPE_EVENTS = ['recipeAccepted', 'recipeForgotten'] as const;

/**
 * The accepted recipes that were not forgotten, in the order in which they were first accepted. `events`: oldest first;
 * events of other types are skipped.
 */
export function foldAcceptedRecipes(
  events: readonly { readonly type: string; readonly data: unknown }[],
): readonly LearnedRecipe[] {
  const recipes = new Map<string, LearnedRecipe>();
  for (const event of events) {
    if (event.type !== 'recipeAccepted' && event.type !== 'recipeForgotten') continue;
    const { type, data } = event as RecipeEvent;
    if (type === 'recipeAccepted') recipes.set(data.recipe.id, data.recipe);
    else recipes.delete(data.id);
  }
  return [...recipes.values()];
}
