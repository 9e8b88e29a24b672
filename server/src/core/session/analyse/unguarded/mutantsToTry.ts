// Selects the mutants that are worth a run of the tests, because a call shows them.

import { SelfwareError } from '../../../../util/typedError.ts';
import type { Mutant } from '../../../verify/guard/planMutants.ts';
import { sortInTurns, type ShownBy } from './functionOrder.ts';
import type { Search } from './search.ts';
import { searchCalls, type CallSearchPlan } from './searchCalls.ts';
import { noteNotCalled, selectSubjectsForMutants } from './subjects.ts';

/** Maximum share of the remaining time that calls may use before the tests run. */
const SHARE_FOR_CALLS = 0.25;

/**
 * Selects the mutants that calls show. Only these are then tried with the tests, because each trial costs a run of the
 * tests, while calls are cheap. `needed`: those that the calls in the tests do not show, so that the tests may well
 * miss them. `all`: `needed`, followed by those that the calls in the tests show but may not check. `isNew`: false for
 * mutants that earlier searches know. `leftMs`: the remaining time of the search. Adds files for which there was too
 * little time to `incomplete`. Throws `unavailable` if nothing can be called.
 */
export async function selectMutantsThatTestsMayMiss(
  run: Search,
  { search, plan, sources }: CallSearchPlan,
  isNew: (mutant: Mutant) => boolean,
  leftMs: number,
  incomplete: Set<string>,
): Promise<{ readonly needed: ReadonlySet<Mutant>; readonly all: ReadonlySet<Mutant>; readonly shownBy: ShownBy }> {
  const switchedIndexes = [...plan.mutants.keys()].filter(
    (mutantIndex) => plan.schemata.switched[mutantIndex] && isNew(plan.mutants[mutantIndex]!),
  );
  const report = await searchCalls(run, { search, plan, sources }, switchedIndexes, leftMs * SHARE_FOR_CALLS, {
    exceptExamples: true,
  });
  if (report.obstacle !== null) throw new SelfwareError('unavailable', report.obstacle, {});
  const subjects = selectSubjectsForMutants(switchedIndexes, search, plan, run.context.state.imports);
  noteNotCalled(report, subjects, { leftOut: run.totals.leftOut, incomplete });
  const shownBy = new Map((report.toldBy ?? []).map(({ of, mutants }) => [subjects[of]!, mutants]));
  const mutantsOf = (numbers: readonly number[]) =>
    sortInTurns(numbers, shownBy).map((mutantIndex) => plan.mutants[mutantIndex]!);
  const needed = mutantsOf(report.detected);
  return { needed: new Set(needed), all: new Set([...needed, ...mutantsOf(report.detectedByTests)]), shownBy };
}
