// Repeats tests that fail with the change, with and without it. Only a test that always fails with the change, and
// never without it, counts against the change.

import type { GateInput } from '../gate.ts';
import type { TestCase } from '../parse/testCounts.ts';
import { countKeys, createTestKey, type TestRegressions, type TestCommands, type TestRun } from './testRun.ts';

/** The suspects, grouped by the results of the repetitions. */
export interface RepetitionResult {
  /** Tests that always failed with the change and never without it. */
  readonly failing: readonly TestCase[];
  /** Tests that did not pass in any run with the change, and always passed without it. */
  readonly missing: readonly TestCase[];
  /** Tests that also failed without the change, or are known to be flaky. They do not affect the verdict. */
  readonly flaky: readonly TestCase[];
  /** Tests that passed sometimes with the change, and always without it. The change may have made them flaky. */
  readonly unsure: readonly TestCase[];
  /** Number of repetitions that were needed. */
  readonly repetitions: number;
}

/** Number of runs on each side, if only the files of the suspects are run. */
const ROUNDS_PER_SIDE = 3;
/** Number of runs on each side, if only the whole suite can be run. */
const WHOLE_ROUNDS = 1;

/**
 * Repeats the suspects. Ends early if every test is decided, or if more time has passed than one command may take.
 * Stores the flaky tests, unless other candidates have used the machine at the same time.
 */
export async function repeatSuspects(
  run: GateInput,
  commands: TestCommands,
  { failing, missing, passedBefore }: TestRegressions,
  signal: AbortSignal,
): Promise<RepetitionResult> {
  const knownFlakyKeys = await run.context.flakyTests.known();
  const knownFlaky = [...failing, ...missing].filter((testCase) => knownFlakyKeys.has(createTestKey(testCase)));
  const suspects = [...failing, ...missing].filter((testCase) => !knownFlakyKeys.has(createTestKey(testCase)));
  if (suspects.length === 0) return { failing: [], missing: [], flaky: knownFlaky, unsure: [], repetitions: 0 };

  const files = suspects.map(({ file }) => file);
  const onSuspects = files.every((file) => file !== null) ? commands.onFiles([...new Set(files as string[])]) : null;
  const maxMillis = run.context.settings.timeoutSeconds * 1000;
  let millisSpent = 0;
  let repetitions = 0;
  const repeat = async (
    side: 'candidate' | 'base',
    isSettled: () => boolean,
    record: (passed: ReadonlySet<string>, contradicts: boolean, reported: ReadonlySet<string>) => void,
  ): Promise<void> => {
    for (
      let round = 0;
      round < (onSuspects ? ROUNDS_PER_SIDE : WHOLE_ROUNDS) && !isSettled() && millisSpent < maxMillis;
      round += 1
    ) {
      const repeated = await run.rerun(side, onSuspects ?? commands.allTests, commands.parse, signal);
      repetitions += 1;
      millisSpent += repeated.answer.millis;
      // A run without results is no evidence.
      if (repeated.value?.cases)
        record(
          selectPassedTests(repeated, passedBefore),
          contradictsExitCode(repeated),
          new Set(repeated.value.cases.map(createTestKey)),
        );
    }
  };

  const passedWithChange = new Set<string>();
  const passedAtOdds = new Set<string>();
  await repeat(
    'candidate',
    () => suspects.every((suspect) => passedWithChange.has(createTestKey(suspect))),
    (passed, contradicts) =>
      suspects.forEach(
        (suspect) =>
          passed.has(createTestKey(suspect)) &&
          (contradicts ? passedAtOdds : passedWithChange).add(createTestKey(suspect)),
      ),
  );
  const failedWithoutChange = new Set<string>();
  let hasOddBaseRun = false;
  await repeat(
    'base',
    () => suspects.every((suspect) => failedWithoutChange.has(createTestKey(suspect))),
    (passed, contradicts, reported) => {
      hasOddBaseRun ||= contradicts;
      for (const testCase of suspects) {
        // A test that the change adds does not exist without it, which is not a failure.
        const wasThere = reported.has(createTestKey(testCase)) || missing.includes(testCase);
        if (wasThere && !passed.has(createTestKey(testCase))) failedWithoutChange.add(createTestKey(testCase));
      }
    },
  );
  // A problem of such runs that occurs on both sides, such as a threshold, has no information about the change.
  if (hasOddBaseRun) passedAtOdds.forEach((key) => passedWithChange.add(key));

  const flaky = suspects.filter((suspect) => failedWithoutChange.has(createTestKey(suspect)));
  if (!run.context.isShared?.()) await run.context.flakyTests.add(flaky);
  const isSteady = (testCase: TestCase) =>
    !failedWithoutChange.has(createTestKey(testCase)) &&
    !passedWithChange.has(createTestKey(testCase)) &&
    !knownFlakyKeys.has(createTestKey(testCase));
  return {
    failing: failing.filter(isSteady),
    missing: missing.filter(isSteady),
    flaky: [...knownFlaky, ...flaky],
    unsure: suspects.filter(
      (suspect) => passedWithChange.has(createTestKey(suspect)) && !failedWithoutChange.has(createTestKey(suspect)),
    ),
    repetitions,
  };
}

/** True if the report has no failure, but the exit code shows one: the code under test may have written the report. */
function contradictsExitCode({ answer, value }: TestRun): boolean {
  return answer.exitCode !== 0 && value?.failed === 0;
}

/**
 * Keys under which tests passed in a run, and none failed. `needed`: for keys that several tests share, the number of
 * tests that must pass, because the result of one has no information about another.
 */
function selectPassedTests({ value }: TestRun, needed: ReadonlyMap<string, number> = new Map()): ReadonlySet<string> {
  const cases = value?.cases ?? [];
  const failed = new Set(cases.filter(({ outcome }) => outcome === 'failed').map(createTestKey));
  const counts = countKeys(cases.filter(({ outcome }) => outcome === 'passed'));
  return new Set(
    [...counts].flatMap(([key, count]) => (!failed.has(key) && count >= (needed.get(key) ?? 1) ? [key] : [])),
  );
}
