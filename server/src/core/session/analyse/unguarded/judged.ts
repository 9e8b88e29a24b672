// Sums up the test results of mutants.

import { groupBy } from '../../../../util/values/groupBy.ts';
import type { MutantStatus } from '../../../verify/guard/mutantRuns.ts';
import type { Mutant, MutantPlan } from '../../../verify/guard/planMutants.ts';
import type { Totals } from './search.ts';

/** The numbers of mutants that were tried and missed, by file. */
export function countMutantsByFile(judgedMutants: readonly Mutant[], missed: readonly Mutant[]): Totals['tried'] {
  return groupBy(judgedMutants, ({ path }) => path).map((judgedOfFile) => {
    const { path } = judgedOfFile[0]!;
    return { path, tried: judgedOfFile.length, missed: missed.filter((mutant) => mutant.path === path).length };
  });
}

/**
 * True if a mutant of this file shows that the tests run its code. False if they never run the file, or only another
 * copy of it, so that they cannot notice anything in it.
 */
export function isReached(path: string, { mutants }: MutantPlan, statuses: ReadonlyMap<Mutant, MutantStatus>): boolean {
  return mutants.some((mutant) => {
    const status = statuses.get(mutant);
    // A mutant in code that runs when the module is loaded also survives if nothing loads the module.
    const isExecuted = status === 'noticed' || status === 'stopped' || (status === 'survived' && showsReach(mutant));
    return mutant.path === path && isExecuted;
  });
}

/** True if a run of the tests shows whether they reach the mutant. */
function showsReach({ probe, reach, go }: Mutant): boolean {
  return probe !== null || reach !== undefined || go !== undefined;
}

/**
 * The mutants that were judged. Those that cannot run, and those that no run could judge, show nothing about the tests.
 */
export function listJudgedMutants(statuses: ReadonlyMap<Mutant, MutantStatus>): readonly Mutant[] {
  return [...statuses].flatMap(([mutant, status]) => (status === 'invalid' || status === 'unjudged' ? [] : [mutant]));
}
