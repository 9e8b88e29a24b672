// Lists the facts of all recipes without their functions, so that importing this file does not load the compiler.

import { recipeFacts as all } from '../rules/allRecipes.ts';
import type { RecipeFacts } from '../rules/facts.ts';

/** The id of a recipe in the table. */
export type RecipeId = keyof typeof all;

/** The facts of all recipes. */
const recipeTable: readonly RecipeFacts[] = Object.values(all);

/** The facts of a recipe by its id; null for changes that no recipe in the table makes. */
export function findRecipeFacts(id: string | null): RecipeFacts | null {
  return recipeTable.find((row) => row.id === id) ?? null;
}
