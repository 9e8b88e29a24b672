// What a gate is given and what it answers.

import type { FileEdit, Points, Proposal, Verdict } from '../model.ts';
import type { Worktree } from '../ports.ts';
import type { CommandAnswer } from './commands.ts';
import type { DetectedCommand } from './detect/command.ts';
import type { Project } from './detect/project.ts';
import type { VerifyContext } from './verify.ts';

export type GateAnswer = Pick<Verdict, 'outcome' | 'reason' | 'evidence'> & { readonly points?: { readonly before: Points; readonly after: Points } };

/** Expected trouble is in the answer. Throws `cancelled`, and what the world behind a port throws. */
export type Gate = (run: GateRun, signal: AbortSignal) => Promise<GateAnswer>;

export interface GateRun {
  readonly context: VerifyContext;
  readonly proposal: Proposal;
  readonly edits: readonly FileEdit[];
  /** Holds the base until the first gate has passed, the candidate from then on. */
  readonly worktree: Worktree;
  /** The candidate's manifest and files. */
  project(): Promise<Project>;
  /** Runs a command on the candidate. */
  candidate(command: DetectedCommand, signal: AbortSignal): Promise<CommandAnswer>;
  /** Runs it on the unchanged repository, in a sandbox that the candidate's run has not touched, or remembers. */
  base(command: DetectedCommand, signal: AbortSignal): Promise<CommandAnswer>;
  /** The base's answer if it is known already. */
  knownBase(command: DetectedCommand): CommandAnswer | undefined;
}

export function passed(reason: string, evidence: GateAnswer['evidence'] = {}): GateAnswer {
  return { outcome: 'passed', reason, evidence };
}

export function failed(reason: string, evidence: GateAnswer['evidence'] = {}): GateAnswer {
  return { outcome: 'failed', reason, evidence };
}

export function unknown(reason: string, evidence: GateAnswer['evidence'] = {}): GateAnswer {
  return { outcome: 'unknown', reason, evidence };
}

/** `3 tests`, `1 test`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
