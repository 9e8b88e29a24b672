// Parameters and answers of the commands for recipes that are learned from edits.

import type { ReportPage } from './reports.ts';

/** The source of recipes: uncommitted edits, the history, accepted recipes, or examples by a model. */
export const recipeSources = ['diff', 'history', 'accepted', 'asked'] as const;

/** Parameters of `findRecipes`. */
export interface FindRecipesParams {
  readonly source: (typeof recipeSources)[number];
  /** With `asked`: the migration in words, and who is asked. */
  readonly words?: string;
  readonly proposer?: string;
  /** With `asked`: the words of the last question about this migration. Its attempts are shown, and count no longer. */
  readonly after?: string;
  /** The destination of code to which the person has agreed. */
  readonly agreed?: string;
}

/** A learned recipe with the places that it would change now. */
export interface RecipeChoice {
  readonly id: string;
  /** The code before and after, with `$name` for an expression. */
  readonly title: string;
  /** The newest edit that it was learned from. */
  readonly example: string;
  /** Number of places that are left, and of their files. */
  readonly places: number;
  readonly files: number;
  /** True if its places are opportunities. */
  readonly accepted: boolean;
  /** True if far more places match than were ever edited, so that it may be right for some of them only. */
  readonly seldom: boolean;
  /** The words in which a model was asked for its examples; absent: people made them. */
  readonly words?: string;
  /** The examples and the places. */
  readonly page: ReportPage;
}

/** Parameters of `repeatEdit`. */
export interface RepeatEditParams {
  /** The id of a recipe. */
  readonly recipe: string;
  /** True to include changes that were turned down before. */
  readonly again?: boolean;
}

/** Parameters of `decideRecipe`. */
export interface DecideRecipeParams {
  /** The id of a recipe. */
  readonly recipe: string;
  /** `accepted`: its places are now opportunities; `forgotten`: they no longer are. */
  readonly verdict: 'accepted' | 'forgotten';
}
