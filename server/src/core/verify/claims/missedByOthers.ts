// Decides whether the tests besides the new ones miss a mutant.

import type { DetectedCommand } from '../detect/command.ts';
import type { GateInput } from '../gate.ts';
import { testMutant, hasSameOutcomes, type TextOf } from '../guard/mutantRuns.ts';
import type { Mutant } from '../guard/planMutants.ts';
import type { ChosenTests } from '../testing/chosenTests.ts';
import { compareTests, type TestRun } from '../testing/testRun.ts';

/** Maximum share of the tests that may check the text of the code itself, such as the size of a bundle. */
const MAX_SHARE_OF_CODE_CHECKS = 0.1;

/** The other tests, and a work tree without the new ones. */
export interface OtherTests {
  readonly run: GateInput;
  readonly chosen: ChosenTests;
  readonly textOf: TextOf;
  readonly signal: AbortSignal;
}

/**
 * The result of a run of the other tests with a mutant. `missed`: all of them ran, and none fails only with the mutant.
 * `noticed`: one fails only with the mutant. `open`: neither is known, for example because the run was stopped.
 */
export type OtherTestsResult = 'missed' | 'noticed' | 'open';

/** Runs the other tests with the mutant. `baseline`: their run without it. */
export async function runOtherTestsWithMutant(
  { run, chosen, textOf, signal }: OtherTests,
  mutant: Mutant,
  baseline: TestRun,
  command: DetectedCommand = chosen.commands.allTests,
): Promise<OtherTestsResult> {
  let resultOfSurvivor: OtherTestsResult = 'open';
  const status = await testMutant(run, textOf, mutant, command, chosen.commands, baseline, signal, {
    onSurvived: (result) => void (resultOfSurvivor = determineOthersStatus(result, baseline)),
  });
  if (status === 'survived') return resultOfSurvivor;
  return status === 'noticed' ? 'noticed' : 'open';
}

/**
 * A stricter check, for tests of which it is unknown what they reach. True if a run without the mutant equals the base,
 * and two runs with it do not notice it. No test may be missing in any of the three runs.
 */
export async function isMissedInTwoRuns(otherTests: OtherTests, mutant: Mutant): Promise<boolean> {
  const { run, chosen, signal } = otherTests;
  const { base, commands } = chosen;
  const runWithoutMutant = await run.rerun('mutant', commands.allTests, commands.parse, signal);
  if (!hasSameOutcomes(runWithoutMutant, base) || determineOthersStatus(runWithoutMutant, base) !== 'missed')
    return false;
  for (let time = 0; time < 2; time += 1) {
    if ((await runOtherTestsWithMutant(otherTests, mutant, base)) !== 'missed') return false;
  }
  return true;
}

/**
 * Compares a run that did not break down with the baseline. Equal numbers of failures prove nothing: a flaky test that
 * failed in the baseline may pass now, and hide a new failure. Therefore tests are compared by name; if they have no
 * names, all must pass.
 */
function determineOthersStatus({ value }: TestRun, baseline: TestRun): OtherTestsResult {
  if (value === null || baseline.value === null) return value === baseline.value ? 'missed' : 'open';
  const changes = compareTests(baseline.value, value);
  if (!changes) {
    const { passed, failed } = baseline.value;
    return value.failed === 0 && value.passed >= passed + failed ? 'missed' : 'open';
  }
  if (changes.failing.length > 0) return 'noticed';
  return changes.missing.length === 0 ? 'missed' : 'open';
}

/**
 * True if the tests had the same outcomes with probes as without them. A few may fail: those that check the size or the
 * text of the code, which probes change. A suite without tests, which some runners report as an error, counts as run.
 */
export function areProbesHarmless(probed: TestRun, base: TestRun): boolean {
  if (probed.value === null || base.value === null) return hasSameOutcomes(probed, base);
  const changes = compareTests(base.value, probed.value);
  if (!changes) return hasSameOutcomes(probed, base);
  return changes.missing.length === 0 && changes.failing.length <= base.value.passed * MAX_SHARE_OF_CODE_CHECKS;
}
