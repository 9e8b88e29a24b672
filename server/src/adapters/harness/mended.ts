// Calls that failed in the old code and return a value in the new code.

import type { Answer } from './sides.ts';

/** So often the old code has to break, and the new code to answer. */
export const MENDED_TIMES = 5;
/** By the class alone: an error that the code throws itself comes with its message, and may be meant. */
const OF_THE_ENGINE = /^(?:throws|rejects with) (?:TypeError|RangeError|ReferenceError)$/;

/** The old code ends by an error of the engine, both times that it is called, and the new code by none. */
export function isMended(old: Answer, fresh: Answer): boolean {
  if (!('outcome' in old) || !('outcome' in fresh)) return false;
  const both = ({ outcome }: Extract<Answer, { readonly outcome: unknown }>) => [outcome.first, outcome.second];
  return (
    both(old).every(({ result }) => OF_THE_ENGINE.test(result)) &&
    both(fresh).every(({ result }) => !/^(?:throws|rejects|never)\b/.test(result))
  );
}
