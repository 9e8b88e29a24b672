// Runs a stored base again before one of its failures excuses a failure with the change: the test may have failed by
// chance in the stored run, and always fail with the change.

import type { GateRun } from '../gate.ts';
import { passesAllTests, createTestKey, type TestCommands, type TestRun } from './testRun.ts';

/**
 * The run to compare with: a new one if the given one is stored, failed, and did not fail in the same way twice, and
 * the candidate also fails. The new run replaces the stored one.
 */
export async function confirmBase(
  run: Pick<GateRun, 'rerunBase'>,
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
