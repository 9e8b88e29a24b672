// What a recipe is: a deterministic transformation of one file that realises an opportunity, or says why it does not.

import type { ts } from 'ts-morph';
import type { Opportunity } from '../model.ts';
import type { SourceTree } from '../indexPorts.ts';
import type { Style } from './style.ts';

/** Everything that a recipe may look at. `text` has no byte-order mark; offsets in `sourceFile` are offsets in it. */
export interface RecipeContext {
  readonly opportunity: Opportunity;
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly absolutePath: string;
  readonly text: string;
  readonly sourceFile: ts.SourceFile;
  readonly style: Style;
  readonly tree: SourceTree;
}

/** `text` is the whole new text, made of the old one by span replacements. `refused` is one sentence for a person. */
export type RecipeOutcome = { readonly text: string; readonly title: string; readonly rationale: string } | { readonly refused: string };

export interface Recipe {
  readonly id: string;
  readonly title: string;
  /** Page about it, from the repository's root of the product. */
  readonly docs: string;
  /** What keeps the behaviour as it is, in one sentence. */
  readonly safety: string;
  readonly realise: (context: RecipeContext) => RecipeOutcome;
}

/** Throw-free early exit for the many things that a recipe may not touch. */
export function refuse(reason: string): { readonly refused: string } {
  return { refused: reason };
}
