// Tests that only the lane `thorough` runs (`npm test -- --lane thorough`): further cases of what `npm test` shows with
// fewer, where each takes seconds because real processes run. A file without a test that always runs is named
// `*.thorough.test.ts`.

import { test, type TestFunction, type TestOptions } from 'vitest';

/** True in the lane `thorough`. */
export const isThorough = process.env['SELFWARE_THOROUGH'] === '1';

function ignore(): void {}

interface DeclareTest extends Pick<typeof test, 'each' | 'for'> {
  (name: string, run: TestFunction, timeout?: number): void;
  (name: string, options: TestOptions, run: TestFunction): void;
}

/**
 * Declares a test as `test` does, in the lane `thorough` only. Elsewhere the test does not exist, so none is counted as
 * skipped.
 */
export const thoroughTest: DeclareTest = isThorough
  ? test
  : Object.assign(ignore, { each: () => ignore, for: () => ignore });

/** All rows in the lane `thorough`, elsewhere the first `count`. */
export function sample<Row>(rows: readonly Row[], count: number): readonly Row[] {
  return isThorough ? rows : rows.slice(0, count);
}
