// Recognises calls that failed in the old code and return a value in the new code.

import type { SideAnswer } from './sideProcesses.ts';

/**
 * Number of times that a call is repeated in fresh processes. Each time, the old code must fail and the new code must
 * return a value.
 */
export const FIX_CONFIRMATIONS = 5;
/**
 * Matches a result that is an error of the engine, which is described by its class only. An error that the code creates
 * is described with its message, and may be intended.
 */
const ENGINE_ERROR_PATTERN = /^(?:throws|rejects with) (?:TypeError|RangeError|ReferenceError)$/;

/**
 * True if the old code ends with an error of the engine in both of its calls, and the new code returns a value in both
 * of its calls.
 */
export function isFixedCall(oldAnswer: SideAnswer, newAnswer: SideAnswer): boolean {
  if (!('outcome' in oldAnswer) || !('outcome' in newAnswer)) return false;
  const listObservations = ({ outcome }: Extract<SideAnswer, { readonly outcome: unknown }>) => [
    outcome.first,
    outcome.second,
  ];
  return (
    listObservations(oldAnswer).every(({ result }) => ENGINE_ERROR_PATTERN.test(result)) &&
    listObservations(newAnswer).every(({ result }) => !/^(?:throws|rejects|never)\b/.test(result))
  );
}
