// The types of a gate: its input and its answer.

import type { FileEdit, Proposal, Verdict } from '../model.ts';
import type { Commands } from './commands.ts';
import type { DetectedProject } from './detect/project.ts';
import type { Worktree } from '../ports/sandbox.ts';
import type { GateAnswer } from './answer.ts';
import type { VerifyContext } from './context.ts';

/** Runs the check. Expected failures are part of the answer. Throws `cancelled` and the errors of adapters. */
export type Gate = (run: GateRun, signal: AbortSignal) => Promise<GateAnswer>;

/** The input of a gate. */
export interface GateRun {
  readonly context: VerifyContext;
  readonly proposal: Proposal;
  readonly edits: readonly FileEdit[];
  /** The verdicts of the gates that have run, in order. */
  readonly verdicts: readonly Verdict[];
  /** Contains the base until the gate `applies` has passed, then the candidate. */
  readonly worktree: Worktree;
  /** Reads the manifest and the files of the candidate. */
  project(): Promise<DetectedProject>;
  /** Runs a command on the candidate and reads a value from the answer. */
  readonly candidate: Commands['candidate'];
  /** Runs a command on the unchanged repository, in a separate sandbox, or returns its stored result. */
  readonly base: Commands['base'];
  /** Runs a command again on one side, ignoring stored results. */
  readonly rerun: Commands['rerun'];
  /** See `Commands` for this and the next three. */
  readonly without: Commands['without'];
  readonly remembers: Commands['remembers'];
  readonly rerunBase: Commands['rerunBase'];
  readonly resultOfThisRun: Commands['resultOfThisRun'];
  /** True if the tests run with the change first; otherwise, the base runs first. */
  readonly runsCandidateFirst?: boolean;
  /** Seconds for further runs of the tests that do not decide the verdict. No limit if absent. */
  readonly secondsLeft?: number;
  /** True if the machine has enough cores to run the tests of both sides at the same time. */
  readonly sideBySide?: boolean;
}
