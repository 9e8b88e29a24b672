// Types of the façade's section `recipes`: recipes that are learned from edits.

import type { Cost, Usage } from '../../model/asks.ts';
import type { Author } from '../../model/authors.ts';
import type { LearnedRecipe } from '../../model/learnedRecipes.ts';
import type { Proposal, Range } from '../../model.ts';
import type { Operation } from '../../operation.ts';

/** The source of the edits from which recipes are learned. */
export type EditSource =
  /**
   * Commits of the current branch, and kept changes. `since`: the commit after which reading begins; null to read only
   * the newest `commits` commits.
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
  /** The code at this place. */
  readonly code: string;
  /** The code that would replace it. */
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
  /** True if far more places match than were edited, so that the change is probably right for only some of them. */
  readonly seldom: boolean;
  /** Number of changes by this recipe that were kept. */
  readonly kept: number;
  /** Number of changes by this recipe that the checks or a person turned down. */
  readonly turnedDown: number;
  /** The cost of the questions for its examples, if a model made them; otherwise null. */
  readonly cost: Cost | null;
}

/** The result of learning recipes. */
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
  /** Number of commits that were read. */
  readonly commits: number;
  /** Number of versions of files that were compared. */
  readonly files: number;
  /** Number of edits that were found. */
  readonly edits: number;
  /** Number of tokens of the question and its answer; null if no proposer was asked. */
  readonly usage: Usage | null;
}

/** The result of filing a recipe. */
export interface FiledRecipe {
  /** The proposal; null if no remaining place could be proposed. */
  readonly proposal: Proposal | null;
  /**
   * Files without a change, each with the reason. `turnedDown`: true if this change was turned down before, so that
   * only a request with `again` tries it.
   */
  readonly leftOut: readonly { readonly path: string; readonly reason: string; readonly turnedDown?: true }[];
}

/** Section `recipes`: recipes that are learned from edits of one shape. Only a person may accept a recipe. */
export interface LearnedRecipes {
  /**
   * Searches edits for recipes, and stores them as candidates. Changes nothing else. Throws `notFound` if `since` is
   * unknown, `notARepository` and `noCommit`. For edits by a proposer, also throws the errors of `askUntilFit`, and
   * `notFound` if its answers have no shape in common.
   */
  learn(source: EditSource, operation: Operation): Promise<LearningReport>;
  /** The accepted recipes, oldest first. */
  accepted(signal: AbortSignal): Promise<readonly RecipeView[]>;
  /**
   * Files one proposal with all places of a candidate or accepted recipe. `paths`: the files; if absent, all. `by`: who
   * tries the recipe; if absent, a person. `again`: true to include changes that were turned down before. Throws
   * `notFound`, `untrusted`, `notARepository`, `noCommit`.
   */
  file(
    id: string,
    operation: Operation,
    options?: { readonly paths?: readonly string[] | undefined; readonly by?: Author; readonly again?: boolean },
  ): Promise<FiledRecipe>;
  /**
   * Runs `work`, which tries a recipe everywhere, while no other process tries one. Throws `locked` while another trial
   * of a recipe is running.
   */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** A candidate or an accepted recipe. Throws `notFound` for an unknown id. */
  find(id: string): Promise<LearnedRecipe>;
  /**
   * Accepts a recipe: its places become opportunities. Throws `notFound` for an unknown id, `forbidden` for a recipe
   * that contains a secret, and `usage` for a recipe that has places and was never tried.
   */
  accept(id: string): Promise<LearnedRecipe>;
  /**
   * Reverses `accept`: the recipe no longer gives opportunities. Throws `notFound` if no accepted recipe has the id.
   */
  forget(id: string): Promise<LearnedRecipe>;
}
