// What a gate is given and what it answers.

import type { FileEdit, Points, Proposal, Verdict } from '../model.ts';
import type { Worktree } from '../ports.ts';
import { DEPENDS_ON_TIME } from './busy.ts';
import type { Commands } from './commands.ts';
import type { Project } from './detect/project.ts';
import type { VerifyContext } from './verify.ts';

export type GateAnswer = Pick<Verdict, 'outcome' | 'reason' | 'evidence'> & {
  readonly points?: { readonly before: Points; readonly after: Points };
};

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

/** Marks an answer that would be another one if things had taken less long: on a busy machine it says nothing. */
export function dependingOnTime(answer: GateAnswer): GateAnswer {
  return { ...answer, evidence: { ...answer.evidence, [DEPENDS_ON_TIME]: 1 } };
}

/** `3 tests`, `1 test`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
