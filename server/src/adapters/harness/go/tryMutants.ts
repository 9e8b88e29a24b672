// Tries mutants of Go: builds the test programs with all mutants compiled in, records which mutants the tests reach,
// and runs these tests once for each mutant.

import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GoLine, GoMutationRequest, GoRequestMutant } from '../../../core/verify/guard/go/goMutationOrder.ts';
import { ACTIVE_MUTANT_VARIABLE, MISSING_RETURN, REACHED_FILE_VARIABLE } from './mutantFiles.ts';
import { listPackages, type RunGo } from './packages.ts';
import { buildTests, buildOverlay, type TestProgram } from './programs.ts';
import { runProgram, type RunOutcome } from './run.ts';

/** The time limit of a test program with a mutant is this many times the duration without one, plus `EXTRA_MS`. */
const TIME_FACTOR = 3;
/** Milliseconds of the time limit in addition to the multiple of the duration. */
const EXTRA_MS = 5_000;
/** Matches the line of a failed test, with its name as the first group. */
const FAILED_PATTERN = /^--- FAIL: (\S+)/gm;
/** Matches the line of a passed test, with its name as the first group. */
const PASSED_PATTERN = /^--- PASS: (\S+) \(/gm;
/**
 * If all tests together take fewer milliseconds, all of them are run for each mutant, and the mutants that each test
 * reaches are not determined.
 */
const SHORT_RUN_MS = 1_000;
/**
 * Maximum number of tests that are run one at a time to find the mutants that each of them reaches. Running more would
 * take too long.
 */
const MAX_SINGLE_RUNS = 300;

/** A run of a test program without a mutant, with which the runs with mutants are compared. */
interface ControlRun extends TestProgram {
  /** Numbers of the mutants that the tests reach. */
  readonly reachedMutants: ReadonlySet<number>;
  /** Names of the failed tests. */
  readonly failedTests: ReadonlySet<string>;
  /** The duration in milliseconds. */
  readonly millis: number;
  /**
   * Numbers of the mutants that each test reaches when only that test runs, by the name of the test. Empty if the tests
   * were not run one at a time.
   */
  readonly reachedByTest: ReadonlyMap<string, ReadonlySet<number>>;
}

/** The status of a mutant. */
type Status = Pick<GoLine, 'fate' | 'by'>;

/**
 * Carries out an order in the current folder, which is the folder of the test command. Appends the status of each
 * mutant to the file `order.results` as soon as it is known.
 */
export async function tryMutants(request: GoMutationRequest): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'selfware-go-'));
  const reportStatus = ({ number }: GoRequestMutant, { fate, by }: Status) =>
    appendFileSync(
      join(request.root, request.results),
      `${JSON.stringify({ mutant: number, fate, ...(by === undefined ? {} : { by }) } satisfies GoLine)}\n`,
    );
  try {
    await tryAll(request, folder, reportStatus);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryAll(
  request: GoMutationRequest,
  folder: string,
  reportStatus: (mutant: GoRequestMutant, fate: Status) => void,
): Promise<void> {
  let endAt = Date.now() + request.buildMillis;
  const remainingMs = () => endAt - Date.now();
  const cwd = process.cwd();
  const go: RunGo = (args) => runProgram(['go', ...args], { cwd, env: process.env, millis: remainingMs() });
  const packages = await listPackages(request, go);
  if (!packages) return;
  const isBuilt = (mutant: GoRequestMutant) => packages.sources.get(mutant.path) !== null;
  // No test runs a file that is not part of the build.
  for (const mutant of request.mutants) if (!isBuilt(mutant)) reportStatus(mutant, { fate: 'unreached' });
  const overlay = await buildOverlay(request, packages, folder, go);
  if (!overlay) return;
  for (const [mutant, reason] of overlay.refusalReasons) reportStatus(mutant, { fate: 'invalid', by: reason });
  const controls: ControlRun[] = [];
  /**
   * Mutants in test programs that cannot be built or do not run to their end. Their tests might have noticed the
   * mutants.
   */
  const mutantsOfFailedPrograms: GoRequestMutant[] = [];
  const importPaths = new Set(overlay.mutants.map(({ path }) => packages.sources.get(path)!.importPath));
  const tests = packages.tests.filter(({ containedPaths }) =>
    [...importPaths].some((importPath) => containedPaths.has(importPath)),
  );
  for (const [index, test] of sortByNearness(tests, importPaths).entries()) {
    const program = await buildTests(test, overlay, packages, { order: request, folder, go }, index);
    const control =
      program && (await runControl(program, request, overlay.path, join(folder, `reached-${index}`), remainingMs()));
    if (control) controls.push(control);
    else
      mutantsOfFailedPrograms.push(
        ...overlay.mutants.filter(({ path }) => test.containedPaths.has(packages.sources.get(path)!.importPath)),
      );
  }
  endAt = Date.now() + request.millis;
  for (const mutant of overlay.mutants) {
    if (remainingMs() <= 0) return;
    const status = await determineStatus(mutant, controls, request, overlay.path, remainingMs);
    const isDetermined = status.fate !== 'survived' && status.fate !== 'unreached';
    reportStatus(mutant, isDetermined || !mutantsOfFailedPrograms.includes(mutant) ? status : { fate: 'own' });
  }
}

/** The tests, those in the packages of the mutants first, because they notice most mutants. */
function sortByNearness<T extends { readonly importPath: string }>(
  tests: readonly T[],
  importPaths: ReadonlySet<string>,
): T[] {
  return tests.toSorted((a, b) => Number(importPaths.has(b.importPath)) - Number(importPaths.has(a.importPath)));
}

/**
 * Runs the tests of a program without a mutant. Null if they take too long, or end in another way than by passing or
 * failing.
 */
async function runControl(
  program: TestProgram,
  request: GoMutationRequest,
  overlay: string,
  reachedFile: string,
  millis: number,
): Promise<ControlRun | null> {
  const outcome = await runTests(program, request, overlay, { [REACHED_FILE_VARIABLE]: reachedFile }, [], millis);
  const failed = parseFailedTests(outcome);
  if (outcome.hasTimedOut || (outcome.code !== 0 && (outcome.code !== 1 || failed.size === 0))) return null;
  const control = {
    ...program,
    reachedMutants: collectNumbers(reachedFile),
    failedTests: failed,
    millis: outcome.millis,
    reachedByTest: new Map(),
  };
  const names = [...outcome.output.matchAll(PASSED_PATTERN)].map(([, name = '']) => name);
  if (failed.size > 0 || outcome.millis < SHORT_RUN_MS || names.length > MAX_SINGLE_RUNS) return control;
  return {
    ...control,
    reachedByTest: await findReachByTest(control, names, request, overlay, reachedFile, Date.now() + millis / 4),
  };
}

/**
 * Runs the tests one at a time, and returns the mutants that each reaches. Empty if one fails, or if the time is over.
 */
async function findReachByTest(
  control: ControlRun,
  names: readonly string[],
  request: GoMutationRequest,
  overlay: string,
  reachedFile: string,
  until: number,
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const byTest = new Map<string, ReadonlySet<number>>();
  for (const [index, name] of names.entries()) {
    const file = `${reachedFile}-${index}`;
    const outcome = await runTests(
      control,
      request,
      overlay,
      { [REACHED_FILE_VARIABLE]: file },
      createRunFlag([name], request),
      until - Date.now(),
    );
    if (outcome.code !== 0) return new Map();
    byTest.set(name, collectNumbers(file));
  }
  return byTest;
}

/** The numbers in a file, one a line; none if the file does not exist. */
function collectNumbers(file: string): ReadonlySet<number> {
  return new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number) : []);
}

/**
 * The argument that selects these tests. Empty if there are no names, or if the command itself selects subtests. Then
 * all tests that the command selects run.
 */
function createRunFlag(names: readonly string[], { test }: GoMutationRequest): readonly string[] {
  const selectsSubtests = test.some((flag) => flag.startsWith('-test.run=') && flag.includes('/'));
  return names.length === 0 || selectsSubtests ? [] : [`-test.run=^(${names.join('|')})$`];
}

/**
 * Runs the tests that reach a mutant with that mutant, program by program, until one of them notices it. Returns the
 * status of the mutant.
 */
async function determineStatus(
  mutant: GoRequestMutant,
  controls: readonly ControlRun[],
  request: GoMutationRequest,
  overlay: string,
  remainingMs: () => number,
): Promise<Status> {
  const reachingControls = controls.filter(({ reachedMutants }) => reachedMutants.has(mutant.number));
  if (reachingControls.length === 0) return { fate: 'unreached' };
  for (const control of reachingControls) {
    // If tests fail without a mutant, the first failure shows nothing.
    const flags = control.failedTests.size === 0 ? ['-test.failfast'] : [];
    const names = [...control.reachedByTest].flatMap(([name, reachedMutants]) =>
      reachedMutants.has(mutant.number) ? [name] : [],
    );
    const limitMs = control.millis * TIME_FACTOR + EXTRA_MS;
    const env = { [ACTIVE_MUTANT_VARIABLE]: String(mutant.number + 1) };
    const outcome = await runTests(
      control,
      request,
      overlay,
      env,
      [...flags, ...createRunFlag(names, request)],
      limitMs,
    );
    if (outcome.output.includes(MISSING_RETURN)) return { fate: 'invalid', by: 'missing return' };
    if (outcome.hasTimedOut) return { fate: 'stopped' };
    const failedTest = [...parseFailedTests(outcome)].find((name) => !control.failedTests.has(name)) ?? null;
    if (failedTest === null && (outcome.code === 0 || (outcome.code === 1 && control.failedTests.size > 0))) continue;
    return (await isReproducible(control, { by: failedTest, env, remainingMs: remainingMs }, request, overlay))
      ? { fate: 'noticed', by: failedTest ?? `exit code ${outcome.code}` }
      : { fate: 'own' };
  }
  return { fate: 'survived' };
}

/**
 * True if the test `by`, run without other tests, passes without the mutant and fails again with it, so that the
 * failure depends neither on chance nor on other tests. `by` null: the program itself must fail. `remainingMs`: returns the
 * remaining milliseconds. False if no time remains to repeat the test.
 */
async function isReproducible(
  control: ControlRun,
  failure: {
    readonly by: string | null;
    readonly env: Readonly<Record<string, string>>;
    readonly remainingMs: () => number;
  },
  request: GoMutationRequest,
  overlay: string,
): Promise<boolean> {
  const { by, env, remainingMs } = failure;
  const selection = createRunFlag(by === null ? [] : [by], request);
  const repeat = (variables: Readonly<Record<string, string>>) =>
    runTests(
      control,
      request,
      overlay,
      variables,
      selection,
      Math.min(control.millis * TIME_FACTOR + EXTRA_MS, remainingMs()),
    );
  if (remainingMs() <= 0) return false;
  const runWithoutMutant = await repeat({});
  const hasFailed = (outcome: RunOutcome) =>
    by === null
      ? outcome.code !== 0 && (outcome.code !== 1 || control.failedTests.size === 0)
      : parseFailedTests(outcome).has(by);
  if (
    runWithoutMutant.hasTimedOut ||
    hasFailed(runWithoutMutant) ||
    (selection.length > 0 && runWithoutMutant.code !== 0) ||
    remainingMs() <= 0
  )
    return false;
  const outcomeWithMutant = await repeat(env);
  return !outcomeWithMutant.hasTimedOut && hasFailed(outcomeWithMutant);
}

/**
 * Runs a test program as `go test` does: in the folder of its package. `args`: arguments in addition to those of the
 * order.
 */
function runTests(
  { program, test }: TestProgram,
  { test: flags, args: programArgs }: GoMutationRequest,
  overlay: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  millis: number,
): Promise<RunOutcome> {
  // A test may itself build a program of the repository, which then also contains the mutants.
  const goFlags = [process.env['GOFLAGS'], `-overlay=${overlay}`].filter(Boolean).join(' ');
  return runProgram([program, '-test.v', '-test.paniconexit0', ...flags, ...args, ...programArgs], {
    cwd: test.dir,
    env: { ...process.env, ...env, PWD: test.dir, GOFLAGS: goFlags },
    millis,
  });
}

/** Names of the failed tests in the output. */
function parseFailedTests({ output }: RunOutcome): Set<string> {
  return new Set([...output.matchAll(FAILED_PATTERN)].map(([, name = '']) => name));
}
