// Repeats the tests without the change (the base) if they failed in a stored run. A test that failed there only by
// chance would otherwise excuse the same test if the change breaks it.

import type { GateInput } from '../gate.ts';
import { passesAllTests, createTestKey, type TestCommands, type TestRun } from './testRun.ts';

/**
 * The run of the base to compare with. If both `base` and `candidate` have failures, and `base` is stored and not yet
 * confirmed by a second run with the same failures, it is a new run, which replaces the stored one.
 */
export async function rerunDoubtfulBase(
  run: Pick<GateInput, 'rerunBase'>,
  { allTests, parse }: TestCommands,
  base: TestRun,
  candidate: TestRun,
  signal: AbortSignal,
): Promise<TestRun> {
  if (!base.isKept || base.isConfirmed || passesAllTests(base) || passesAllTests(candidate)) return base;
  return run.rerunBase(allTests, parse, (rerun) => createFailuresKey(rerun) === createFailuresKey(base), signal);
}

function createFailuresKey({ answer, value }: TestRun): string {
  const keys =
    value?.cases?.filter(({ outcome }) => outcome === 'failed').map(createTestKey) ?? value?.failedNames ?? [];
  return JSON.stringify([answer.exitCode, value?.failed ?? null, keys.toSorted()]);
}
