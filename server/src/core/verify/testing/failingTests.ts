// Tests that fail in the repository as it is.

import type { VerifyContext } from '../context.ts';
import type { TestCase } from '../parse/testCounts.ts';
import { withTests, type NothingRuns } from './asItIs.ts';

/**
 * Runs the tests, or takes their last result for the same tree. Refused where they do not run or do not name their
 * cases. Throws `cancelled` and what the ports throw.
 */
export function failingTests(context: VerifyContext, signal: AbortSignal): Promise<readonly TestCase[] | NothingRuns> {
  return withTests(context, 'Running the tests', signal, async ({ chosen: { base } }) => {
    if (!base.value) return { refused: 'The tests of this repository do not run here, so nobody can say which fail.' };
    const { cases } = base.value;
    if (!cases) return { refused: 'The test runner does not name its tests, so nobody can say which fail.' };
    return cases.filter(({ outcome }) => outcome === 'failed');
  });
}
