// Types of equivalences: functions that decide whether two nodes, or the first statements of two lists, behave alike.

import type { ts } from 'ts-morph';
import type { Types } from '../extraction/checkerTypes.ts';

/** How an expression is used: its value, or only whether it is truthy. */
export type ExpressionUse = 'value' | 'condition';

/** The services that the running proof offers to an equivalence. In every call, nodes of the old text come first. */
export interface EquivalenceProof {
  readonly oldFile: ts.SourceFile;
  readonly changedFile: ts.SourceFile;
  /** Types in the old text; null if the proof is made without a project. */
  readonly types: Types | null;
  /** True if the proof finds that both nodes behave alike. `use` is `value` by default. */
  isSame(old: ts.Node, changed: ts.Node, use?: ExpressionUse): boolean;
  /** True if the proof finds that both lists of statements behave alike. */
  isSameList(old: readonly ts.Statement[], changed: readonly ts.Statement[]): boolean;
}

/**
 * True if `changed` behaves like `old`, as far as `use` matters. It may return false although both behave alike, but
 * never true if they do not.
 */
export type NodeEquivalence = (old: ts.Node, changed: ts.Node, proof: EquivalenceProof, use: ExpressionUse) => boolean;

/** The number of statements at the start of each list that are equivalent to one another; null if it finds none. */
export type ListEquivalence = (
  old: readonly ts.Statement[],
  changed: readonly ts.Statement[],
  proof: EquivalenceProof,
) => { readonly oldCount: number; readonly changedCount: number } | null;
