// Runs the acceptance test of a request on the current repository. It must fail there, because the request is not done
// yet.

import type { FileEdit } from '../../model.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { createCommands } from '../commands.ts';
import type { VerifyContext } from '../context.ts';
import { readProject } from '../detect/project.ts';
import { chooseTests } from '../testing/chosenTests.ts';
import { chooseOnlyTests } from '../testing/chooseOnlyTests.ts';
import { compareTests, type TestRun } from '../testing/testRun.ts';
import type { TestCase } from '../parse/testCounts.ts';
import { describeRunningCommand } from '../runningCommandText.ts';
import { explainConditionalTest } from './addedTests.ts';
import { classifyFailure } from './failures.ts';
import { findLostChecks } from './fix.ts';

/** Maximum number of characters that are quoted from the runner's message or output. */
const MAX_CHARACTERS = 2_000;

/**
 * The outcome. `failure`: the name of the first failing test and its message, or the output of the runner if the test
 * cannot load what is requested. `refused`: the reason why the test is no evidence.
 */
export type AcceptanceTestResult = { readonly failure: string } | { readonly refused: string };

/** The reason why these edits cannot be an acceptance test, found without running them; null if they can. */
export function explainRefusedAcceptanceTest(edits: readonly FileEdit[]): string | null {
  const otherEdit = edits.find((edit) => !isTestEdit(edit) || edit.after === null);
  if (otherEdit) return `It changes ${otherEdit.path}, which is no test. An acceptance test changes test files only.`;
  const lostCheck = edits.flatMap(findLostChecks)[0];
  if (lostCheck !== undefined) return `It removes a check from the existing tests: \`${lostCheck.slice(0, 120)}\`.`;
  return explainConditionalTest(edits);
}

/** Runs the edited tests on the current repository. Throws `cancelled` and the errors of adapters. */
export async function runAcceptanceTest(
  context: VerifyContext,
  edits: readonly FileEdit[],
  signal: AbortSignal,
): Promise<AcceptanceTestResult> {
  const message = 'Running the acceptance test';
  const report = (suffix = '') =>
    context.report?.({ stage: 'verifying', done: 0, total: null, message: message + suffix });
  report();
  const worktree = await context.sandbox.open(signal);
  const commands = createCommands(worktree, {
    ...context,
    edits,
    timeoutMs: context.settings.timeoutSeconds * 1000,
    tell: (underWay) => report(`: ${describeRunningCommand(underWay)}`),
  });
  try {
    const project = await readProject(worktree);
    const run = { context, project: async () => project, base: commands.base, rerun: commands.rerun };
    const allTests = await chooseTests(run, signal);
    if (!allTests) return { refused: 'No tests were found here, so an acceptance test cannot run.' };
    const chosenTests = await chooseOnlyTests(run, allTests, signal);
    const command = chosenTests.commands.onFiles(edits.map(({ path }) => path));
    if (!command) return { refused: 'The test command of this repository cannot be told to run single files.' };
    await worktree.write(edits);
    return judgeTestRun(chosenTests.base, await commands.rerun('mutant', command, chosenTests.commands.parse, signal));
  } finally {
    await Promise.all([worktree.dispose(), commands.dispose()]);
  }
}

/**
 * The result of a run of the edited tests; refused if no test fails in a way that shows that the request is not done.
 */
function judgeTestRun(base: TestRun, { answer, value }: TestRun): AcceptanceTestResult {
  if (answer.outcome !== 'exited') return { refused: 'It does not end in time, or could not be started.' };
  const failing = selectNewlyFailing(base, value?.cases ?? []);
  const [first] = failing;
  if (first) {
    const failure = first.failure ?? '';
    return classifyFailure(failure, () => true) === 'time'
      ? { refused: `“${first.name}” runs out of time today, which shows nothing.` }
      : { failure: `${first.name}: ${failure}`.trim().slice(0, MAX_CHARACTERS) };
  }
  if (answer.exitCode === 0) return { refused: 'It passes today already, so it would not show that the wish is done.' };
  // If a file uses a name that does not exist yet, none of its cases runs.
  return classifyFailure(answer.output, () => true) === 'loading'
    ? { failure: answer.output.trim().slice(0, MAX_CHARACTERS) }
    : { refused: `It does not run: ${answer.output.trim().slice(-300)}` };
}

/** The failing cases that do not fail in the earlier run of all tests. */
function selectNewlyFailing({ value }: TestRun, cases: readonly TestCase[]): readonly TestCase[] {
  const failed = cases.filter(({ outcome }) => outcome === 'failed');
  return value === null ? failed : (compareTests(value, { ...value, cases })?.failing ?? failed);
}
