// The types for proposals that were checked together, and the way to find the companions of one.

import type { FileEdit, Proposal, Verdict } from '../model.ts';

/** Key in the evidence of a verdict: the ids of the proposals that were in the tree as well, separated by blanks. */
export const TOGETHER = 'together';

/** Several proposals that edit different files, and what the checks say of the tree that has all of them. */
export interface CheckedTogether {
  /** Ids of the proposals, at least two. */
  readonly proposals: readonly string[];
  /** The verdicts on the tree with all of them, which passed; the other gates run for each proposal. */
  readonly verdicts: readonly Verdict[];
  /** The test files that lead to one of the changes, as far as they ran; null if unknown. */
  readonly reach: readonly TestFile[] | null;
}

/** A test file that ran. */
export interface TestFile {
  readonly path: string;
  /** Number of its tests that passed when the tests that reach the changes ran first; null without such a run. */
  readonly passed: number | null;
}

/** A tree that has passed: the files that the edits leave alone, as one text, and the edits. */
export interface CheckedTree {
  readonly rest: string;
  readonly edits: readonly FileEdit[];
}

/** How a proposal is verified. */
export interface VerifyOptions {
  /** See `VerifyContext`. */
  readonly atOnce?: boolean;
  /** True if it is to be applied afterwards, so that it is not verified while its author may not apply. */
  readonly toApply?: boolean;
  /** See `VerifyContext`. */
  readonly isShared?: () => boolean;
  readonly together?: CheckedTogether;
}

/** Ids of the proposals together with which this one was checked; empty if it was checked alone. */
export function checkedWith({ verdicts }: Pick<Proposal, 'verdicts'>): readonly string[] {
  const ids = verdicts.flatMap(({ evidence }) => String(evidence[TOGETHER] ?? '').split(' '));
  return [...new Set(ids)].filter((id) => id !== '');
}
