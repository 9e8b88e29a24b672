// What a run of the tests with one mutant says if the code with the mutant did not run.

import { expect, test } from 'vitest';
import {
  judgeMutants,
  type LoadedTests,
  type TestResults,
} from '../../../server/src/adapters/harness/inTests/judge.ts';
import type { Switch } from '../../../server/src/adapters/harness/inTests/switch.ts';
import type { InTestsLine } from '../../../server/src/core/verify/guard/inTests.ts';

const resultsOf = (...failed: readonly string[]): TestResults => ({
  ...{ ran: new Set(['a']), failed: new Set(failed) },
  ...{ broken: false, millis: 1 },
});

/** The fate of a mutant with which the test fails. `until`: no mutant is tried after this time. */
async function fateOf(isReached: boolean, until = Date.now() + 60_000, onRun = () => {}) {
  const lines: InTestsLine[] = [];
  // Without the mutant, the test passes.
  let isOn = false;
  const loaded: LoadedTests = { file: 'a.js', run: async () => (onRun(), isOn ? resultsOf('a') : resultsOf()) };
  const mutants = {
    order: { mutants: [0], until, results: '/dev/null' },
    reached: new Map([[0, { tests: new Set(['a']), isReachedOutside: false, isReachedByLoading: false, hits: 1 }]]),
    ...{ recorder: null, setPlace: () => undefined, report: (line: InTestsLine) => lines.push(line) },
    runWith: async (_mutant: number, _millis: number, work: () => Promise<unknown>) => {
      isOn = true;
      const value = await work();
      isOn = false;
      return { value, isReached };
    },
  };
  await judgeMutants(resultsOf(), loaded, mutants as unknown as Switch);
  return lines.flatMap((line) => ('fate' in line ? [line.fate] : []));
}

test('a test that fails without having run the mutant has noticed nothing', async () => {
  expect([await fateOf(true), await fateOf(false)]).toEqual([['noticed'], ['unsure']]);
});

test('the tests do not run a second time if no time is left for a mutant', async () => {
  let runs = 0;
  expect([await fateOf(true, 0, () => runs++), runs]).toEqual([[], 0]);
});
