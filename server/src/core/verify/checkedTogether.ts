// Types for proposals that were checked together, and the function that lists the companions of one proposal.

import type { FileEdit, Proposal, Verdict } from '../model.ts';

/** Key in the evidence of a shared verdict: the ids of the other proposals in the tree, separated by spaces. */
export const TOGETHER_KEY = 'together';

/** Proposals that edit different files, and the shared verdicts on the tree with all of them. */
export interface CheckedTogether {
  /** Ids of the proposals, at least two. */
  readonly proposals: readonly string[];
  /**
   * The same proposals with their edits, in the order in which they are applied. Absent if they are already in the
   * tree.
   */
  readonly members?: readonly Pick<Proposal, 'id' | 'edits'>[];
  /** Verdicts on the tree with all of them; each one passed. The other gates run for each proposal separately. */
  readonly verdicts: readonly Verdict[];
  /** Test files that ran and import a changed file directly or indirectly; null if unknown. */
  readonly reach: readonly TestFile[] | null;
}

/** A test file that ran. */
export interface TestFile {
  readonly path: string;
  /**
   * Number of its tests that passed in the separate run of the tests that reach the changes; null without such a run.
   */
  readonly passed: number | null;
}

/** A tree on which types and tests passed. */
export interface CheckedTree {
  /** Describes all files that the edits do not touch (`elsewhere` in `session/verify/treeState.ts`). */
  readonly rest: string;
  readonly edits: readonly FileEdit[];
}

/** Options for verifying a proposal. */
export interface VerifyOptions {
  /** True if a person waits for the answer, so that it is not deferred on a busy machine. */
  readonly atOnce?: boolean;
  /** True if the proposal is applied immediately afterwards. It is then not verified while its author may not apply. */
  readonly toApply?: boolean;
  /** True if other candidates were verified meanwhile, so that tests may have timed out. If absent, false. */
  readonly isShared?: () => boolean;
  /**
   * The proposals that were checked together with this one, and their shared verdicts; absent if it is checked alone.
   */
  readonly together?: CheckedTogether;
}

/** Ids of the proposals together with which this one was checked; empty if it was checked alone. */
export function listIdsCheckedTogether({ verdicts }: Pick<Proposal, 'verdicts'>): readonly string[] {
  const ids = verdicts.flatMap(({ evidence }) => String(evidence[TOGETHER_KEY] ?? '').split(' '));
  return [...new Set(ids)].filter((id) => id !== '');
}
