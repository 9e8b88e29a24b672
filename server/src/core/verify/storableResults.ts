// Decides which results of commands may be stored and used for later judgements.

import type { Verdict } from '../model.ts';

/** The result of a command that has ended. */
interface EndedRun {
  readonly answer: { readonly outcome: string; readonly exceeded: unknown; readonly exitCode: number | null };
  readonly value: unknown;
}

/**
 * True if the command ended within all limits. Other results may depend on the load of the machine, so they are not
 * stored.
 */
export function mayBeStored({ answer }: EndedRun): boolean {
  return answer.outcome === 'exited' && answer.exceeded === null;
}

/**
 * True if a result with the change may be stored as a result of the next base. Results of linters and compilers always
 * may. Results of tests may if no test failed, these verdicts show that the tests passed, and no test was flaky.
 */
export function mayBecomeBase(result: EndedRun, verdicts: readonly Verdict[]): boolean {
  if (!mayBeStored(result)) return false;
  const { answer, value } = result;
  // The result is a list of problems, which are compared one by one and do not depend on chance.
  if (Array.isArray(value)) return true;
  const failed = (value as { readonly failed?: unknown } | null)?.failed ?? 0;
  if (answer.exitCode !== 0 || failed !== 0) return false;
  return verdicts.some(
    ({ gate, outcome, evidence }) => gate === 'tests' && outcome === 'passed' && evidence['flaky'] === undefined,
  );
}
