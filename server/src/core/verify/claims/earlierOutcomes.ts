// Compares the outcomes of the earlier tests of a file with and without new tests beside them. This is needed if some
// of the earlier tests always or sometimes fail.

import { failed, unknown, type GateAnswer } from '../answer.ts';
import { createTestKey, type TestRun } from '../testing/testRun.ts';

/** Maximum number of characters of a name in a reason. */
const MAX_NAME = 80;
/** The text for a test that a run does not report. */
const ABSENT = 'absent';
/** Matches the outcomes of tests that all pass. */
const ALL_PASSED = /^passed(?:, passed)*$/;

/**
 * The outcomes of a run by the key of the test. Several tests with one key have one text: `failed, passed`. Null if the
 * run ended early or does not name its tests.
 */
type Outcomes = ReadonlyMap<string, string>;

/** The tests that the files had before the new tests were added; some of them fail. */
export interface EarlierTests {
  /** True if each earlier test has the same outcome in this run as without the new tests, and no new test fails. */
  haveSameOutcomes(run: TestRun): boolean;
}

/** True if a test fails in one of the runs, and all that fail are among the earlier ones. */
export function failOnlyEarlierTests(runs: readonly TestRun[], earlierKeys: ReadonlySet<string>): boolean {
  const failing = runs.flatMap(listFailingKeys);
  return failing.length > 0 && failing.every((key) => earlierKeys.has(key));
}

/** True if a test that failed in the run `earlier` passes in one of `runs`. */
export function passesNow(runs: readonly TestRun[], earlier: TestRun): boolean {
  const failedBefore = new Set(listFailingKeys(earlier));
  return runs.some((run) =>
    (run.value?.cases ?? []).some(
      (testCase) => testCase.outcome === 'passed' && failedBefore.has(createTestKey(testCase)),
    ),
  );
}

/**
 * Compares runs without the new tests (`before`) and with them (`after`); each list has at least one run. Null if
 * nothing differs. Failed if an earlier test has another outcome, for example because it no longer runs or a new test
 * has the same name, if a new test fails, or if the exit code differs. Unknown if the outcome of an earlier test varies
 * between runs, or if a run ended early or does not name its tests.
 */
export function explainChangedOutcome(before: readonly TestRun[], after: readonly TestRun[]): GateAnswer | null {
  const [earlier, later] = [readAllOutcomes(before), readAllOutcomes(after)];
  if (!earlier || !later) return unknown('A run of these files ended early or does not name its tests.');
  const unsteadyKeys: string[] = [];
  for (const key of new Set(earlier.flatMap((outcomes) => [...outcomes.keys()]))) {
    const [outcomesBefore, outcomesAfter] = [listTexts(earlier, key), listTexts(later, key)];
    const isSteadyBefore = outcomesBefore.length === 1;
    if (isSteadyBefore && outcomesAfter.length === 1 && outcomesBefore[0] === outcomesAfter[0]) continue;
    // A test that passed every time has to pass every time.
    if (!isSteadyBefore || (outcomesAfter.length > 1 && !ALL_PASSED.test(outcomesBefore[0]!))) unsteadyKeys.push(key);
    else return failed(describeChange(quoteName(key), outcomesAfter.join(' or '), outcomesBefore[0]!));
  }
  if (unsteadyKeys.length > 0)
    return unknown(
      `In the same files, ${quoteName(unsteadyKeys[0]!)} passes in one run and fails in another, so nobody can say what ` +
        'the new tests change.',
    );
  const earlierKeys = new Set(earlier[0]!.keys());
  const failing = after.flatMap(listFailingKeys).find((key) => !earlierKeys.has(key));
  if (failing !== undefined) return failed(`${quoteName(failing)}, which is new, fails.`);
  const exitCodes = new Set(before.map(({ answer }) => answer.exitCode));
  const runWithOtherExit = after.find(({ answer }) => !exitCodes.has(answer.exitCode));
  return runWithOtherExit
    ? failed(
        `With the new tests, \`${runWithOtherExit.answer.line}\` ends with ${runWithOtherExit.answer.exitCode}, and without them with ` +
          `${[...exitCodes].join(' or ')}.`,
      )
    : null;
}

function describeChange(name: string, current: string, before: string): string {
  return `With the new tests, the outcome of ${name} is “${current}”, and without them “${before}”.`;
}

/** The earlier tests, whose outcomes are those of these runs without the new tests. */
export function createEarlierTests(before: readonly TestRun[]): EarlierTests {
  return { haveSameOutcomes: (run) => explainChangedOutcome(before, [run]) === null };
}

/** The keys of all tests in these runs. */
export function collectKeys(runs: readonly TestRun[]): ReadonlySet<string> {
  return new Set(runs.flatMap(({ value }) => value?.cases?.map(createTestKey) ?? []));
}

/** The keys of the tests that fail in the run. */
export function listFailingKeys({ value }: TestRun): readonly string[] {
  return (value?.cases ?? []).filter(({ outcome }) => outcome === 'failed').map(createTestKey);
}

function readAllOutcomes(runs: readonly TestRun[]): readonly Outcomes[] | null {
  const outcomesOfRuns = runs.map(readOutcomes);
  return outcomesOfRuns.every((outcomes) => outcomes !== null) ? outcomesOfRuns : null;
}

function readOutcomes({ answer, value }: TestRun): Outcomes | null {
  if (answer.outcome !== 'exited' || answer.exceeded !== null || !value?.cases) return null;
  const outcomesByKey = new Map<string, string[]>();
  for (const testCase of value.cases) {
    const key = createTestKey(testCase);
    outcomesByKey.set(key, [...(outcomesByKey.get(key) ?? []), testCase.outcome]);
  }
  return new Map([...outcomesByKey].map(([key, outcomes]) => [key, outcomes.sort().join(', ')]));
}

/** The different outcomes of one key in these runs. */
function listTexts(runs: readonly Outcomes[], key: string): readonly string[] {
  return [...new Set(runs.map((outcomes) => outcomes.get(key) ?? ABSENT))];
}

function quoteName(key: string): string {
  return `“${key.slice(0, MAX_NAME)}”`;
}
