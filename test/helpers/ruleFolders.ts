// Finds the folders with the pages and fixtures of rules and recipes.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rules } from '../../server/src/core/analysis/rules.ts';

const core = join(import.meta.dirname, '..', '..', 'server', 'src', 'core');

/** The folder with the fixtures of a rule. */
export function findRuleFixtures(rule: string): string {
  return join(core, 'rules', rule, 'fixtures');
}

/** The folder of a recipe: a separate one if several rules share the recipe, otherwise that of its rule. */
export function findRecipeFolder(recipe: string): string {
  const shared = join(core, 'recipes', recipe);
  if (existsSync(shared)) return shared;
  const rule = rules.find((candidate) => candidate.recipe === recipe);
  if (!rule) throw new Error(`No rule has the recipe ${recipe}.`);
  return join(core, 'rules', rule.id);
}

/** The folder that contains a folder for each test case of a recipe. */
export function findRecipeCases(recipe: string): string {
  return join(findRecipeFolder(recipe), 'fixtures', 'recipe');
}
