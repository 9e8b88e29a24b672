// Proves a set-up: the tests run once, in an ordinary sandbox without network.

import { counted } from '../../../util/counted.ts';
import { thousands } from '../../../util/thousands.ts';
import { throwIfCancelled } from '../../../util/typedError.ts';
import type { SetupCheck } from '../../model/setup.ts';
import type { Operation } from '../../operation.ts';
import { isTest } from '../../paths/tests.ts';
import { isPartialRun, countTestsInFile } from '../../setup/namedTests.ts';
import { createCommands } from '../../verify/commands.ts';
import { readProject } from '../../verify/detect/project.ts';
import { missingProgramSentence } from '../../verify/missingProgramText.ts';
import { chooseTests } from '../../verify/testing/chosenTests.ts';
import type { TestRun } from '../../verify/testing/testRun.ts';
import { waitingTextUnchanged } from '../../verify/waiting.ts';
import type { SessionContext } from '../context.ts';
import { createVerifyContext } from '../verify/verifying.ts';

/**
 * Runs the tests; null if no tests are known. Throws `cancelled` and the errors of adapters. The sandbox is removed in
 * any case.
 */
export async function proveSetup(
  context: SessionContext,
  tracked: readonly string[],
  operation: Operation,
): Promise<SetupCheck | null> {
  const { signal, report } = operation;
  const gates = await createVerifyContext(context, operation);
  const progress = { stage: 'verifying', done: 0, total: null, message: 'Running the tests' } as const;
  report?.(progress);
  const worktree = await context.ports.sandbox.open(signal);
  const commands = createCommands(worktree, {
    ...gates,
    edits: [],
    timeoutMs: gates.settings.timeoutSeconds * 1000,
    tell: (underWay) => report?.({ ...progress, message: `Running the tests: ${waitingTextUnchanged(underWay)}` }),
  });
  try {
    const run = await chooseTests(
      {
        context: gates,
        project: () => readProject(worktree),
        base: (command, read, stop) => commands.again('base', command, read, stop),
        again: commands.again,
      },
      signal,
    );
    if (run === null) return null;
    const namedCount = await countNamedTests(context, tracked, signal);
    return checkOf(run.base, namedCount);
  } finally {
    await Promise.all([worktree.dispose(), commands.dispose()]);
  }
}

function checkOf({ answer, value }: TestRun, namedCount: number): SetupCheck {
  const ran = value === null ? null : value.passed + value.failed;
  const reason = reasonAgainst(answer, value, namedCount);
  return {
    name: 'tests',
    command: answer.line,
    runs: reason === null,
    tests: ran,
    passed: value?.passed ?? null,
    failed: value?.failed ?? null,
    seconds: Math.round(answer.millis / 100) / 10,
    reason,
  };
}

/**
 * The reason that the run does not show that the tests run here, as a sentence; null if it does. Failing tests are no
 * reason if some pass.
 */
function reasonAgainst(answer: TestRun['answer'], value: TestRun['value'], namedCount: number): string | null {
  if (answer.outcome === 'notFound') return missingProgramSentence(answer);
  if (answer.outcome === 'timedOut') return `\`${answer.line}\` was ended after ${Math.round(answer.millis / 1000)} s.`;
  if (answer.exceeded !== null) return `\`${answer.line}\` was ended: it took ${answer.exceeded}.`;
  if (value === null)
    return `\`${answer.line}\` ends with ${answer.exitCode}, and no count can be read from it${lastLineOf(answer.output)}`;
  const ran = value.passed + value.failed;
  if (value.passed === 0)
    return `No test passes${value.failed > 0 ? `, and ${value.failed} fail` : ''}${lastLineOf(answer.output)}`;
  if (isPartialRun(ran, namedCount))
    return `Only ${counted(ran, 'test')} ran, and the test files name about ${thousands(namedCount)}.`;
  return null;
}

/** The end of a sentence that quotes the output: its first line that names a cause, otherwise its last line. */
function lastLineOf(output: string): string {
  const printedLines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('npm error A complete log') && !/^\d+$/.test(line));
  const line =
    printedLines.find((printedLine) =>
      /Error\b.{0,200}:|No module named|[Cc]annot find|[Nn]ot found|refused/.test(printedLine),
    ) ?? printedLines.at(-1);
  return line === undefined ? '.' : `. It says: ${line.slice(0, 200)}`;
}

/** Number of tests that the test files name. Files that cannot be read count as none. */
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
