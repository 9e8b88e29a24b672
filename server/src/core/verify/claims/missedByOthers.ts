// Decides whether the tests besides the new ones miss a mutant.

import type { GateRun } from '../gate.ts';
import { testMutant, hasSameOutcomes, type TextOf } from '../guard/mutantRuns.ts';
import type { Mutant } from '../guard/planMutants.ts';
import type { ChosenTests } from '../testing/chosenTests.ts';
import { compareTests, type TestRun } from '../testing/testRun.ts';

/** Maximum share of the tests that may check the code itself, such as the size of a bundle. */
const MAX_SHARE_OF_CODE_CHECKS = 0.1;

/** The other tests, in a work tree without the new ones. */
export interface OtherTests {
  readonly run: GateRun;
  readonly chosen: ChosenTests;
  readonly textOf: TextOf;
  readonly signal: AbortSignal;
}

/** True if a run of the other tests with the mutant does not notice it. `onSurvived`: receives that run. */
export async function isMissed(
  { run, chosen, textOf, signal }: OtherTests,
  mutant: Mutant,
  baseline: TestRun,
  onSurvived?: (result: TestRun) => void,
): Promise<boolean> {
  const { allTests } = chosen.commands;
  const events = onSurvived ? { onSurvived } : {};
  return (await testMutant(run, textOf, mutant, allTests, chosen.commands, baseline, signal, events)) === 'survived';
}

/**
 * Like `isMissed`, but stricter, for tests of which it is unknown what they reach. True if a run without the mutant is
 * like the base, and two runs with it do not notice it; no test may be missing in any of the three runs.
 */
export async function isMissedTwice(others: OtherTests, mutant: Mutant): Promise<boolean> {
  const { run, chosen, signal } = others;
  const { base, commands } = chosen;
  const runWithoutMutant = await run.again('mutant', commands.allTests, commands.parse, signal);
  if (!hasSameOutcomes(runWithoutMutant, base) || !hasRunAll(runWithoutMutant, base)) return false;
  for (let time = 0; time < 2; time += 1) {
    let isComplete = false;
    const isMissedNow = await isMissed(others, mutant, base, (result) => (isComplete = hasRunAll(result, base)));
    if (!isMissedNow || !isComplete) return false;
  }
  return true;
}

/** True if no test of the base is missing in the run; by their number if the runner does not name them. */
export function hasRunAll({ value }: TestRun, base: TestRun): boolean {
  if (value === null || base.value === null) return value === base.value;
  const changes = compareTests(base.value, value);
  if (changes) return changes.missing.length === 0;
  return value.passed + value.failed >= base.value.passed + base.value.failed;
}

/**
 * True if the tests ran with probes as they ran without them. A few may fail: those that check the size or the text of
 * the code itself, which probes change. A suite without any test, which some runners report as an error, counts as run.
 */
export function ranAsBefore(probed: TestRun, base: TestRun): boolean {
  if (probed.value === null || base.value === null) return hasSameOutcomes(probed, base);
  const changes = compareTests(base.value, probed.value);
  if (!changes) return hasSameOutcomes(probed, base);
  return changes.missing.length === 0 && changes.failing.length <= base.value.passed * MAX_SHARE_OF_CODE_CHECKS;
}
