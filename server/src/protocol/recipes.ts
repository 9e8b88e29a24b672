// Parameters and answers of the commands for recipes that are learned from edits.

import type { ReportPage } from './reports.ts';

/**
 * The sources of recipes: uncommitted edits (`diff`), the history, recipes that a person has accepted, or examples that
 * a model writes (`asked`).
 */
export const recipeSources = ['diff', 'history', 'accepted', 'asked'] as const;

/** Parameters of `findRecipes`. */
export interface FindRecipesParams {
  readonly source: (typeof recipeSources)[number];
  /** With `asked`: the migration in words, and the model or agent that is asked. */
  readonly words?: string;
  readonly proposer?: string;
  /**
   * With `asked`: the words of the last question about this migration. The attempts at it are shown to the model, and
   * no longer count.
   */
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
  /** The number of places that the recipe would change, and of their files. */
  readonly places: number;
  readonly files: number;
  /** True if its places are opportunities. */
  readonly accepted: boolean;
  /**
   * True if far more places match than people have edited in this way, so that the recipe may be right for only some of
   * them.
   */
  readonly seldom: boolean;
  /** The words with which a model was asked for the examples; absent if people made the edits. */
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
