// Folds the ledger into the learned recipes that are accepted.

import type { LearnedRecipe, RecipeEvent } from '../../model/learnedRecipes.ts';

/** The types of events that `acceptedRecipes` reads. */
export const RECIPE_EVENTS = ['recipeAccepted', 'recipeForgotten'] as const;

/** The accepted recipes, oldest first. `events`: in order; those of other types are left out. */
export function acceptedRecipes(
  events: readonly { readonly type: string; readonly data: unknown }[],
): readonly LearnedRecipe[] {
  const accepted = new Map<string, LearnedRecipe>();
  for (const event of events) {
    if (event.type !== 'recipeAccepted' && event.type !== 'recipeForgotten') continue;
    const { type, data } = event as RecipeEvent;
    if (type === 'recipeAccepted') accepted.set(data.recipe.id, data.recipe);
    else accepted.delete(data.id);
  }
  return [...accepted.values()];
}
