// Lists all recipes: the facts of each one together with its function.

import { recipeFacts } from '../rules/allRecipes.ts';
import { recipeFunctions } from '../rules/allRecipeFunctions.ts';
import type { Recipe } from './recipe.ts';
import type { RecipeId } from './recipeTable.ts';

/** All recipes, in the order of the registry. */
export const recipes: readonly Recipe[] = (Object.keys(recipeFacts) as RecipeId[]).map((id) => ({
  ...recipeFacts[id],
  apply: recipeFunctions[id],
}));
