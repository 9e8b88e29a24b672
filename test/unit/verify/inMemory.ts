// Gates and whole verifications without a process: work trees are maps of texts, and commands answer from a table.

import type { GateAnswer } from '../../../server/src/core/verify/answer.ts';
import { createCommands } from '../../../server/src/core/verify/commands.ts';
import { readProject } from '../../../server/src/core/verify/detect/project.ts';
import type { Gate } from '../../../server/src/core/verify/gate.ts';
import { verifyProposal, type Verification } from '../../../server/src/core/verify/verify.ts';
import type { RunResult } from '../../../server/src/core/ports/sandbox.ts';
import type { FileEdit, Proposal, Verdict } from '../../../server/src/core/model.ts';
import { createMemoryClock } from '../../helpers/memoryClock.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createMemorySandbox, type MemoryCommand } from '../../helpers/memorySandbox.ts';
import { contextOf, proposalOf, type Overrides } from './verifying.ts';

const never = new AbortController().signal;

export interface Given {
  readonly files?: Readonly<Record<string, string>>;
  readonly edits: readonly FileEdit[];
  readonly commands?: Readonly<Record<string, MemoryCommand>>;
  readonly overrides?: Overrides;
  readonly proposal?: Partial<Proposal>;
  readonly verdicts?: readonly Verdict[];
  readonly runsCandidateFirst?: boolean;
  readonly secondsLeft?: number;
}

/** What one gate answers. Its work tree holds the edits, except where the gate itself writes them. */
export async function answerOf(gate: Gate, given: Given, written = true): Promise<GateAnswer> {
  const {
    files = {},
    edits,
    commands: table = {},
    overrides = {},
    verdicts = [],
    runsCandidateFirst,
    secondsLeft,
  } = given;
  const sandbox = createMemorySandbox(createMemoryFiles(files), table);
  const worktree = await sandbox.open(never);
  const context = contextOf({ sandbox }, { clock: createMemoryClock(), ...overrides });
  const commands = createCommands(worktree, {
    ...context,
    edits,
    timeoutMs: context.settings.timeoutSeconds * 1000,
  });
  if (written) await worktree.write(edits);
  const proposal = { ...proposalOf(edits), ...given.proposal };
  try {
    const project = () => readProject(worktree);
    const shared = { context, proposal, edits, verdicts, worktree, ...commands, project };
    const judged = secondsLeft === undefined ? shared : { ...shared, secondsLeft };
    return await gate(runsCandidateFirst ? { ...judged, runsCandidateFirst } : judged, never);
  } finally {
    await Promise.all([worktree.dispose(), commands.dispose()]);
  }
}

/** What all gates say. */
export function verified(given: Given): Promise<Verification> {
  const { files = {}, edits, commands = {}, overrides = {} } = given;
  const sandbox = createMemorySandbox(createMemoryFiles(files), commands);
  const context = contextOf({ sandbox }, { clock: createMemoryClock(), ...overrides });
  return verifyProposal(context, { ...proposalOf(edits), ...given.proposal }, never);
}

/** What `verifying` gives, in memory: for gates that run no command, which a real tree would show nothing more of. */
export function verifyingTexts(files: Readonly<Record<string, string>>): {
  verify(edits: readonly FileEdit[], overrides?: Overrides): Promise<Verification>;
} {
  return { verify: (edits, overrides = {}) => verified({ files, edits, overrides }) };
}

/** `outcome: reason`. */
export function spoken({ outcome, reason }: Pick<GateAnswer, 'outcome' | 'reason'>): string {
  return `${outcome}: ${reason}`;
}

/** What a run of a command gives. */
export type Result = Partial<RunResult>;

/** As pytest prints them: how many passed, the names of those that failed. The list of tests is not told. */
export const counts = (
  passed: number,
  failed: readonly string[] = [],
  rest: Result & { skipped?: number } = {},
): Result => ({
  stdout: [
    ...failed.filter((name) => name !== '').map((name) => `FAILED test_a.py::${name}`),
    `==== ${failed.length > 0 ? `${failed.length} failed, ` : ''}${passed} passed${rest.skipped ? `, ${rest.skipped} skipped` : ''} in 0.64s ====`,
  ].join('\n'),
  exitCode: failed.length > 0 ? 1 : 0,
  ...rest,
});
/** Another output, which nothing reads. */
export const said = (stdout: string, exitCode = 0): Result => ({ stdout, exitCode });
