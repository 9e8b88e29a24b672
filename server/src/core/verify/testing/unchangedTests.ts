// Runs the tests of the unchanged repository in a separate sandbox, to find out which changes they detect or which of
// them fail.

import { createCommands, type Commands } from '../commands.ts';
import type { VerifyContext } from '../context.ts';
import { readProject, type DetectedProject } from '../detect/project.ts';
import { describeRunningCommandWithoutSide } from '../runningCommandText.ts';
import type { Worktree } from '../../ports/sandbox.ts';
import { chooseTests, type ChosenTests } from './chosenTests.ts';
import { chooseOnlyTests, chooseOnlyTestsDirectly } from './chooseOnlyTests.ts';

/** The tests of the unchanged repository, in an open sandbox. */
export interface UnchangedTests {
  readonly worktree: Worktree;
  readonly commands: Commands;
  readonly project: DetectedProject;
  /** The command, with the result of its run on this tree. */
  readonly chosen: ChosenTests;
}

/** The progress message while mutants are tried. */
const MUTANTS_MESSAGE = 'Runs the tests with mistakes put in';

/** The reason if no test command is known. */
export const NO_TESTS = 'No tests were found.';

/** The reason why the tests cannot be run, as a sentence. */
export interface TestsUnavailable {
  readonly refused: string;
  /** True if the tests do run, and only this question about them has no answer. */
  readonly testsRun?: boolean;
}

/**
 * Runs `work` while the sandbox is open. `message`: the progress message meanwhile, before the text about waiting.
 * `files`: the test files to run; all tests if they are omitted. Throws `cancelled` and errors of adapters.
 */
export async function withUnchangedTests<T>(
  context: VerifyContext,
  message: string,
  signal: AbortSignal,
  work: (tests: UnchangedTests) => Promise<T>,
  files: readonly string[] = [],
): Promise<T | TestsUnavailable> {
  const report = (text: string) => context.report?.({ stage: 'verifying', done: 0, total: null, message: text });
  report(message);
  const worktree = await context.sandbox.open(signal);
  const commands = createCommands(worktree, {
    ...context,
    edits: [],
    timeoutMs: context.settings.timeoutSeconds * 1000,
    tell: (underWay) =>
      report(
        `${underWay.side === 'mutant' ? MUTANTS_MESSAGE : message}: ${describeRunningCommandWithoutSide(underWay)}`,
      ),
  });
  try {
    const project = await readProject(worktree);
    const { base, rerun, isStored } = commands;
    const run = { context, project: async () => project, base, rerun, isStored };
    const directTests = await chooseOnlyTestsDirectly(run, signal, files);
    const chosenTests = directTests ?? (await chooseTests(run, signal, files));
    if (!chosenTests) return { refused: NO_TESTS };
    const testsToRun = directTests ?? (await chooseOnlyTests(run, chosenTests, signal, files));
    return await work({ worktree, commands, project, chosen: testsToRun });
  } finally {
    await Promise.all([worktree.dispose(), commands.dispose()]);
  }
}
