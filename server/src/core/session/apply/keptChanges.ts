// Types of the commits of kept changes, and of the checks that are run again from their receipts.

import type { Operation } from '../../operation.ts';

/** A request to commit kept changes to a branch. */
export interface CommitRequest extends Operation {
  /** Ids of proposals or checkpoints; empty for all kept changes that were not committed yet. */
  readonly changes: readonly string[];
  /** Name of the branch. If null, the branch in the settings or, with `checkedOut`, the branch that is checked out. */
  readonly branch: string | null;
  /** True to commit to the branch that is checked out. Its work tree stays as it is. */
  readonly checkedOut: boolean;
}

/** The committed changes, and the refused ones with the reasons. `commit`: the hash of the commit. */
export interface CommitReport {
  readonly branch: string;
  readonly committed: readonly { readonly proposal: string; readonly title: string; readonly commit: string }[];
  readonly refused: readonly { readonly proposal: string; readonly title: string; readonly reason: string }[];
}

/** The result of running a kept change's gates again from its receipt. */
export interface ChangeProof {
  readonly change: string;
  readonly title: string;
  /** Hash of the receipt. */
  readonly receipt: string;
  /**
   * True if nothing was altered and no gate fails. Null if the tree before the change cannot be recreated, so that
   * nothing could be checked.
   */
  readonly holds: boolean | null;
  /** Sentences about altered or missing data. */
  readonly problems: readonly string[];
  /** Sentences about circumstances that limit the result. */
  readonly notes?: readonly string[];
  /** The outcome of each gate: `then` when the change was made, `now` in the repeated run. */
  readonly verdicts: readonly {
    readonly gate: string;
    readonly then: string;
    readonly now: string;
    readonly reason: string;
  }[];
}
