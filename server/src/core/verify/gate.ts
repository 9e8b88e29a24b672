// The type of a gate, and its input. The answer of a gate is in `answer.ts`.

import type { FileEdit, Proposal, Verdict } from '../model.ts';
import type { Commands } from './commands.ts';
import type { DetectedProject } from './detect/project.ts';
import type { Worktree } from '../ports/sandbox.ts';
import type { GateAnswer } from './answer.ts';
import type { VerifyContext } from './context.ts';

/** Runs the check. Expected failures are part of the answer. Throws `cancelled` and the errors of adapters. */
export type Gate = (run: GateInput, signal: AbortSignal) => Promise<GateAnswer>;

/** The input of a gate. */
export interface GateInput {
  readonly context: VerifyContext;
  readonly proposal: Proposal;
  /** The edits to judge: those of the proposal or, if a gate is asked about a part of it, this part. */
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
  /** Runs `work` while the candidate's work tree lacks these edits. */
  readonly without: Commands['without'];
  /** True if a result of the command on the base is stored. */
  readonly isStored: Commands['isStored'];
  /** Runs a command on the base and replaces the stored result. */
  readonly rerunBase: Commands['rerunBase'];
  /** The last result of a command on the candidate during this verification; undefined if there is none. */
  readonly resultOfThisRun: Commands['resultOfThisRun'];
  /** True if the tests run with the change first; otherwise, the base runs first. */
  readonly runsCandidateFirst?: boolean;
  /** Maximum number of seconds for further runs of the tests, which do not decide the verdict. No limit if absent. */
  readonly secondsLeft?: number;
  /** True if the machine has enough cores to run the tests of both sides at the same time. */
  readonly canRunSideBySide?: boolean;
}
