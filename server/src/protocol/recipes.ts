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
  /** With `asked`: the migration in words. */
  readonly words?: string;
  /** With `asked`: the model or agent that is asked. */
  readonly proposer?: string;
  /**
   * With `asked`: the words of the last question about this migration. The earlier attempts are shown to the model, and
   * no longer count.
   */
  readonly after?: string;
  /** The destination to which the person has just agreed. */
  readonly agreed?: string;
}

/** A learned recipe with the places that it would change now. */
export interface RecipeChoice {
  readonly id: string;
  /** The code before and after, with `$name` for an expression. */
  readonly title: string;
  /** The newest edit from which the recipe was learned. */
  readonly example: string;
  /** The number of places that the recipe would change. */
  readonly places: number;
  /** The number of files with these places. */
  readonly files: number;
  /** True if a person has accepted the recipe, so that its places are opportunities. */
  readonly accepted: boolean;
  /**
   * True if far more places match than people have edited in this way, so that the recipe may be right for only some of
   * them.
   */
  readonly seldom: boolean;
  /** The words with which a model was asked for the examples; absent if people made the edits. */
  readonly words?: string;
  /** A page with the examples and the places. */
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
