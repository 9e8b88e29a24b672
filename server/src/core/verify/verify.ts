// Proves in a sandbox that a proposal breaks nothing and makes the repository better, gate by gate, cheapest first.

import { throwIfCancelled } from '../../util/typedError.ts';
import { GATE_ORDER, type FileEdit, type GateName, type Points, type Proposal, type Verdict } from '../model.ts';
import type { Clock, Log, Sandbox } from '../ports.ts';
import type { Progress } from '../session.ts';
import type { BaselineCache } from './baseline.ts';
import { createCommands } from './commands.ts';
import { readProject, type Project } from './detect/project.ts';
import type { Gate, GateRun } from './gate.ts';
import { applies } from './gates/applies.ts';
import { charter } from './gates/charter.ts';
import { lint } from './gates/lint.ts';
import { score } from './gates/score.ts';
import { syntax } from './gates/syntax.ts';
import { tests } from './gates/tests.ts';
import { types } from './gates/types.ts';

export type { BaselineCache };

export interface VerifyContext {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: {
    /** Empty = detected. */
    readonly typesCommand: string;
    readonly lintCommand: string;
    readonly testCommand: string;
    /** For one command. */
    readonly timeoutSeconds: number;
  };
  /** False: no command of the repository is run, and the gates that need one answer unknown. */
  readonly trusted: boolean;
  checkCharter(edits: readonly FileEdit[]): Promise<{ readonly allowed: true } | { readonly allowed: false; readonly reason: string }>;
  /** Sentences about what does not parse; empty when all does or the language is unknown. */
  syntaxProblems(path: string, text: string): Promise<readonly string[]>;
  /** Both trees on the ruler; `withheld` says why a gain does not count. */
  score(edits: readonly FileEdit[]): Promise<{ readonly before: Points; readonly after: Points; readonly withheld?: readonly string[] }>;
  readonly report?: (progress: Progress) => void;
  readonly baseline: BaselineCache;
  /** Names the base for the cache; null = results of the base are not remembered. */
  readonly baseKey: string | null;
}

interface Measured {
  /** Of the gates that ran; a failed one is the last. */
  readonly verdicts: readonly Verdict[];
  /** Null when the score gate was not reached. */
  readonly pointsBefore: Points | null;
  readonly pointsAfter: Points | null;
}

export type Verification = (Measured & { readonly outcome: 'verified' }) | (Measured & { readonly outcome: 'refused'; readonly reason: string });

const GATES: Readonly<Record<GateName, Gate>> = { applies, syntax, charter, types, lint, tests, score };

/**
 * Runs the gates in order; the first that fails ends it. Verified = no gate failed and the score is shown to rise.
 * Throws `cancelled`, `noCommit`, `notARepository` and what ports throw; the sandboxes are gone in any case.
 */
export async function verifyProposal(context: VerifyContext, proposal: Proposal, signal: AbortSignal): Promise<Verification> {
  throwIfCancelled(signal);
  context.report?.({ stage: 'verifying', done: 0, total: GATE_ORDER.length, message: 'Opening a sandbox' });
  const worktree = await context.sandbox.open(signal);
  const commands = createCommands(worktree, { ...context, timeoutMs: context.settings.timeoutSeconds * 1000 });
  let project: Promise<Project> | null = null;
  const run: GateRun = { context, proposal, edits: proposal.edits, worktree, ...commands, project: () => (project ??= readProject(worktree)) };
  const verdicts: Verdict[] = [];
  let points: { readonly before: Points; readonly after: Points } | null = null;
  try {
    for (const [done, gate] of GATE_ORDER.entries()) {
      throwIfCancelled(signal);
      context.report?.({ stage: 'verifying', done, total: GATE_ORDER.length, message: `Gate ${gate}` });
      const startedAt = context.clock.now();
      const { points: scored, ...answer } = await GATES[gate](run, signal);
      points = scored ?? points;
      verdicts.push({ gate, ...answer, millis: context.clock.now() - startedAt });
      if (answer.outcome === 'failed') break;
    }
  } finally {
    await Promise.all([worktree.dispose(), commands.dispose()]);
  }
  const measured = { verdicts, pointsBefore: points?.before ?? null, pointsAfter: points?.after ?? null };
  const last = verdicts.at(-1);
  return last?.gate === 'score' && last.outcome === 'passed' ? { ...measured, outcome: 'verified' } : { ...measured, outcome: 'refused', reason: last ? `${last.gate}: ${last.reason}` : 'No gate ran.' };
}
