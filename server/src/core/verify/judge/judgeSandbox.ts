// Opens a sandbox that contains a judged change, with the commands that run in it. With two sandboxes, the tests run in
// parallel with the type check and the linter without seeing each other's files.

import type { Verdict } from '../../model.ts';
import type { TreeChange } from '../../model/judgement.ts';
import type { ChangedFiles } from '../../ports/sandbox.ts';
import type { GateAnswer } from '../answer.ts';
import { createCommands, type CommandParts, type Commands } from '../commands.ts';
import type { VerifyContext } from '../context.ts';
import { readProject, type DetectedProject } from '../detect/project.ts';
import type { GateInput } from '../gate.ts';
import type { RunningCommand } from '../runningCommandText.ts';

/** A sandbox with its commands. */
export interface Lane {
  readonly run: GateInput;
  readonly commands: Commands;
  dispose(): Promise<void>;
}

/** The input that both sandboxes of a judgement share. */
export type LaneParts = Pick<GateInput, 'proposal' | 'verdicts' | 'runsCandidateFirst' | 'canRunSideBySide'> & {
  readonly context: VerifyContext;
  readonly edits: TreeChange['edits'];
  /** The changed files, if the sandbox should have the packages that match them. */
  readonly changedFiles: ChangedFiles | undefined;
  /** The results of commands with the change so far, and the environments of commands, which both sandboxes use. */
  readonly shared: Required<Pick<CommandParts, 'ran' | 'environments'>>;
  tell(underWay: RunningCommand): void;
};

/** Opens a sandbox that contains the base. Throws the errors of the sandbox. */
export async function openLane(parts: LaneParts, signal: AbortSignal): Promise<Lane> {
  const { context, edits, changedFiles, shared, tell, ...ownParts } = parts;
  const worktree = await context.sandbox.open(signal, changedFiles);
  const commands = createCommands(worktree, {
    ...context,
    edits,
    timeoutMs: context.settings.timeoutSeconds * 1000,
    isStill: true,
    ...shared,
    hasOwnPackages: changedFiles !== undefined,
    tell: tell,
  });
  let project: Promise<DetectedProject> | null = null;
  return {
    commands,
    run: {
      ...ownParts,
      context,
      edits,
      worktree,
      ...commands,
      project: () => (project ??= readProject(worktree)),
    },
    async dispose() {
      await Promise.all([worktree.dispose(), commands.dispose()]);
    },
  };
}

/** Opens a sandbox and writes the change into it. */
export async function openLaneWithChange(parts: LaneParts, change: TreeChange, signal: AbortSignal): Promise<Lane> {
  const lane = await openLane(parts, signal);
  try {
    await lane.run.worktree.write(change.edits);
    await lane.run.worktree.place(change.bytes);
    return lane;
  } catch (error) {
    await lane.dispose();
    throw error;
  }
}

/**
 * The lane for a machine with few cores. Its first run with the change is in parallel with the other checks. Runs of
 * the base, whose results are stored, and repetitions wait until `otherChecks` resolves, when the other checks have
 * ended.
 */
export function deferBaseRuns(lane: Lane, otherChecks: Promise<void>): Lane {
  const { run, commands } = lane;
  const deferredRun: GateInput = {
    ...run,
    async rerun(...command) {
      await otherChecks;
      return run.rerun(...command);
    },
    async base(command, read, signal) {
      if (!(await run.isStored(command, signal))) await otherChecks;
      return run.base(command, read, signal);
    },
    async rerunBase(...command) {
      await otherChecks;
      return run.rerunBase(...command);
    },
  };
  return {
    ...lane,
    run: deferredRun,
    commands: { ...commands, disturbance: (signal) => commands.disturbance(signal, deferredRun.base) },
  };
}

/**
 * True if tests that ran in parallel with other checks could have another outcome alone: they failed and were not
 * repeated, the outcome is unknown, or they passed only when they were repeated.
 */
export function mayComeFromLoad({ outcome, evidence }: Pick<Verdict, 'outcome' | 'evidence'>): boolean {
  const wasRepeated = Number(evidence['repetitions'] ?? 0) > 0;
  return outcome === 'failed' ? !wasRepeated : outcome === 'unknown' || wasRepeated;
}

/**
 * The answer of a gate with the outcome and the reason of the disturbance, if the disturbance is worse; otherwise the
 * answer itself.
 */
export function applyDisturbance(
  answer: GateAnswer,
  disturbance: Awaited<ReturnType<ReturnType<typeof createCommands>['disturbance']>>,
): GateAnswer {
  if (!disturbance || answer.outcome === 'failed') return answer;
  if (answer.outcome === 'unknown' && disturbance.outcome === 'unknown') return answer;
  return { ...answer, ...disturbance };
}
