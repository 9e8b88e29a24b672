// Defines a recipe: a deterministic transformation that realises an opportunity, or gives the reason why it does not.

import type { ts } from 'ts-morph';
import type { Opportunity } from '../model.ts';
import type { RecipeFacts } from '../rules/facts.ts';
import type { Style } from './fileStyle.ts';
import type { SourceTree } from '../ports/sources.ts';

/** Everything that a recipe may read. `text` has no byte-order mark; offsets in `sourceFile` are offsets in `text`. */
export interface RecipeContext {
  readonly opportunity: Opportunity;
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly absolutePath: string;
  readonly text: string;
  readonly sourceFile: ts.SourceFile;
  readonly style: Style;
  readonly tree: SourceTree;
  /** True if a person has named this very place, so that the habits of the file are no reason to refuse. */
  readonly isRequested: boolean;
}

/**
 * The outcome of a recipe. `text`: the whole new text of the file, made from the old one by replacing spans. `others`:
 * the files that change with it, by path relative to the root (`text` null: deleted). `title`: the change as an
 * imperative phrase in lower case. `createTitle` adds the name of the place unless the phrase contains it
 * (`namesPlace`). `refused`: one sentence for a person.
 */
export type RecipeOutcome =
  | {
      readonly text: string;
      readonly others?: readonly { readonly path: string; readonly text: string | null }[];
      readonly title: string;
      readonly namesPlace?: true;
      readonly rationale: string;
    }
  | { readonly refused: string };

/** A recipe: its facts and its function. */
export interface Recipe extends RecipeFacts {
  readonly apply: (context: RecipeContext) => RecipeOutcome;
}

/** A refusal, which recipes return instead of throwing. `reason`: one sentence for a person. */
export function refuse(reason: string): { readonly refused: string } {
  return { refused: reason };
}
