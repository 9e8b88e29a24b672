// Tries mutants inside one run of the repository's own test runner. All mutants are compiled into the code and switched
// on one after the other.

import type { DetectedCommand } from '../detect/command.ts';
import type { RunnerName } from '../detect/testRunner.ts';
import type { TestCommands } from '../testing/testRun.ts';
import { ORDER_VARIABLE, type InTestsLine, type InTestsOrder } from './inTests.ts';
import type { Mutant, MutantPlan } from './planMutants.ts';
import {
  disableTypeCheck,
  type InProcessResult,
  type InProcessStatus,
  type MutantRun,
  type TextOf,
} from './mutantRuns.ts';
import { tryInGoTest } from './go/inGoTest.ts';
import { tryInPytest } from './python/inPytest.ts';
import { REQUEST_PATH, RESULTS_PATH } from './statusLines.ts';

/** Runners that can run their tests repeatedly in one process. */
const SUPPORTED_RUNNERS: ReadonlySet<string> = new Set<RunnerName>([
  ...(['ava', 'jest', 'mocha', 'node', 'tape', 'uvu', 'vitest'] as const),
]);
/** Matches the option with which Node's runner runs all test files in one process. */
const SINGLE_PROCESS_PATTERN = /\s--(?:experimental-)?test-isolation[=\s]none(?=\s|$)/;
/** Maximum number of runs. If a mutant ends the process, the remaining mutants are tried in a new process. */
const MAX_RUNS = 4;
/**
 * Extra time for starting, loading, and running the tests twice without a mutant, as a multiple of the time that the
 * tests take.
 */
const GRACE_FACTOR = 3;
/** Further extra time, in milliseconds. */
const GRACE_MS = 20_000;

/** True for runners whose process can run the tests again for each mutant. */
export function runsInProcess(runner: string | null): boolean {
  return runner !== null && SUPPORTED_RUNNERS.has(runner);
}

/**
 * Tries the mutants, and returns their statuses. Returns none if the runner is not supported, or if no mutant has a
 * switch.
 */
export async function tryInProcess(
  run: MutantRun,
  { mutants, schemata }: MutantPlan,
  textOf: TextOf,
  {
    command,
    commands,
    runner,
    millis,
    baseMillis,
    preload,
    chosenMutants = mutants,
  }: {
    readonly command: DetectedCommand;
    readonly commands: TestCommands;
    readonly runner: RunnerName | undefined;
    /** URL of the module that is loaded into the runner; null if there is none. */
    readonly preload: string | null;
    /** Milliseconds for all mutants. */
    readonly millis: number;
    /** Milliseconds that the tests take without a mutant. */
    readonly baseMillis: number;
    /** The mutants to try, in this order; all if absent. */
    readonly chosenMutants?: readonly Mutant[];
  },
  signal: AbortSignal,
): Promise<InProcessResult> {
  if (runner === 'pytest') {
    const python = run.context.proof?.python ?? null;
    return tryInPytest(run, mutants, textOf, { command, commands, millis, baseMillis, python, chosenMutants }, signal);
  }
  if (runner === 'go') {
    const harness = run.context.proof?.harness ?? null;
    return tryInGoTest(run, mutants, textOf, { command, commands, millis, baseMillis, harness, chosenMutants }, signal);
  }
  if (preload === null || !runner || !SUPPORTED_RUNNERS.has(runner) || schemata.files.length === 0)
    return { statuses: new Map(), runs: 0 };
  const { worktree, context } = run;
  const until = context.clock.now() + millis;
  const statuses = new Map<Mutant, InProcessStatus>();
  const timesSpoiled = new Map<number, number>();
  const indexByMutant = new Map(mutants.map((mutant, index) => [mutant, index]));
  let remainingMutants = chosenMutants
    .map((mutant) => indexByMutant.get(mutant)!)
    .filter((index) => schemata.switched[index]);
  let runs = 0;
  try {
    while (remainingMutants.length > 0 && runs < MAX_RUNS && context.clock.now() < until) {
      const request: InTestsOrder = { mutants: remainingMutants, until, results: `${worktree.dir}/${RESULTS_PATH}` };
      // The files of the change are restored after each run, so the switched files are written again.
      await worktree.write([
        ...schemata.files.map(({ path, text }) => ({ path, before: null, after: text })),
        { path: REQUEST_PATH, before: null, after: JSON.stringify(request) },
        { path: RESULTS_PATH, before: null, after: '' },
      ]);
      runs += 1;
      const timeoutMs = Math.max(0, until - context.clock.now()) + GRACE_FACTOR * baseMillis + GRACE_MS;
      const env = addPreload(disableTypeCheck(command.env), preload, `${worktree.dir}/${REQUEST_PATH}`);
      const words = runner === 'node' ? isolateTestFiles(command) : command.command;
      const commandInProcess = { ...command, command: words, env, timeoutMs };
      const testRun = await run.rerun('mutant', commandInProcess, commands.parse, signal).catch((error: unknown) => {
        if (run.stop?.aborted) return null;
        throw error;
      });
      const bytes = await worktree.read(RESULTS_PATH);
      const lines = bytes ? parseResultLines(new TextDecoder().decode(bytes)) : [];
      const files = testRun?.value?.cases?.flatMap(({ file }) => (file === null ? [] : [file])) ?? [];
      const hasExited = testRun?.answer.outcome === 'exited' && testRun.answer.exceeded === null;
      const readResult = readMutantStatuses(lines, files, hasExited);
      const retriedMutants: number[] = [];
      for (const index of remainingMutants) {
        const status = readResult.statusOf(index);
        if (status === 'spoiled') timesSpoiled.set(index, (timesSpoiled.get(index) ?? 0) + 1);
        if (status === 'pending' || (status === 'spoiled' && timesSpoiled.get(index) === 1)) retriedMutants.push(index);
        else if (status !== 'own' && status !== 'spoiled') statuses.set(mutants[index]!, status);
      }
      if (
        testRun === null ||
        readResult.complete ||
        (retriedMutants.length === remainingMutants.length && timesSpoiled.size === 0)
      )
        break;
      remainingMutants = retriedMutants;
    }
  } finally {
    await worktree.write([
      ...schemata.files.map(({ path }) => ({ path, before: null, after: textOf(path) })),
      { path: REQUEST_PATH, before: null, after: null },
      { path: RESULTS_PATH, before: null, after: null },
    ]);
  }
  return { statuses, runs };
}

/** The words of a command of Node's runner, which then starts a process for each test file, as it does by default. */
function isolateTestFiles({ command, shell }: DetectedCommand): readonly string[] {
  return shell
    ? command.map((line) => line.replace(SINGLE_PROCESS_PATTERN, ''))
    : command.filter((word) => !SINGLE_PROCESS_PATTERN.test(` ${word}`));
}

/** The environment that loads this module into every Node process of the command. */
export function addPreload(
  env: DetectedCommand['env'],
  preload: string,
  requestPath: string,
): NonNullable<DetectedCommand['env']> {
  const options = [env?.['NODE_OPTIONS'], `--import=${preload}`].filter(Boolean).join(' ');
  return { ...env, NODE_OPTIONS: options, [ORDER_VARIABLE]: requestPath };
}

/** Parses the lines of a results file. Skips incomplete ones, which processes leave that are killed while writing. */
export function parseResultLines(text: string): readonly InTestsLine[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as InTestsLine];
    } catch {
      return [];
    }
  });
}

/**
 * Reads the status of each mutant from the lines. `own`: the mutant needs a separate run. `pending`: it was not tried,
 * or not with all tests. `spoiled`: tests kept failing without it, so it is tried again in a new process. `files`: the
 * test files that the runner reports; which mutants they reach is known only when all of them have reported.
 * `hasExited`: false if the run was stopped, so that further test files may not have started.
 */
export function readMutantStatuses(
  lines: readonly InTestsLine[],
  files: readonly string[],
  hasExited = true,
): {
  readonly complete: boolean;
  statusOf(mutant: number): InProcessStatus | 'own' | 'pending' | 'spoiled';
} {
  const { ended, reachedBy, survivedIn, reports } = sortLines(lines);
  const hasEnded = (file: string) =>
    ended.has('') || [...ended].some((endedFile) => endedFile === file || endedFile.endsWith(`/${file}`));
  const begunFiles = lines.flatMap((line) => findFile(line) ?? []);
  const complete = hasExited && ended.size > 0 && begunFiles.every((file) => ended.has(file)) && files.every(hasEnded);
  return {
    complete,
    statusOf(mutant) {
      const reported = reports.get(mutant);
      const finalReport = (['noticed', 'hung', 'crashed', 'spoiled'] as const).find((word) => reported?.has(word));
      if (finalReport) return FINAL_STATUSES[finalReport];
      if (!complete) return 'pending';
      if (reported?.has('unsure')) return 'own';
      const reached = reachedBy.get(mutant) ?? [];
      if (reached.length === 0) return 'unreached';
      const survived = new Set(survivedIn.get(mutant));
      return reached.every((file) => survived.has(file)) ? 'survived' : 'pending';
    },
  };
}

/** The test file that has started according to the line; null if the line shows none. */
function findFile(line: InTestsLine): string | null {
  if ('started' in line) return line.started;
  return 'file' in line ? line.file : null;
}

/** Reports that are final, regardless of the reports of other tests. */
const FINAL_STATUSES = { noticed: 'noticed', hung: 'stopped', crashed: 'own', spoiled: 'spoiled' } as const;

interface SortedLines {
  /** The test files that have ended; empty for all files together. */
  readonly ended: ReadonlySet<string>;
  /** The test files that reach each mutant, by the index of the mutant. */
  readonly reachedBy: ReadonlyMap<number, readonly string[]>;
  /** The test files that pass with each mutant, by the index of the mutant. */
  readonly survivedIn: ReadonlyMap<number, readonly string[]>;
  /** The reports about each mutant, by its index. */
  readonly reports: ReadonlyMap<number, ReadonlySet<string>>;
}

function sortLines(lines: readonly InTestsLine[]): SortedLines {
  const endedFiles = new Set<string>();
  const reachedBy = new Map<number, string[]>();
  const survivedIn = new Map<number, string[]>();
  const reports = new Map<number, Set<string>>();
  const startTimes = new Map<string, number>();
  const report = (mutant: number, message: string) =>
    reports.set(mutant, (reports.get(mutant) ?? new Set()).add(message));
  for (const line of lines) {
    if ('begun' in line) startTimes.set(line.file, line.begun);
    else if ('file' in line) startTimes.delete(line.file);
    if ('reached' in line) line.reached.forEach((mutant) => addToList(reachedBy, mutant, line.file));
    if ('fate' in line && line.fate === 'survived') addToList(survivedIn, line.mutant, line.file);
    else if ('fate' in line) report(line.mutant, line.fate);
    if ('spoiled' in line) report(line.spoiled, 'spoiled');
    if ('hung' in line) report(line.hung, 'hung');
    if ('outside' in line) report(line.outside, 'unsure');
    if ('ended' in line) endedFiles.add(line.ended);
  }
  // If one process hung, another process may have been ended with it, so that is not a crash.
  if (!lines.some((line) => 'hung' in line)) startTimes.forEach((mutant) => report(mutant, 'crashed'));
  return { ended: endedFiles, reachedBy, survivedIn, reports };
}

function addToList<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}
