// Removes calls of a function that show the same as another call.

import type { DistinguishingCall } from '../../../verify/guard/distinguishingCalls.ts';
import type { Mutant } from '../../../verify/guard/planMutants.ts';

/**
 * Matches a string literal. The closing quote is optional, because a required one would make the search take quadratic
 * time.
 */
const STRING_PATTERN = /"(?:[^"\\]|\\.)*"?/g;
/** Matches a number in a call. */
const NUMBER_PATTERN = /\b\d+(?:\.\d+)?\b/g;

/**
 * Removes each call that differs from another one only in strings and numbers, and that shows mistakes only in lines in
 * which the other one also shows some. Of such calls, the one that shows the most mistakes stays.
 */
export function removeAlikeCalls(
  calls: readonly DistinguishingCall[],
  mutants: readonly Pick<Mutant, 'path' | 'line'>[],
): readonly DistinguishingCall[] {
  const linesByForm = new Map<string, Set<string>>();
  const keptCalls = calls
    .toSorted((a, b) => b.tells.length - a.tells.length)
    .filter(({ call, tells }) => {
      const form = call.replaceAll(STRING_PATTERN, '""').replaceAll(NUMBER_PATTERN, '0');
      const knownLines = linesByForm.get(form) ?? new Set();
      linesByForm.set(form, knownLines);
      const knownCount = knownLines.size;
      for (const { mutant } of tells) knownLines.add(`${mutants[mutant]!.path}:${mutants[mutant]!.line}`);
      return knownLines.size > knownCount;
    });
  return calls.filter((call) => keptCalls.includes(call));
}
