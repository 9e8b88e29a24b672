// Finds the tests that fail in the unchanged repository.

import type { VerifyContext } from '../context.ts';
import type { TestCase } from '../parse/testCounts.ts';
import { missingProgramSentence } from '../missingProgramText.ts';
import type { TestRun } from './testRun.ts';
import { withUnchangedTests, type TestsUnavailable } from './unchangedTests.ts';

/**
 * The failing tests of a run, or of the last run on the same tree. Returns a reason if they do not run or do not name
 * their cases, and for the reasons of `withUnchangedTests`. Throws `cancelled` and errors of adapters.
 */
export function findFailingTests(
  context: VerifyContext,
  signal: AbortSignal,
): Promise<readonly TestCase[] | TestsUnavailable> {
  return withUnchangedTests(context, 'Running the tests', signal, async ({ chosen: { base } }) => {
    if (!base.value)
      return { refused: `The tests of this repository do not run here${explainMissingResult(base.answer)}` };
    const { cases } = base.value;
    if (!cases)
      return { refused: 'The test runner does not name its tests, so nobody can say which fail.', testsRun: true };
    return cases.filter(({ outcome }) => outcome === 'failed');
  });
}

/** The end of a sentence with the reason why a run of the tests has no result. */
function explainMissingResult(answer: TestRun['answer']): string {
  if (answer.outcome === 'notFound') return `: ${missingProgramSentence(answer)}`;
  return answer.outcome === 'timedOut'
    ? `: \`${answer.line}\` was ended after ${Math.round(answer.millis / 1000)} s.`
    : `: no count can be read from what \`${answer.line}\` prints.`;
}
