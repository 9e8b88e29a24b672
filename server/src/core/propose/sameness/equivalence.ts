// What an equivalence is given and what it answers.

import type { ts } from 'ts-morph';
import type { Types } from '../extraction/types.ts';

/** What is asked of an expression: its value, or only whether it is truthy. */
export type Use = 'value' | 'condition';

/** What an equivalence may ask. `old` nodes come first in every call. */
export interface Proof {
  readonly old: ts.SourceFile;
  readonly changed: ts.SourceFile;
  /** Of the old text; null when nobody can be asked. */
  readonly types: Types | null;
  same(old: ts.Node, changed: ts.Node, use?: Use): boolean;
  sameList(old: readonly ts.Statement[], changed: readonly ts.Statement[]): boolean;
}

/** True when `changed` does what `old` did, used as `use` says. May be wrong only by saying no. */
export type NodeEquivalence = (old: ts.Node, changed: ts.Node, proof: Proof, use: Use) => boolean;

/** How many statements from the front of each list are the same as one another, or null. */
export type ListEquivalence = (
  old: readonly ts.Statement[],
  changed: readonly ts.Statement[],
  proof: Proof,
) => { readonly old: number; readonly changed: number } | null;
