// Recognises calls that failed in the old code and return a value in the new code.

import type { SideAnswer } from './sideProcesses.ts';

/** Number of fresh processes in which the old code must fail, and the new code return a value. */
export const FIX_CONFIRMATIONS = 5;
/**
 * Matches an outcome by an error of the engine, which shows only its class. An error of the code itself comes with its
 * message, and may be intended.
 */
const ENGINE_ERROR_PATTERN = /^(?:throws|rejects with) (?:TypeError|RangeError|ReferenceError)$/;

/** True if the old code ends with an error of the engine in both calls, and the new code in neither. */
export function isFixedCall(oldAnswer: SideAnswer, newAnswer: SideAnswer): boolean {
  if (!('outcome' in oldAnswer) || !('outcome' in newAnswer)) return false;
  const outcomesOf = ({ outcome }: Extract<SideAnswer, { readonly outcome: unknown }>) => [
    outcome.first,
    outcome.second,
  ];
  return (
    outcomesOf(oldAnswer).every(({ result }) => ENGINE_ERROR_PATTERN.test(result)) &&
    outcomesOf(newAnswer).every(({ result }) => !/^(?:throws|rejects|never)\b/.test(result))
  );
}
