// The counts of a test run, in the same form for every runner.

import { condenseOutput } from './condense/condenseOutput.ts';

/** A test that ran or was skipped. */
export interface TestCase {
  /** Path of the test file, relative to the work tree; null if the runner does not report it. */
  readonly file: string | null;
  /** The package of a Go test; empty if the output does not name it. Absent for other runners. */
  readonly package?: string;
  /** The name with the enclosing titles, joined by ` › `. */
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Duration in milliseconds; null if the runner does not report it. */
  readonly millis: number | null;
  /** The runner's message about the failure, shortened; absent if the test passed or the report has no message. */
  readonly failure?: string;
}

/**
 * The counts of a run. Names need not be unique, but they identify tests well enough to compare two runs of the same
 * command.
 */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failedNames: readonly string[];
  /** Every test; null if the output names only some of them. */
  readonly cases: readonly TestCase[] | null;
}

/** Maximum number of characters of a failure. Results are stored, and a message may contain a whole document. */
const MAX_FAILURE_CHARACTERS = 900;

/** Parses counts from the output of one runner; returns null if the output is from another runner. */
export type TestParser = (text: string) => TestCounts | null;

/**
 * Creates counts from the figures and names in an output. `failed` is raised to the number of names, because suites
 * that did not load also have names.
 */
export function makeCounts(
  passed: number,
  failed: number,
  skipped: number,
  names: Iterable<string>,
  cases: readonly TestCase[] = [],
): TestCounts {
  const failedNames = [...new Set(names)];
  return createCounts(passed, Math.max(failed, failedNames.length), skipped, failedNames, cases);
}

/**
 * Creates counts with the figures exactly as printed. The array of tests is used only if its counts match the figures.
 */
export function createCounts(
  passed: number,
  failed: number,
  skipped: number,
  names: Iterable<string>,
  cases: readonly TestCase[],
): TestCounts {
  return {
    passed,
    failed,
    skipped,
    failedNames: [...new Set(names)],
    cases: matchesFigures(cases, { passed, failed, skipped }) ? cases : null,
  };
}

/** Creates counts from a report that names every test. */
export function countTestCases(cases: readonly TestCase[]): TestCounts {
  const selectCases = (outcome: TestCase['outcome']) => cases.filter((testCase) => testCase.outcome === outcome);
  return {
    passed: selectCases('passed').length,
    failed: selectCases('failed').length,
    skipped: selectCases('skipped').length,
    failedNames: [...new Set(selectCases('failed').map(({ name }) => name))],
    cases,
  };
}

/** Sums the counts of several runners. `cases` is null if one of them does not name every test. */
export function sumCounts(allCounts: readonly TestCounts[]): TestCounts {
  const sumCountsBy = (countOf: (counts: TestCounts) => number) =>
    allCounts.reduce((sum, counts) => sum + countOf(counts), 0);
  return {
    passed: sumCountsBy(({ passed }) => passed),
    failed: sumCountsBy(({ failed }) => failed),
    skipped: sumCountsBy(({ skipped }) => skipped),
    failedNames: allCounts.flatMap(({ failedNames }) => failedNames),
    cases: allCounts.every(({ cases }) => cases !== null) ? allCounts.flatMap(({ cases }) => cases ?? []) : null,
  };
}

/**
 * Condenses a runner's message about a failed test to the message, the difference, and the first frames of the
 * repository.
 */
export function condenseTestFailure(text: string): string {
  return condenseOutput(text.trim(), MAX_FAILURE_CHARACTERS).trim();
}

/** Sum of the first group of all matches; a match without digits counts as 0. */
export function sumMatches(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce((total, match) => total + (Number(match[1]) || 0), 0);
}

/** The first group of every match. */
export function captureGroups(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap((match) => (match[1] === undefined ? [] : [match[1].trim()]));
}

/** True if the array of tests contains as many tests of each outcome as the figures say. */
function matchesFigures(
  cases: readonly TestCase[],
  printed: { readonly passed: number; readonly failed: number; readonly skipped: number },
): boolean {
  return (['passed', 'failed', 'skipped'] as const).every(
    (outcome) => cases.filter((testCase) => testCase.outcome === outcome).length === printed[outcome],
  );
}
