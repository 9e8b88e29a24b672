// Runs generated calls of Go functions with the unchanged code and with each mutant, and reports which deterministic
// calls detect which mutant.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GoCallsOrder, GoCallsReport } from '../../../core/verify/guard/go/calls/goCallsOrder.ts';
import {
  CALLS_FILE,
  CALLS_TEST,
  CALLS_TIMES,
  CALLS_WANTED,
  type CallLine,
  type CallsProgram,
} from '../../../core/verify/guard/go/calls/program.ts';
import type { GoMutationRequest } from '../../../core/verify/guard/go/goMutationOrder.ts';
import { ACTIVE_MUTANT_VARIABLE } from './mutantFiles.ts';
import { listPackages, type RunGo } from './packages.ts';
import { buildOverlay } from './programs.ts';
import { runProgram } from './run.ts';

/** Name of the file with the calls in the package. */
const TEST_FILE_NAME = 'selfware_calls_test.go';
/** Maximum number of builds. Calls that do not compile are removed for the next build. */
const MAX_BUILDS = 5;
/** Maximum number of starts of the program for one list of calls. It is started again after a call that ended it. */
const MAX_STARTS = 6;
/** Milliseconds for all calls with one mutant. */
const MUTANT_MS = 10_000;
/**
 * `REPETITIONS`: the number of repetitions of a call with the unchanged code; 40 expose a random order of iteration.
 * `REPETITIONS_WITH_MUTANT`: the number of repetitions with a mutant.
 */
const [REPETITIONS, REPETITIONS_WITH_MUTANT] = ['40', '4'] as const;
/** Matches an error of the compiler in the file with the calls, with the line as its first group. */
const CALL_ERROR_PATTERN = new RegExp(`${TEST_FILE_NAME.replace('.', '\\.')}:(\\d+)(?::\\d+)?: `, 'g');
/**
 * A different time zone, locale, number of threads and frequency of garbage collection, to expose calls that depend on
 * them.
 */
const OTHER_ENVIRONMENT = { TZ: 'Pacific/Kiritimati', LC_ALL: 'C', LANG: 'C', GOMAXPROCS: '1', GOGC: '20' };

/**
 * Runs the requested calls. Reports the deterministic results, and the mutants that change them. `obstacle`: the reason
 * why nothing could be run, as a sentence.
 */
export async function makeCalls(request: GoCallsOrder): Promise<GoCallsReport> {
  const temporary = mkdtempSync(join(tmpdir(), 'selfware-go-'));
  try {
    return await runAllCalls(request, temporary);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function runAllCalls(request: GoCallsOrder, temporary: string): Promise<GoCallsReport> {
  const endAt = Date.now() + request.budgetMs;
  const remainingMs = () => endAt - Date.now();
  const createEmptyReport = (obstacle: string | null): GoCallsReport => ({
    obstacle,
    deterministic: [],
    detections: [],
    isOutOfTime: remainingMs() <= 0,
  });
  const cwd = join(request.root, request.folder);
  const env = { ...process.env, ...request.env };
  const go: RunGo = (args) => runProgram(['go', ...args], { cwd, env, millis: remainingMs() });
  const mutationRequest: GoMutationRequest = {
    ...{ go: true, root: request.root, build: request.build, files: request.files, mutants: request.mutants },
    ...{ buildMillis: request.budgetMs, millis: request.budgetMs, results: '', packages: ['.'], test: [], args: [] },
  };
  const packages = await listPackages(mutationRequest, go);
  const overlay = packages && (await buildOverlay(mutationRequest, packages, temporary, go));
  if (!overlay) return createEmptyReport('The package cannot be built with mistakes in it.');
  if (overlay.path === '') return createEmptyReport(null);
  const program = await buildCalls(request, overlay.path, temporary, go);
  if (program === null) return createEmptyReport('The calls cannot be built.');
  const call = (numbers: readonly number[], extraEnv: Readonly<Record<string, string>>, millis: number) =>
    runCalls({ program, cwd, env: { ...env, ...extraEnv }, temporary }, numbers, Math.min(millis, remainingMs()));
  const callIndexes = request.program.calls.map((_, index) => index);
  const firstRun = await call(callIndexes, { [CALLS_TIMES]: REPETITIONS }, remainingMs());
  const completedCalls = firstRun.filter(hasResults).map((line) => line.call);
  const reversedRun = indexLinesByCall(await call(completedCalls.toReversed(), OTHER_ENVIRONMENT, remainingMs()));
  const repeatedRun = indexLinesByCall(await call([...completedCalls, ...completedCalls], {}, remainingMs()));
  const isDeterministic = (line: CallLine) =>
    formatFingerprint(reversedRun.get(line.call)) === formatFingerprint(line) &&
    formatFingerprint(repeatedRun.get(line.call)) === formatFingerprint(line);
  const deterministic = firstRun.filter((line) => hasResults(line) && isDeterministic(line));
  const detections: { readonly mutant: number; readonly line: CallLine }[] = [];
  const callNumbers = deterministic.map((line) => line.call);
  for (const { number } of callNumbers.length === 0 ? [] : overlay.mutants) {
    if (remainingMs() <= 0) break;
    const lines = indexLinesByCall(
      await call(
        callNumbers,
        { [ACTIVE_MUTANT_VARIABLE]: String(number + 1), [CALLS_TIMES]: REPETITIONS_WITH_MUTANT },
        MUTANT_MS,
      ),
    );
    for (const line of deterministic) {
      const mutantLine = lines.get(line.call);
      if (
        mutantLine &&
        !('late' in mutantLine) &&
        !('unsteady' in mutantLine) &&
        formatFingerprint(mutantLine) !== formatFingerprint(line)
      )
        detections.push({ mutant: number, line: mutantLine });
    }
  }
  return { obstacle: null, deterministic, detections: detections, isOutOfTime: remainingMs() <= 0 };
}

function hasResults(line: CallLine): boolean {
  return 'results' in line;
}

/**
 * A text of the part of a call's result that a test can check. Messages of errors and values that cannot be written are
 * omitted.
 */
function formatFingerprint(line: CallLine | undefined): string {
  if (!line || !('results' in line)) return JSON.stringify(line && 'unmade' in line ? 'unmade' : 'panics');
  return JSON.stringify(line.results.map(({ is, text }) => (is === 'error' || is === 'other' ? [is] : [is, text])));
}

function indexLinesByCall(lines: readonly CallLine[]): ReadonlyMap<number, CallLine> {
  const linesByCall = new Map<number, CallLine>();
  for (const line of lines) {
    const earlier = linesByCall.get(line.call);
    // If a repeated call gives a different result, the second result is kept: it shows that the first call changed
    // state.
    if (!earlier || formatFingerprint(earlier) !== formatFingerprint(line)) linesByCall.set(line.call, line);
  }
  return linesByCall;
}

/**
 * Builds the test program with the calls, and returns its path. Calls that do not compile are replaced by calls without
 * a result. Null if the program cannot be built after `MAX_BUILDS` builds, or if an error is not in a call.
 */
async function buildCalls(
  request: GoCallsOrder,
  overlay: string,
  temporary: string,
  go: RunGo,
): Promise<string | null> {
  const folder = join(request.root, request.folder);
  const { Replace } = JSON.parse(readFileSync(overlay, 'utf8')) as { readonly Replace: Record<string, string> };
  const sourceFile = join(temporary, 'calls.go');
  const replacedFiles: Record<string, string> = { ...Replace, [join(folder, TEST_FILE_NAME)]: sourceFile };
  // An empty path leaves the file out.
  for (const path of request.tests) replacedFiles[join(request.root, path)] = '';
  const overlayFile = join(temporary, 'calls.json');
  writeFileSync(overlayFile, JSON.stringify({ Replace: replacedFiles }));
  const program = join(temporary, `calls${process.platform === 'win32' ? '.exe' : ''}`);
  const callSources = [...request.program.calls];
  for (let build = 0; build < MAX_BUILDS; build += 1) {
    const { text, firstLine } = formatProgram({ ...request.program, calls: callSources });
    writeFileSync(sourceFile, text);
    const { code, output } = await go([
      ...['test', '-c', '-vet=off', '-gcflags=-e', ...request.build, `-overlay=${overlayFile}`, '-o', program, '.'],
    ]);
    if (code === 0) return program;
    const failingIndexes = new Set(
      [...output.matchAll(CALL_ERROR_PATTERN)].map(([, line]) => Number(line) - firstLine),
    );
    if (![...failingIndexes].some((callIndex) => callIndex >= 0 && callIndex < callSources.length)) return null;
    for (const callIndex of failingIndexes)
      if (callIndex >= 0 && callIndex < callSources.length)
        callSources[callIndex] = 'func() []interface{} { return nil },';
  }
  return null;
}

function formatProgram({ head, calls, tail }: CallsProgram): { readonly text: string; readonly firstLine: number } {
  return { text: `${head}${calls.join('\n')}${tail}`, firstLine: head.split('\n').length };
}

/** A test program with calls, and the folder and environment in which it runs. */
interface CallsTestProgram {
  readonly program: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly temporary: string;
}

/**
 * Runs the calls with these numbers, and returns a line for each that gave a result or ran out of time. If a call ends
 * the program, the program is started again with the calls after it, at most `MAX_STARTS` times.
 */
async function runCalls(
  { program, cwd, env, temporary }: CallsTestProgram,
  numbers: readonly number[],
  millis: number,
): Promise<readonly CallLine[]> {
  const endAt = Date.now() + millis;
  const file = join(temporary, 'calls.txt');
  const lines: CallLine[] = [];
  let remainingNumbers = numbers;
  for (let start = 0; start < MAX_STARTS && remainingNumbers.length > 0 && Date.now() < endAt; start += 1) {
    writeFileSync(file, '');
    await runProgram([program, `-test.run=^${CALLS_TEST}$`], {
      cwd,
      env: { ...env, [CALLS_FILE]: file, [CALLS_WANTED]: remainingNumbers.join(','), PWD: cwd },
      millis: endAt - Date.now(),
    });
    const newLines = parseLines(readFileSync(file, 'utf8'));
    lines.push(...newLines);
    const endedOnTimeout = newLines.some((line) => 'late' in line);
    remainingNumbers = remainingNumbers.slice(newLines.length + (endedOnTimeout ? 0 : 1));
  }
  return lines;
}

/** The complete lines of the file, parsed. The last one may have been cut off. */
function parseLines(text: string): readonly CallLine[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as CallLine);
}
