// The section `recipes` of the façade as types: recipes that are learned from edits.

import type { Author } from '../../model/authors.ts';
import type { LearnedRecipe } from '../../model/learnedRecipes.ts';
import type { Proposal, Range } from '../../model.ts';
import type { Operation } from '../../operation.ts';

/** Where to look for edits of one shape. */
export type EditSource =
  /** The commits of the current branch, from `since` (exclusive; null = as far as `commits` reach), and kept changes. */
  | { readonly kind: 'history'; readonly since: string | null; readonly commits: number }
  /** What differs between the working tree and the last commit. */
  | { readonly kind: 'diff' };

export interface RecipePlace {
  readonly path: string;
  readonly range: Range;
  /** The code there and what it would become. */
  readonly code: string;
  readonly becomes: string;
}

/** A learned recipe, and what is known of it here. */
export interface RecipeView {
  readonly recipe: LearnedRecipe;
  readonly accepted: boolean;
  /** Places that it would rewrite now. */
  readonly places: readonly RecipePlace[];
  /** Matching places that it leaves alone, by reason. */
  readonly leftAlone: Readonly<Record<string, number>>;
  /**
   * True if far more places are left than were edited: then the edit was probably right for some of them only.
   */
  readonly seldom: boolean;
  /** Changes that it made: those that were kept, and those that the checks or a person turned down. */
  readonly kept: number;
  readonly turnedDown: number;
}

export interface LearningReport {
  /** Those with most places left first. */
  readonly recipes: readonly RecipeView[];
  /** Groups of edits that became no recipe, with the reason, most edits first. */
  readonly rejected: readonly {
    readonly pattern: string;
    readonly replacement: string;
    readonly edits: number;
    readonly reason: string;
  }[];
  /** What was read. */
  readonly commits: number;
  readonly files: number;
  readonly edits: number;
}

export interface FiledRecipe {
  /** Null if no place is left that could be proposed. */
  readonly proposal: Proposal | null;
  /** Files without a change, and why. */
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
}

/** Section `recipes`: recipes learned from edits of one shape. Only a person accepts one. */
export interface LearnedRecipes {
  /** Looks for recipes in edits, and remembers them as candidates; changes nothing else. Throws `notFound`. */
  learn(source: EditSource, operation: Operation): Promise<LearningReport>;
  /** The accepted recipes, oldest first. */
  accepted(signal: AbortSignal): Promise<readonly RecipeView[]>;
  /**
   * Files one proposal with all places of a candidate or accepted recipe in these files (left out: everywhere). Throws
   * `notFound`, `untrusted`, `notARepository`, `noCommit`.
   */
  file(
    id: string,
    operation: Operation,
    options?: { readonly paths?: readonly string[] | undefined; readonly by?: Author },
  ): Promise<FiledRecipe>;
  /** A candidate or an accepted recipe. Throws `notFound`. */
  find(id: string): Promise<LearnedRecipe>;
  /** From now on, its places are opportunities. Throws `notFound`. */
  accept(id: string): Promise<LearnedRecipe>;
  /** Takes that back. Throws `notFound`. */
  forget(id: string): Promise<LearnedRecipe>;
}
