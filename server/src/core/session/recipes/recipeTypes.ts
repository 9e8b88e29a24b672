// The types of the façade's section `recipes`: recipes that are learned from edits.

import type { Cost, Usage } from '../../model/asks.ts';
import type { Author } from '../../model/authors.ts';
import type { LearnedRecipe } from '../../model/learnedRecipes.ts';
import type { Proposal, Range } from '../../model.ts';
import type { Operation } from '../../operation.ts';

/** The source of edits of one shape. */
export type EditSource =
  /**
   * Commits of the current branch, and kept changes. `since`: the commit before the first one; null for the newest
   * `commits` commits.
   */
  | { readonly kind: 'history'; readonly since: string | null; readonly commits: number }
  /** The difference between the working tree and the last commit. */
  | { readonly kind: 'diff' }
  /**
   * Two or three places that a proposer changes as examples of a migration. `words`: the migration. `proposer`: a list
   * of names, as in `AskRequest`. `ignoresEarlier`: true if earlier attempts do not count. `after`: the words of an
   * earlier question about this migration; the attempts at it are shown in any case.
   */
  | {
      readonly kind: 'asked';
      readonly words: string;
      readonly proposer: string;
      readonly ignoresEarlier?: boolean;
      readonly after?: string;
    };

/** A place that a learned recipe would rewrite. */
export interface RecipePlace {
  readonly path: string;
  readonly range: Range;
  /** The code at this place, and the code that would replace it. */
  readonly code: string;
  readonly becomes: string;
}

/** A learned recipe, and its effect on the current tree. */
export interface RecipeView {
  readonly recipe: LearnedRecipe;
  readonly accepted: boolean;
  /** The places that the recipe would rewrite now. */
  readonly places: readonly RecipePlace[];
  /** Number of matching places that the recipe would not rewrite, by reason. */
  readonly leftAlone: Readonly<Record<string, number>>;
  /** True if far more places match than were edited, so that the edit was probably right for only some of them. */
  readonly seldom: boolean;
  /** Number of changes by this recipe that were kept, and of those that the checks or a person turned down. */
  readonly kept: number;
  readonly turnedDown: number;
  /** The cost of its examples, if a model made them; null otherwise. */
  readonly cost: Cost | null;
}

export interface LearningReport {
  /** The recipes, those with the most remaining places first. */
  readonly recipes: readonly RecipeView[];
  /** Groups of edits that became no recipe, each with the reason, most edits first. */
  readonly rejected: readonly {
    readonly pattern: string;
    readonly replacement: string;
    readonly edits: number;
    readonly reason: string;
  }[];
  /** Number of commits and changes that were read. */
  readonly commits: number;
  readonly files: number;
  readonly edits: number;
  /** The tokens that asking for the edits took; null if nobody was asked. */
  readonly usage: Usage | null;
}

export interface FiledRecipe {
  /** The proposal; null if no remaining place could be proposed. */
  readonly proposal: Proposal | null;
  /** Files without a change, each with the reason. `turnedDown`: with `again`, the change is tried once more. */
  readonly leftOut: readonly { readonly path: string; readonly reason: string; readonly turnedDown?: true }[];
}

/** Section `recipes`: recipes learned from edits of one shape. Only a person accepts one. */
export interface LearnedRecipes {
  /**
   * Searches edits for recipes, and stores these as candidates. Changes nothing else. Throws `notFound`. For edits by a
   * proposer, also throws the errors of `askUntilFit`, and `notFound` if its answers have no shape in common.
   */
  learn(source: EditSource, operation: Operation): Promise<LearningReport>;
  /** The accepted recipes, oldest first. */
  accepted(signal: AbortSignal): Promise<readonly RecipeView[]>;
  /**
   * Files one proposal with all places of a candidate or accepted recipe. `paths`: the files; if absent, all. `again`:
   * true to include changes that were turned down before. Throws `notFound`, `untrusted`, `notARepository`, `noCommit`.
   */
  file(
    id: string,
    operation: Operation,
    options?: { readonly paths?: readonly string[] | undefined; readonly by?: Author; readonly again?: boolean },
  ): Promise<FiledRecipe>;
  /** Runs `work`, which tries a recipe everywhere. Throws `locked` while another trial of a recipe is running. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** A candidate or an accepted recipe. Throws `notFound`. */
  find(id: string): Promise<LearnedRecipe>;
  /**
   * Accepts a recipe: its places become opportunities. Throws `notFound`, `forbidden` for one that contains a
   * secret, and `usage` for one that has places and was never tried.
   */
  accept(id: string): Promise<LearnedRecipe>;
  /** Reverses `accept`. Throws `notFound`. */
  forget(id: string): Promise<LearnedRecipe>;
}
