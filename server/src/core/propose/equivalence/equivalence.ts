// Defines the types of an equivalence: its arguments and its result.

import type { ts } from 'ts-morph';
import type { Types } from '../extraction/checkerTypes.ts';

/** The use of an expression: its value, or only whether it is truthy. */
export type Use = 'value' | 'condition';

/** The functions that an equivalence may call. Nodes of the old text come first in every call. */
export interface EquivalenceProof {
  readonly oldFile: ts.SourceFile;
  readonly changedFile: ts.SourceFile;
  /** Types in the old text; null if there is no project to ask. */
  readonly types: Types | null;
  same(old: ts.Node, changed: ts.Node, use?: Use): boolean;
  isSameList(old: readonly ts.Statement[], changed: readonly ts.Statement[]): boolean;
}

/**
 * True if `changed` does the same as `old`, as far as `use` matters. It may answer false although both do the same, but
 * never true if they do not.
 */
export type NodeEquivalence = (old: ts.Node, changed: ts.Node, proof: EquivalenceProof, use: Use) => boolean;

/** The number of statements at the start of each list that are equivalent to one another, or null. */
export type ListEquivalence = (
  old: readonly ts.Statement[],
  changed: readonly ts.Statement[],
  proof: EquivalenceProof,
) => { readonly oldCount: number; readonly changedCount: number } | null;
