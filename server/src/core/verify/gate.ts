// What a gate is given and what it answers.

import type { FileEdit, Proposal, Verdict } from '../model.ts';
import type { Commands } from './commands.ts';
import type { Project } from './detect/project.ts';
import type { Worktree } from '../ports/sandbox.ts';
import type { GateAnswer } from './answer.ts';
import type { VerifyContext } from './context.ts';

/** Expected trouble is in the answer. Throws `cancelled`, and what the world behind a port throws. */
export type Gate = (run: GateRun, signal: AbortSignal) => Promise<GateAnswer>;

export interface GateRun {
  readonly context: VerifyContext;
  readonly proposal: Proposal;
  readonly edits: readonly FileEdit[];
  /** Of the gates that have run, in order. */
  readonly verdicts: readonly Verdict[];
  /** Holds the base until the first gate has passed, the candidate from then on. */
  readonly worktree: Worktree;
  /** The candidate's manifest and files. */
  project(): Promise<Project>;
  /** Runs a command on the candidate, and reads its answer. */
  readonly candidate: Commands['candidate'];
  /** The same on the unchanged repository, in a sandbox that the candidate's run has not touched, or from memory. */
  readonly base: Commands['base'];
  /** Once more, on one side, never from memory. */
  readonly again: Commands['again'];
  readonly without: Commands['without'];
}
