// Proves a set-up by running the tests once, in an ordinary sandbox without network.

import { formatCount } from '../../../util/counted.ts';
import { groupThousands } from '../../../util/thousands.ts';
import { throwIfCancelled } from '../../../util/typedError.ts';
import type { Missing, SetupCheck } from '../../model/setup.ts';
import type { Operation } from '../../operation.ts';
import { isTest } from '../../paths/tests.ts';
import { findMissingDependency } from '../../setup/missingDependency.ts';
import { isPartialRun, countTestsInFile } from '../../setup/namedTests.ts';
import { createCommands } from '../../verify/commands.ts';
import { readProject } from '../../verify/detect/project.ts';
import { chooseTests } from '../../verify/testing/chosenTests.ts';
import { explainNoTestPasses } from '../../verify/testing/noTestPasses.ts';
import type { TestRun } from '../../verify/testing/testRun.ts';
import { describeRunningCommandWithoutSide } from '../../verify/runningCommandText.ts';
import type { SessionContext } from '../context.ts';
import { createVerifyContext } from '../verify/verifying.ts';

/** The result of the tests, and the dependency that they lack. */
export interface SetupProof {
  readonly check: SetupCheck;
  /** The missing dependency without which tests do not run; null if none is known. */
  readonly missing: Missing | null;
}

/**
 * Runs the tests; null if no tests are known. Throws `cancelled`, and the errors of the sandbox. The sandbox is removed
 * in any case.
 */
export async function proveSetup(
  context: SessionContext,
  tracked: readonly string[],
  operation: Operation,
): Promise<SetupProof | null> {
  const { signal, report } = operation;
  const verifyContext = await createVerifyContext(context, operation);
  const progress = { stage: 'verifying', done: 0, total: null, message: 'Running the tests' } as const;
  report?.(progress);
  const worktree = await context.ports.sandbox.open(signal);
  const commands = createCommands(worktree, {
    ...verifyContext,
    edits: [],
    timeoutMs: verifyContext.settings.timeoutSeconds * 1000,
    tell: (underWay) =>
      report?.({ ...progress, message: `Running the tests: ${describeRunningCommandWithoutSide(underWay)}` }),
  });
  try {
    const run = await chooseTests(
      {
        context: verifyContext,
        project: () => readProject(worktree),
        base: (command, read, stop) => commands.rerun('base', command, read, stop),
        rerun: commands.rerun,
      },
      signal,
    );
    if (run === null) return null;
    const namedCount = await countNamedTests(context, tracked, signal);
    const check = createCheck(run.base, namedCount);
    const isComplete = check.runs && check.failed === 0 && run.base.answer.exitCode === 0;
    return { check, missing: isComplete ? null : findMissingDependency(run.base.answer.output, tracked) };
  } finally {
    await Promise.all([worktree.dispose(), commands.dispose()]);
  }
}

/** The result of the tests in numbers. `namedCount`: number of tests that the test files name. */
function createCheck(run: TestRun, namedCount: number): SetupCheck {
  const { answer, value } = run;
  const ranCount = value === null ? null : value.passed + value.failed;
  const reason = explainUnprovenTests(run, namedCount);
  return {
    name: 'tests',
    command: answer.line,
    runs: reason === null,
    tests: ranCount,
    passed: value?.passed ?? null,
    failed: value?.failed ?? null,
    ...(value === null ? {} : { skipped: value.skipped }),
    seconds: Math.round(answer.millis / 100) / 10,
    reason,
  };
}

/** The reason why the run does not show that the tests run here, as a sentence; null if it does. */
function explainUnprovenTests(run: TestRun, namedCount: number): string | null {
  const reason = explainNoTestPasses(run);
  if (reason !== null || run.value === null) return reason;
  const ranCount = run.value.passed + run.value.failed;
  if (isPartialRun(ranCount, namedCount))
    return `Only ${formatCount(ranCount, 'test')} ran, and the test files name about ${groupThousands(namedCount)}.`;
  return null;
}

/** Number of tests that the test files name. Files that cannot be read count as files without tests. */
async function countNamedTests(
  context: SessionContext,
  tracked: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  let namedCount = 0;
  for (const path of tracked.filter(isTest)) {
    throwIfCancelled(signal);
    const bytes = await context.ports.files.read(path).catch(() => null);
    if (bytes !== null) namedCount += countTestsInFile(path, new TextDecoder().decode(bytes));
  }
  return namedCount;
}
