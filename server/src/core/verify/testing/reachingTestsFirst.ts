// Runs the tests that can reach the change before all others, because only they can fail because of it.

import type { GateInput } from '../gate.ts';
import type { TestCase } from '../parse/testCounts.ts';
import { compareTests, type TestRegressions, type TestCommands, type TestRun } from './testRun.ts';
import type { TestReachOfPlaces } from '../context.ts';

/**
 * The tests that reach the change run separately if they take at most this share of the whole suite. If they fail, the
 * whole suite need not run. If they pass, their run costs this share.
 */
export const MAX_SHARE = 0.25;

/** The tests that reach a change, and the results of their separate run. */
export interface ReachingTestsRun {
  /** Number of test files that reach the change by their imports; null if unknown. */
  readonly files: number | null;
  /** The separate run of these tests; null if there was none. */
  readonly separateRun: TestRun | null;
  readonly suspects: TestRegressions | null;
  /** The touched places; null if unknown. */
  readonly places: TestReachOfPlaces | null;
}

/** The number of test files of a run that reach the change, and the touched places; null if unknown. */
export async function findReach(
  run: GateInput,
  cases: readonly TestCase[] | null,
): Promise<Pick<ReachingTestsRun, 'files' | 'places'>> {
  const places = await run.context.placesReached(run.edits);
  const reachingPaths = await run.context.reachingTests(run.edits.map(({ path }) => path));
  const ranFiles = namesTestFiles(cases) ? new Set(cases.map(({ file }) => file)) : null;
  const files = reachingPaths?.filter((path) => ranFiles?.has(path) ?? true) ?? null;
  reportReach(run, files);
  return { files: files?.length ?? null, places };
}

/**
 * Runs the tests that reach the change. `base`: the whole suite without the change, which shows the files that the
 * runner treats as tests, and the duration of each.
 */
export async function runReachingTests(
  run: GateInput,
  commands: TestCommands,
  base: Pick<TestRun, 'value'> & { readonly answer: Pick<TestRun['answer'], 'millis'> },
  signal: AbortSignal,
): Promise<ReachingTestsRun> {
  const places = await run.context.placesReached(run.edits);
  const reachingPaths = await run.context.reachingTests(run.edits.map(({ path }) => path));
  const baseCounts = base.value;
  if (!reachingPaths || !namesTestFiles(baseCounts?.cases ?? null)) {
    reportReach(run, reachingPaths);
    return { files: reachingPaths?.length ?? null, separateRun: null, suspects: null, places };
  }
  const reachingFiles = new Set(reachingPaths);
  const allCases = baseCounts?.cases ?? [];
  const cases = allCases.filter(({ file }) => file !== null && reachingFiles.has(file));
  const files = [...new Set(cases.map(({ file }) => file!))];
  const command =
    files.length === 0 || computeShare(cases, allCases, base.answer.millis) > MAX_SHARE
      ? null
      : commands.onFiles(files);
  if (!command) {
    reportReach(run, files);
    return { files: files.length, separateRun: null, suspects: null, places };
  }
  const separateRun = await run.rerun('candidate', command, commands.parse, signal);
  reportReach(run, files, separateRun);
  const regressions = separateRun.value && compareTests({ ...baseCounts!, cases }, separateRun.value);
  // If no test of a file ran, the runner did not recognise the file. Then the whole suite decides.
  const ranFiles = new Set(separateRun.value?.cases?.map(({ file }) => file));
  return {
    files: files.length,
    separateRun: separateRun,
    places,
    suspects: regressions && {
      failing: regressions.failing,
      missing: regressions.missing.filter(({ file }) => ranFiles.has(file)),
    },
  };
}

/**
 * True if a run names files of tests. If it does not, like the output of AVA, it does not show which files did not run.
 */
function namesTestFiles(cases: readonly TestCase[] | null): cases is readonly TestCase[] {
  return cases !== null && cases.some(({ file }) => file !== null);
}

/** Reports the test files that reach the change, with the results of their separate run if there was one. */
function reportReach({ context }: GateInput, files: readonly string[] | null, separateRun?: TestRun): void {
  const passedIn = (path: string): number | null => {
    const { cases, passed } = separateRun?.value ?? { cases: null, passed: null };
    if (!cases) return passed === 0 ? 0 : null;
    return cases.filter(({ file, outcome }) => file === path && outcome === 'passed').length;
  };
  context.onReach?.(files?.map((path) => ({ path, passed: passedIn(path) })) ?? null);
}

/**
 * The share of the part in the whole: by time if the runner reports it, otherwise by number. A run also takes time
 * outside of its tests (starting, building, checking types), and a partial run takes this time again. If that is most
 * of the time, nothing is saved.
 */
function computeShare(part: readonly TestCase[], allTests: readonly TestCase[], wholeMillis: number): number {
  const sumMillis = (cases: readonly TestCase[]) => cases.reduce((sum, { millis }) => sum + (millis ?? 0), 0);
  if (sumMillis(allTests) === 0) return part.length / Math.max(1, allTests.length);
  // Tests of several files run in parallel, so their total may exceed the time of the run.
  const millisOutsideTests = Math.max(0, wholeMillis - sumMillis(allTests));
  return (millisOutsideTests + sumMillis(part)) / (millisOutsideTests + sumMillis(allTests));
}
