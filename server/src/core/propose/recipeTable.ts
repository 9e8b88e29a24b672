// The table of recipes: what each is and what it may do. Plain data, without the compiler behind it.

import { recipeFacts as all } from '../rules/allRecipes.ts';
import type { RecipeFacts } from '../rules/facts.ts';

export type RecipeId = keyof typeof all;

export const recipeTable: readonly RecipeFacts[] = Object.values(all);

/** What is known of a recipe by its id; null for changes that no recipe of the table makes. */
export function recipeFacts(id: string | null): RecipeFacts | null {
  return recipeTable.find((row) => row.id === id) ?? null;
}
