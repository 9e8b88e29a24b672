// Decides which results of commands may be kept for later judgements.

import type { Verdict } from '../model.ts';
import type { CommandResult } from './commands.ts';

/** True if the command ended within all limits. Only such results are kept: others may depend on the load. */
export function isLasting({ answer }: CommandResult<unknown>): boolean {
  return answer.outcome === 'exited' && answer.exceeded === null;
}

/**
 * True if a result with the change may be kept as one of the next base. What linters and compilers say may; a run of
 * tests only if it is green and these verdicts call the tests passed, with none that is flaky.
 */
export function mayBecomeBase(result: CommandResult<unknown>, verdicts: readonly Verdict[]): boolean {
  if (!isLasting(result)) return false;
  const { answer, value } = result;
  // Problems are compared one by one, and do not depend on chance.
  if (Array.isArray(value)) return true;
  const failed = (value as { readonly failed?: unknown } | null)?.failed ?? 0;
  if (answer.exitCode !== 0 || failed !== 0) return false;
  return verdicts.some(
    ({ gate, outcome, evidence }) => gate === 'tests' && outcome === 'passed' && evidence['flaky'] === undefined,
  );
}
