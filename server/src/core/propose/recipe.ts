// Defines a recipe: a deterministic transformation that realises an opportunity, or refuses with a reason.

import type { ts } from 'ts-morph';
import type { Opportunity } from '../model.ts';
import type { RecipeFacts } from '../rules/facts.ts';
import type { Style } from './fileStyle.ts';
import type { SourceTree } from '../ports/sources.ts';

/** The input of a recipe. `text` has no byte-order mark; offsets in `sourceFile` are offsets in `text`. */
export interface RecipeContext {
  readonly opportunity: Opportunity;
  /** Relative to the root, with `/` as the separator. */
  readonly path: string;
  readonly absolutePath: string;
  readonly text: string;
  readonly sourceFile: ts.SourceFile;
  readonly style: Style;
  readonly tree: SourceTree;
  /** True if a person has named this opportunity, so that a preference of the file is no reason to refuse. */
  readonly isRequested: boolean;
}

/**
 * The outcome of a recipe.
 * - `text`: the whole new text of the file, made from the old one by replacing spans.
 * - `otherFiles`: other changed files, by path relative to the root; a null `text` deletes the file.
 * - `title`: the change as an imperative phrase in lower case. `createTitle` adds the name of the place, unless the
 *   phrase contains it (`namesPlace`).
 * - `refused`: the reason as one sentence for a person.
 */
export type RecipeOutcome =
  | {
      readonly text: string;
      readonly otherFiles?: readonly { readonly path: string; readonly text: string | null }[];
      readonly title: string;
      readonly namesPlace?: true;
      readonly rationale: string;
    }
  | { readonly refused: string };

/** A recipe: its facts and the function that makes its change. */
export interface Recipe extends RecipeFacts {
  readonly apply: (context: RecipeContext) => RecipeOutcome;
}

/** Creates a refusal, which recipes return instead of throwing. `reason`: one sentence for a person. */
export function refuse(reason: string): { readonly refused: string } {
  return { refused: reason };
}
