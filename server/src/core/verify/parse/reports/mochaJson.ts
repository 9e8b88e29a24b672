// Parses the JSON of Mocha's reporter `json`.

import { countTestCases, condenseTestFailure, type TestCase, type TestCounts } from '../testCounts.ts';

interface MochaTest {
  readonly fullTitle?: string;
  readonly file?: string;
  readonly duration?: number;
  readonly err?: { readonly message?: string; readonly stack?: string };
}

/**
 * Returns the counts; null if the document has another form. A failing hook appears only in the list of failures, and
 * counts as a failed test.
 */
export function readMochaJson(document: unknown): TestCounts | null {
  const report = document as {
    stats?: unknown;
    passes?: readonly MochaTest[];
    failures?: readonly MochaTest[];
    pending?: readonly MochaTest[];
  } | null;
  if (
    !report?.stats ||
    !Array.isArray(report.passes) ||
    !Array.isArray(report.failures) ||
    !Array.isArray(report.pending)
  )
    return null;
  const toTestCases = (tests: readonly MochaTest[], outcome: TestCase['outcome']) =>
    tests.map(
      ({ fullTitle = '', file, duration, err }): TestCase => ({
        file: file ?? null,
        name: fullTitle,
        outcome,
        millis: duration ?? null,
        ...(outcome === 'failed' && (err?.stack ?? err?.message)
          ? { failure: condenseTestFailure(err?.stack ?? err?.message ?? '') }
          : {}),
      }),
    );
  return countTestCases([
    ...toTestCases(report.passes, 'passed'),
    ...toTestCases(report.failures, 'failed'),
    ...toTestCases(report.pending, 'skipped'),
  ]);
}
