// Chooses few calls that together distinguish as many mutants as possible, the most readable ones first. A call
// distinguishes a mutant if its result with the mutant differs from the result of the code as it is.

import type { DistinguishingCall } from '../../../core/verify/guard/distinguishingCalls.ts';
import type { ValueSpec } from '../messages.ts';

/** A call that distinguishes at least one mutant from the code. */
export interface Candidate extends Omit<DistinguishingCall, 'given'> {
  readonly given: readonly ValueSpec[];
  /** How hard the call is to read (`costOf`). */
  readonly cost: number;
}

/**
 * Chooses the calls by a greedy weighted set cover: each call distinguishes mutants (`newMutants`) that the calls
 * before it do not.
 */
export function chosenCalls(
  candidates: readonly Candidate[],
  limit: number,
): readonly { readonly given: readonly ValueSpec[]; readonly newMutants: readonly number[] }[] {
  const chosen: { given: readonly ValueSpec[]; newMutants: readonly number[] }[] = [];
  const covered = new Set<number>();
  while (chosen.length < limit) {
    let best: {
      readonly given: readonly ValueSpec[];
      readonly newMutants: readonly number[];
      readonly worth: number;
    } | null = null;
    for (const { given, tells, cost } of candidates) {
      const newMutants = tells.flatMap(({ mutant }) => (covered.has(mutant) ? [] : [mutant]));
      const worth = Math.sqrt(newMutants.length) / cost;
      if (newMutants.length > 0 && (best === null || worth > best.worth)) best = { given, newMutants, worth };
    }
    if (best === null) break;
    best.newMutants.forEach((mutant) => covered.add(mutant));
    chosen.push(best);
  }
  return chosen;
}

/**
 * How hard a call is to read. Long texts, escapes, blank texts and odd values raise the cost; so does a result of
 * nothing, because it says little. `strange`: the cost of what a reader does not know from the code or its tests.
 */
export function costOf(
  { call, result }: Pick<DistinguishingCall, 'call' | 'result'>,
  level: number,
  strange: number,
): number {
  const answer = 'value' in result ? result.value : result.message;
  return (
    call.length +
    answer.length / 2 +
    15 * (call.match(/\\/g) ?? []).length +
    10 * (call.match(/"\s*"|\[\]|\{\}/g) ?? []).length +
    10 * (answer === 'undefined' || 'throws' in result ? 1 : 0) +
    strange +
    15 * level
  );
}
