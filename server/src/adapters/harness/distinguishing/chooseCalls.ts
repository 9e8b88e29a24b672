// Chooses few calls that together distinguish as many mutants as possible, the most readable ones first. A call
// distinguishes a mutant if its result with the mutant differs from the result of the unchanged code.

import type { DistinguishingCall } from '../../../core/verify/guard/distinguishingCalls.ts';
import type { ValueSpec } from '../messages.ts';

/** A call that distinguishes at least one mutant from the code. */
export interface RatedCall extends Omit<DistinguishingCall, 'given'> {
  readonly given: readonly ValueSpec[];
  /** Difficulty of reading the call (`computeReadingCost`), and more for a call that nobody would write. */
  readonly cost: number;
}

/**
 * Chooses at most `limit` calls, by a greedy weighted set cover. `newMutants`: the mutants that a chosen call
 * distinguishes and the calls before it do not. `initiallyCovered`: mutants that need no call.
 */
export function chooseCalls(
  candidates: readonly RatedCall[],
  limit: number,
  initiallyCovered: ReadonlySet<number> = new Set(),
): readonly { readonly given: readonly ValueSpec[]; readonly newMutants: readonly number[] }[] {
  const chosenCandidates: { given: readonly ValueSpec[]; newMutants: readonly number[] }[] = [];
  const coveredMutants = new Set(initiallyCovered);
  while (chosenCandidates.length < limit) {
    let best: {
      readonly given: readonly ValueSpec[];
      readonly newMutants: readonly number[];
      readonly value: number;
    } | null = null;
    for (const { given, tells, cost } of candidates) {
      const newMutants = tells.flatMap(({ mutant }) => (coveredMutants.has(mutant) ? [] : [mutant]));
      const value = Math.sqrt(newMutants.length) / cost;
      if (newMutants.length > 0 && (best === null || value > best.value)) best = { given, newMutants, value: value };
    }
    if (best === null) break;
    best.newMutants.forEach((mutant) => coveredMutants.add(mutant));
    chosenCandidates.push(best);
  }
  return chosenCandidates;
}

/**
 * Difficulty of reading a call. Long texts, escapes, texts of white space and unusual values raise the cost; so does
 * `undefined` or an exception, because it tests little. `level`: 1 if the inputs were made with less usual values,
 * otherwise 0. `unusualCost`: the cost of values that occur neither in the code nor in its tests.
 */
export function computeReadingCost(
  { call, result }: Pick<DistinguishingCall, 'call' | 'result'>,
  level: number,
  unusualCost: number,
): number {
  const resultText = 'value' in result ? result.value : result.message;
  return (
    call.length +
    resultText.length / 2 +
    15 * (call.match(/\\/g) ?? []).length +
    10 * (call.match(/"\s*"|\[\]|\{\}/g) ?? []).length +
    10 * (resultText === 'undefined' || 'throws' in result ? 1 : 0) +
    unusualCost +
    15 * level
  );
}
