// Tries mutants of Go with one command: `adapters/harness/go` compiles all of them into the test programs, and runs
// these once for each mutant.

import type { DetectedCommand } from '../../detect/command.ts';
import { parseGoTestWords } from '../../detect/goTest.ts';
import type { TestCommands } from '../../testing/testRun.ts';
import { readStatuses, REQUEST_PATH, RESULTS_PATH } from '../statusLines.ts';
import type { InProcessResult, MutantRun, TextOf } from '../mutantRuns.ts';
import type { Mutant } from '../planMutants.ts';
import type { GoMutationRequest } from './goMutationOrder.ts';

/**
 * Milliseconds for building the test programs and running them without a mutant, in addition to the time that the test
 * command takes for both.
 */
const EXTRA_BUILD_MS = 10_000;
/** Milliseconds after its time limit at which the command is killed. */
const GRACE_MS = 30_000;

/**
 * Tries the mutants, and returns their statuses. A mutant without a status needs a separate run. There are no statuses
 * if the test command is not a plain `go test`, or if the harness is not installed.
 */
export async function tryInGoTest(
  run: MutantRun,
  mutants: readonly Mutant[],
  textOf: TextOf,
  {
    command,
    commands,
    millis,
    baseMillis,
    harness,
    chosenMutants: mutantsToTry,
  }: {
    readonly command: DetectedCommand;
    readonly commands: TestCommands;
    /** The command that starts the harness; null if it is not installed. */
    readonly harness: readonly string[] | null;
    /** Milliseconds for all mutants. */
    readonly millis: number;
    /** Milliseconds that the tests take without a mutant. */
    readonly baseMillis: number;
    /** The mutants to try, in this order. */
    readonly chosenMutants: readonly Mutant[];
  },
  signal: AbortSignal,
): Promise<InProcessResult> {
  const testArguments = parseGoTestWords(command);
  const numbers = new Map(mutants.map((mutant, index) => [mutant, index]));
  const candidates = mutantsToTry.flatMap((mutant) =>
    mutant.go ? [{ ...mutant, ...mutant.go, number: numbers.get(mutant)! }] : [],
  );
  if (!testArguments || harness === null || candidates.length === 0) return { statuses: new Map(), runs: 0 };
  const { worktree } = run;
  const buildMillis = baseMillis + EXTRA_BUILD_MS;
  const paths = [...new Set(candidates.map(({ path }) => path))];
  const request: GoMutationRequest = {
    go: true,
    root: worktree.dir,
    buildMillis,
    millis,
    results: RESULTS_PATH,
    build: testArguments.build,
    packages: testArguments.packages,
    test: testArguments.test,
    args: testArguments.args,
    files: paths.map((path) => ({ path, text: textOf(path) })),
    mutants: candidates.map(({ number, path, start, end, text, body, probe, returns, labels }) => ({
      ...{ number, path, start, end, text, body, probe, returns, labels },
    })),
  };
  try {
    await worktree.write([
      { path: REQUEST_PATH, before: null, after: JSON.stringify(request) },
      { path: RESULTS_PATH, before: null, after: '' },
    ]);
    const timeoutMs = buildMillis + millis + GRACE_MS;
    const { source, services, cwd } = command;
    const env = { ...command.env, ...testArguments.env };
    const harnessCommand: DetectedCommand = {
      source,
      command: [...harness, `${worktree.dir}/${REQUEST_PATH}`],
      shell: false,
      env,
      ...(services ? { services } : {}),
      ...(cwd ? { cwd } : {}),
      timeoutMs,
    };
    await run.rerun('mutant', harnessCommand, commands.parse, signal);
    const bytes = await worktree.read(RESULTS_PATH);
    return { ...readStatuses(bytes ? new TextDecoder().decode(bytes) : '', mutants), runs: 1 };
  } finally {
    await worktree.write([
      { path: REQUEST_PATH, before: null, after: null },
      { path: RESULTS_PATH, before: null, after: null },
    ]);
  }
}
