// Tries one mutant after the other in the process that has loaded the tests, each with the tests that reach it.

import { readFileSync } from 'node:fs';
import type { InTestsLine } from '../../../core/verify/guard/inTests.ts';
import type { Switch } from './switch.ts';

/** Tests that were loaded together. */
export interface LoadedTests {
  /** A test file, or '' for all of them. */
  readonly file: string;
  /**
   * Runs only these tests, or all of them if `onlyTests` is null. `stopsAtFailure`: true if the run ends at the first failure.
   */
  run(onlyTests: ReadonlySet<string> | null, stopsAtFailure: boolean): Promise<TestResults>;
}

/** The results of a run of tests. */
export interface TestResults {
  /** The runner's ids of the tests that ran to their end. */
  readonly ran: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
  /** Tests for which it is unknown whether they pass with the library itself. */
  readonly unclear?: ReadonlySet<string>;
  /** True if something other than a test failed: a hook, or loading. */
  readonly broken: boolean;
  /** Duration in milliseconds. */
  readonly millis: number;
}

/** The time limit of a run with a mutant is this many times the duration of all tests without one, plus `EXTRA_MS`. */
const TIME_FACTOR = 1.5;
/** Milliseconds of the time limit in addition to the multiple of the duration. */
const EXTRA_MS = 5_000;
/** Node's own function, because tests may replace the global one. */
const { setTimeout: setRealTimeout } = globalThis;

/**
 * Reports the status of each mutant that was reached, until the time of the order is over. If the order asks for
 * recorded calls, reports these instead. `first`: the result of a run without a mutant, during which the switch
 * recorded which test reaches which mutant. If a test fails even after its mutant is off, the file is reported as
 * spoiled, and other processes judge the remaining mutants.
 */
export async function judgeMutants(first: TestResults, loaded: LoadedTests, mutants: Switch): Promise<void> {
  const { order, reached, report, recorder } = mutants;
  const { file } = loaded;
  if (recorder) {
    mutants.setPlace(null);
    return recorder.drain(file, first).forEach(report);
  }
  const reachedMutants = order.mutants.filter((mutant) => reached.has(mutant));
  const unsteadyTests = new Set<string>();
  mutants.setPlace(null);
  // A second run is quicker, because everything is loaded. If even half of the first takes too long, no mutant follows.
  const hasTime = Date.now() + first.millis / 2 < order.until;
  if (reachedMutants.length > 0 && hasTime) {
    // A test that fails in a second run without a mutant depends on a state that the first run has left behind.
    const secondRun = await loaded.run(null, false);
    first.ran.forEach((test) => (secondRun.ran.has(test) && !secondRun.failed.has(test)) || unsteadyTests.add(test));
    // A test that failed in the first run cannot notice a mutant in any process.
    first.failed.forEach((test) => unsteadyTests.delete(test));
    for (const { unclear } of [first, secondRun]) unclear?.forEach((test) => unsteadyTests.add(test));
  }
  report({ file, reached: reachedMutants, tests: first.ran.size, unsteady: [...unsteadyTests] });
  const passedTests = [...first.ran].filter((test) => !first.failed.has(test));
  const steadyTests = passedTests.filter((test) => !unsteadyTests.has(test));
  const limitMs = first.millis * TIME_FACTOR + EXTRA_MS;
  const pendingMutants = new Set(reachedMutants);
  while (hasTime && pendingMutants.size > 0 && Date.now() < order.until) {
    const mutant = findNextMutant(pendingMutants, readLines(order.results));
    if (mutant === null) break;
    pendingMutants.delete(mutant);
    const { tests, isReachedOutside, isReachedByLoading } = reached.get(mutant)!;
    const filterReaching = (names: readonly string[]) =>
      isReachedOutside ? names : names.filter((test) => tests.has(test));
    const reachingTests = filterReaching(steadyTests);
    if (reachingTests.length === 0) {
      // True if only tests that fail anyway reach the mutant.
      const isFailedOnly = filterReaching(passedTests).length === 0 && filterReaching([...first.failed]).length > 0;
      report({ fate: isFailedOnly && !isReachedByLoading ? 'survived' : 'unsure', mutant, file, tests: 0 });
      continue;
    }
    const onlyTests = new Set(reachingTests);
    report({ begun: mutant, file });
    const { value, isReached } = await mutants.runWith(mutant, limitMs, () =>
      runAndWatchForStray(() => loaded.run(onlyTests, true)),
    );
    const { results, stray: hasStrayError } = value;
    const noticingTest = [...results.failed].find((test) => onlyTests.has(test) && !results.unclear?.has(test));
    if (noticingTest === undefined && !results.broken) {
      const omitsUnsteadyTests = reachingTests.length < filterReaching(passedTests).length;
      const hasResult = (test: string) => results.ran.has(test) && !results.unclear?.has(test);
      const isSure =
        reachingTests.every(hasResult) && isReached && !omitsUnsteadyTests && !isReachedByLoading && !hasStrayError;
      report({ fate: isSure ? 'survived' : 'unsure', mutant, file, tests: results.ran.size });
      continue;
    }
    const confirmation = await loaded.run(new Set([noticingTest ?? reachingTests[0]!]), true);
    if (confirmation.failed.size > 0 || confirmation.broken || confirmation.ran.size === 0)
      return report({ spoiled: mutant, file });
    // If the code with the mutant did not run, the test failed for another reason.
    if (isReached)
      report({ fate: 'noticed', mutant, file, by: noticingTest ?? 'loading or a hook', tests: results.ran.size });
    else report({ fate: 'unsure', mutant, file, tests: results.ran.size });
  }
  report({ ended: file });
}

/**
 * The next mutant of `pendingMutants`; null if none is left. A mutant that another process is trying right now comes last.
 * Removes the mutants that a test in another process has noticed from `pendingMutants`.
 */
function findNextMutant(pendingMutants: Set<number>, lines: readonly InTestsLine[]): number | null {
  const mutantsInWork = new Set<number>();
  for (const line of lines) {
    if ('begun' in line) mutantsInWork.add(line.begun);
    if (!('fate' in line)) continue;
    mutantsInWork.delete(line.mutant);
    if (line.fate === 'noticed') pendingMutants.delete(line.mutant);
  }
  for (const mutant of pendingMutants) if (!mutantsInWork.has(mutant)) return mutant;
  return pendingMutants.values().next().value ?? null;
}

function readLines(path: string): readonly InTestsLine[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as InTestsLine);
}

/**
 * Runs `work`. `stray`: true if an error meanwhile was handled by nobody. Some runners treat such an error as a failure
 * of the whole run.
 */
async function runAndWatchForStray(
  work: () => Promise<TestResults>,
): Promise<{ readonly results: TestResults; readonly stray: boolean }> {
  let hasStrayError = false;
  const noteStrayError = () => void (hasStrayError = true);
  process.on('unhandledRejection', noteStrayError).on('uncaughtExceptionMonitor', noteStrayError);
  try {
    const results = await work();
    // An error of a promise is reported only after this turn.
    await new Promise((resolve) => setRealTimeout(resolve, 0));
    return { results, stray: hasStrayError };
  } finally {
    process.off('unhandledRejection', noteStrayError).off('uncaughtExceptionMonitor', noteStrayError);
  }
}
