// The results of applying proposals, as plain data.

import type { Checkpoint, Proposal, Verdict } from '../../model.ts';
import type { SelfwareError } from '../../../util/typedError.ts';

/**
 * A proposal that was applied. `rest`: the remaining part if only some hunks were applied, which has to be verified.
 */
export interface AppliedProposal {
  readonly proposal: Proposal;
  readonly checkpoint: Checkpoint;
  readonly rest: Proposal | null;
}

/** The result for one proposal of several: applied and judged, or the error for which it was not applied. */
export type AppliedOrNot = AppliedProposal | { readonly proposal: Proposal; readonly error: SelfwareError };

/** Kept changes that were checked again, because one that was checked together with them was undone. */
export interface CheckedRemaining {
  readonly undone: Proposal;
  readonly rest: readonly Proposal[];
  /** Empty if no part of the remaining proposal is in the files. */
  readonly verdicts: readonly Verdict[];
  /** The changes that fail without the undone change. */
  readonly failing: readonly Proposal[];
}
