// The results of applying proposals, as plain data.

import type { Checkpoint, Proposal, Verdict } from '../../model.ts';
import type { SelfwareError } from '../../../util/typedError.ts';

/**
 * A proposal that was applied. `rest`: the remaining part, which has to be verified, if only some hunks were applied;
 * otherwise null.
 */
export interface AppliedProposal {
  readonly proposal: Proposal;
  readonly checkpoint: Checkpoint;
  readonly rest: Proposal | null;
}

/** The result for one proposal of several: applied and judged, or not applied, with the error. */
export type AppliedOrNot = AppliedProposal | { readonly proposal: Proposal; readonly error: SelfwareError };

/** Kept changes that were checked again, because one that was checked together with them was undone. */
export interface CheckedRemaining {
  /** The undone change. */
  readonly undone: Proposal;
  /** The kept changes that were checked again. */
  readonly rest: readonly Proposal[];
  /** The verdicts of the check; empty if no part of these changes is in the files. */
  readonly verdicts: readonly Verdict[];
  /**
   * The changes that fail without the undone change. If no single one fails alone, but all fail together, these are all
   * of `rest`.
   */
  readonly failing: readonly Proposal[];
}
