// Declares tests that only the lane `thorough` runs (`npm test -- --lane thorough`): further cases that take seconds
// each, because real processes run, while `npm test` runs only some of them. A file in which no test always runs is
// named `*.thorough.test.ts`.

import { test, type TestFunction, type TestOptions } from 'vitest';

/** True in the lane `thorough`. */
export const isThorough = process.env['SELFWARE_THOROUGH'] === '1';

function ignore(): void {}

/** The forms of `test` that this repository uses. */
interface DeclareTest extends Pick<typeof test, 'each' | 'for'> {
  (name: string, run: TestFunction, timeout?: number): void;
  (name: string, options: TestOptions, run: TestFunction): void;
}

/**
 * Declares a test as `test` does, but only in the lane `thorough`. In other lanes the test does not exist, so it is not
 * counted as skipped.
 */
export const thoroughTest: DeclareTest = isThorough
  ? test
  : Object.assign(ignore, { each: () => ignore, for: () => ignore });

/** All rows in the lane `thorough`; in other lanes, only the first `count`. */
export function sample<Row>(rows: readonly Row[], count: number): readonly Row[] {
  return isThorough ? rows : rows.slice(0, count);
}
