// Tests that only the lane `thorough` runs (`npm test -- --lane thorough`): further cases of what `npm test` shows with
// fewer, where each takes seconds because real processes run. A file keeps at least one test that always runs.

import { test } from 'vitest';

/** True in the lane `thorough`. */
export const isThorough = process.env['SELFWARE_THOROUGH'] === '1';

function ignore(): void {}

/**
 * Declares a test as `test` does, in the lane `thorough` only. Elsewhere the test does not exist, so none is counted as
 * skipped.
 */
export const thoroughTest: Pick<typeof test, 'each' | 'for'> & ((...declared: Parameters<typeof test>) => void) =
  isThorough ? test : Object.assign(ignore, { each: () => ignore, for: () => ignore });

/** All rows in the lane `thorough`, elsewhere the first `count`. */
export function sample<Row>(rows: readonly Row[], count: number): readonly Row[] {
  return isThorough ? rows : rows.slice(0, count);
}
