// The types of a gate: its input and its answer.

import type { FileEdit, Proposal, Verdict } from '../model.ts';
import type { Commands } from './commands.ts';
import type { DetectedProject } from './detect/project.ts';
import type { Worktree } from '../ports/sandbox.ts';
import type { GateAnswer } from './answer.ts';
import type { VerifyContext } from './context.ts';

/** Runs the check. Expected failures are part of the answer. Throws `cancelled`, and what adapters throw. */
export type Gate = (run: GateRun, signal: AbortSignal) => Promise<GateAnswer>;

/** The input of a gate. */
export interface GateRun {
  readonly context: VerifyContext;
  readonly proposal: Proposal;
  readonly edits: readonly FileEdit[];
  /** The verdicts of the gates that have run, in order. */
  readonly verdicts: readonly Verdict[];
  /** Holds the base until the first gate has passed, then the candidate. */
  readonly worktree: Worktree;
  /** The manifest and files of the candidate. */
  project(): Promise<DetectedProject>;
  /** Runs a command on the candidate, and reads its answer. */
  readonly candidate: Commands['candidate'];
  /** The same on the unchanged repository, in a sandbox of its own, or a kept result. */
  readonly base: Commands['base'];
  /** Runs a command once more on one side, ignoring kept results. */
  readonly rerun: Commands['rerun'];
  /** See `Commands` for this and the next three. */
  readonly without: Commands['without'];
  readonly remembers: Commands['remembers'];
  readonly rerunBase: Commands['rerunBase'];
  readonly resultOfThisRun: Commands['resultOfThisRun'];
  /** True if the tests run with the change first. If absent, the base comes first. */
  readonly runsCandidateFirst?: boolean;
  /** Seconds that further runs of the tests may take, if they do not decide anything. No limit if absent. */
  readonly secondsLeft?: number;
  /** True if the machine has cores enough to run the tests of both sides at the same time. */
  readonly sideBySide?: boolean;
}
