// Runs tests with a mutant in the code, or with probes that record which statements they reach, and restores the work
// tree afterwards.

import type { DetectedCommand } from '../detect/command.ts';
import type { GateInput } from '../gate.ts';
import type { TestCommands, TestRun } from '../testing/testRun.ts';
import type { Mutant, MutantPlan } from './planMutants.ts';
import { parseReachedProbes, insertProbes } from './probes.ts';

/**
 * The status of a mutant. `stopped`: noticed only by the time limit. `invalid`: the mutant does not compile.
 * `unjudged`: no test ran, and it is not certain that the mutant is the reason.
 */
export type MutantStatus = 'noticed' | 'stopped' | 'survived' | 'unreached' | 'invalid' | 'unjudged';

/** The statuses that a run with many mutants can determine. */
export type InProcessStatus = Extract<MutantStatus, 'noticed' | 'stopped' | 'survived' | 'unreached' | 'invalid'>;

/** The results of runs with many mutants. */
export interface InProcessResult {
  /** The statuses that could be determined. Any other mutant needs a separate run. */
  readonly statuses: ReadonlyMap<Mutant, InProcessStatus>;
  /** Mutants that need a separate run, as the run has reported; absent if it reports none. */
  readonly own?: ReadonlySet<Mutant>;
  /** Number of runs of the test command. */
  readonly runs: number;
}

/** The parts of a gate run that are needed to try a mutant. */
export type MutantRun = Pick<GateInput, 'context' | 'worktree' | 'rerun'> & {
  /** When this signal is aborted, the run stops, and what it has shown so far counts. */
  readonly stop?: AbortSignal;
};

/**
 * Callbacks that receive the run that determined the status of the mutant. `onNoticed` is not called if that run broke
 * down without failing tests.
 */
export interface MutantEvents {
  onNoticed?(result: TestRun): void;
  onSurvived?(result: TestRun): void;
}

/** Returns the text of a file in the work tree. */
export type TextOf = (path: string) => string;

/**
 * The time limit with a mutant is this multiple of the time without one, plus a constant. An endless loop ends as
 * `stopped`.
 */
const TIME_FACTOR = 1.5;
const EXTRA_MS = 5_000;
/** Path in the work tree of the file to which probes write. */
const REACHED_PATH = 'node_modules/.selfware/reached';
/** Matches messages of compilers, bundlers and runners that cannot read or build the code. */
const UNREADABLE_PATTERN =
  /\berror TS\d{4,5}\b|\bTS\d{4,5}:|SyntaxError|Transform failed|Parse error|^FAIL\t\S+ \[(?:build|setup) failed\]/m;

/** Matches messages of Jest, Vitest, nyc and c8 that the coverage is below a threshold of the repository. */
const LOW_COVERAGE_PATTERN = /\bcoverage threshold for .{1,80} not met\b|\bCoverage for .{1,80} does not meet\b/i;
/** Matches messages of runners about errors outside of tests and, from AVA, about test files without tests. */
const OUTSIDE_TESTS_PATTERN = /unhandled|uncaught|exited with a non-zero|No tests found in/i;

/**
 * The environment in which ts-node does not check types. Inserted probes and switches need not fit the compiler options
 * of the repository, such as an old `target`.
 */
export function disableTypeCheck(env: DetectedCommand['env']): NonNullable<DetectedCommand['env']> {
  return { ...env, TS_NODE_TRANSPILE_ONLY: 'true' };
}

/** Runs the tests with probes and without a mutant, and returns the probes that they reach. */
export async function runProbed(
  run: MutantRun,
  textOf: TextOf,
  { probes }: Pick<MutantPlan, 'probes'>,
  command: DetectedCommand,
  commands: TestCommands,
  signal: AbortSignal,
): Promise<{ readonly probed: TestRun; readonly reached: ReadonlySet<number> }> {
  const { worktree } = run;
  const paths = [...new Set(probes.map(({ path }) => path))];
  const logFile = await resetReachedProbes(worktree);
  await writeTexts(run, textOf, paths, (path, text) => insertProbes(path, text, probes, logFile));
  const probed = await run
    .rerun('mutant', { ...command, env: disableTypeCheck(command.env) }, commands.parse, signal)
    .finally(() => writeTexts(run, textOf, paths, (_path, text) => text));
  return { probed, reached: await readReachedProbes(worktree) };
}

/** Empties the file to which probes write, and returns its absolute path. */
export async function resetReachedProbes(worktree: MutantRun['worktree']): Promise<string> {
  await worktree.write([{ path: REACHED_PATH, before: null, after: '' }]);
  return `${worktree.dir}/${REACHED_PATH}`;
}

/** The probes that were reached since the file was emptied. */
export async function readReachedProbes(worktree: MutantRun['worktree']): Promise<ReadonlySet<number>> {
  const bytes = await worktree.read(REACHED_PATH);
  return bytes ? parseReachedProbes(new TextDecoder().decode(bytes)) : new Set<number>();
}

/**
 * Runs the tests with the mutant, and returns its status. `baseline`: a run of the same command without a mutant. The
 * mutant is noticed if more tests fail with it. If the run breaks down, the mutant is noticed only if the tests then
 * run as before without the mutant.
 */
export async function testMutant(
  run: MutantRun,
  textOf: TextOf,
  mutant: Mutant,
  command: DetectedCommand,
  commands: TestCommands,
  baseline: TestRun,
  signal: AbortSignal,
  { onNoticed, onSurvived }: MutantEvents = {},
): Promise<MutantStatus> {
  await writeTexts(
    run,
    textOf,
    [mutant.path],
    (_path, text) => `${text.slice(0, mutant.start)}${mutant.text}${text.slice(mutant.end)}`,
  );
  const timeoutMs = baseline.answer.millis * TIME_FACTOR + EXTRA_MS;
  const result = await run
    .rerun('mutant', { ...command, timeoutMs }, commands.parse, signal)
    .finally(() => writeTexts(run, textOf, [mutant.path], (_path, text) => text));
  const { answer } = result;
  // If a runner checks types or cannot read the mutant, its tests have noticed nothing.
  if (
    answer.exitCode !== 0 &&
    UNREADABLE_PATTERN.test(answer.output) &&
    !UNREADABLE_PATTERN.test(baseline.answer.output)
  )
    return 'invalid';
  if (answer.outcome === 'timedOut') return 'stopped';
  if (countFailures(result) > countFailures(baseline)) {
    onNoticed?.(result);
    return 'noticed';
  }
  // Probes may have broken a test of the baseline, such as a test of the size of a bundle.
  const exitCode = findExitCode(result, baseline);
  const passesAll = exitCode === 0 && countTests(result) >= countTests(baseline);
  const hasBrokenDown =
    answer.outcome !== 'exited' ||
    answer.exceeded !== null ||
    (exitCode !== findExitCode(baseline, result) && !passesAll);
  if (!hasBrokenDown && countTests(result) === 0 && countTests(baseline) > 0) return 'unjudged';
  if (!hasBrokenDown) {
    onSurvived?.(result);
    return 'survived';
  }
  return hasSameOutcomes(await run.rerun('mutant', command, commands.parse, signal), baseline) ? 'noticed' : 'unjudged';
}

/** True if both runs exited in the same way, with the same numbers of passed and failed tests. */
export function hasSameOutcomes(left: TestRun, right: TestRun): boolean {
  const createSignature = (run: TestRun, compared: TestRun) =>
    JSON.stringify([
      ...[run.answer.outcome, run.answer.exceeded, findExitCode(run, compared)],
      ...[run.value?.passed ?? null, run.value?.failed ?? null],
    ]);
  return left.answer.outcome === 'exited' && createSignature(left, right) === createSignature(right, left);
}

/**
 * The exit code; 0 if all tests passed and only the coverage is too low, because probes and mutants change it. If fewer
 * tests ran than in the other run, the exit code stays as it is: the first of several commands may have failed and kept
 * the next from running.
 */
function findExitCode(run: Pick<TestRun, 'answer' | 'value'>, otherRun: Pick<TestRun, 'value'>): number | null {
  const { answer, value } = run;
  const passedAll = value !== null && value.passed > 0 && value.failed === 0 && countTests(run) >= countTests(otherRun);
  const isLowCoverage = LOW_COVERAGE_PATTERN.test(answer.output) && !OUTSIDE_TESTS_PATTERN.test(answer.output);
  return passedAll && isLowCoverage ? 0 : answer.exitCode;
}

function countFailures({ value }: Pick<TestRun, 'value'>): number {
  return value?.failed ?? 0;
}

function countTests({ value }: Pick<TestRun, 'value'>): number {
  return (value?.passed ?? 0) + countFailures({ value });
}

/** The location and the change of a mutant, for a person. */
export function describeMutant({ path, line, shown }: Mutant): string {
  return `${path}:${line} ${shown}`;
}

/** Writes the result of `createText` for each of these files. */
export async function writeTexts(
  { worktree }: Pick<MutantRun, 'worktree'>,
  textOf: TextOf,
  paths: readonly string[],
  createText: (path: string, text: string) => string,
): Promise<void> {
  await worktree.write(paths.map((path) => ({ path, before: null, after: createText(path, textOf(path)) })));
}
