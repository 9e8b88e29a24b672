// The session's answers about kept changes: their commits, and their proof run again.

import type { Operation } from '../../operation.ts';

export interface CommitRequest extends Operation {
  /** Ids of proposals or checkpoints; empty = all kept changes that were not committed yet. */
  readonly changes: readonly string[];
  /** Null = as the settings say; with `checkedOut` the branch that is checked out. */
  readonly branch: string | null;
  /** The branch that is checked out is meant. Its work tree stays as it is. */
  readonly checkedOut: boolean;
}

export interface CommitReport {
  readonly branch: string;
  readonly committed: readonly { readonly proposal: string; readonly title: string; readonly commit: string }[];
  readonly refused: readonly { readonly proposal: string; readonly title: string; readonly reason: string }[];
}

/** What became of a kept change's gates when they were run again from its receipt. */
export interface ChangeProof {
  readonly change: string;
  readonly title: string;
  /** Hash of the receipt. */
  readonly receipt: string;
  /** Null = the tree from before the change cannot be made again, so nothing was shown. */
  readonly holds: boolean | null;
  /** What was altered or is gone. */
  readonly problems: readonly string[];
  readonly notes?: readonly string[];
  readonly verdicts: readonly {
    readonly gate: string;
    readonly then: string;
    readonly now: string;
    readonly reason: string;
  }[];
}
