// Chooses the functions that the search for missing tests calls, and notes those that it did not call.

import type { LeftOut, SearchPlan } from '../../../verify/counterexamples/plan.ts';
import type { MutantPlan } from '../../../verify/guard/planMutants.ts';
import type { TellingReport } from '../../../verify/guard/telling.ts';

/**
 * The functions of the plan that are in the files of these mutants. `missed`: indexes of mutants in the plan. Functions that
 * read the clock and those that are private by convention are left out.
 */
export function subjectsForMutants(
  missed: readonly number[],
  { subjects }: SearchPlan,
  { mutants }: MutantPlan,
): SearchPlan['subjects'] {
  const paths = new Set(missed.map((at) => mutants[at]!.path));
  return subjects.filter((one) => paths.has(one.path) && reasonNotToCall(one) === null);
}

/** The functions of the plan that are not called although values for them are known. */
export function notCalled({ subjects }: Pick<SearchPlan, 'subjects'>): readonly LeftOut[] {
  return subjects.flatMap((one) => {
    const reason = reasonNotToCall(one);
    return reason === null ? [] : [{ path: one.path, name: one.name, reason }];
  });
}

function reasonNotToCall(one: SearchPlan['subjects'][number]): string | null {
  if (one.readsClock) return 'It reads the clock.';
  return isPrivate(one) ? 'Its name or its file says that it is internal.' : null;
}

/**
 * True for a function that is private by convention, so that a maintainer would hardly test it alone: its name begins
 * with an underscore, or no test calls it and a file or folder of its path begins with an underscore or is called
 * `internal` or `internals`.
 */
function isPrivate({ path, name, examples }: SearchPlan['subjects'][number]): boolean {
  return name.startsWith('_') || (examples.length === 0 && /(?:^|\/)(?:_|internals?\/)/.test(path));
}

/**
 * Notes which functions a search did not call. `subjects`: in the order of the search. The files of the last ones, for
 * which there was no time, are added to `incomplete`. The others are added to `leftOut`, each function once, with the
 * first reason.
 */
export function noteNotCalled(
  { undone, leftOut: own }: Pick<TellingReport, 'undone' | 'leftOut'>,
  subjects: readonly { readonly path: string }[],
  { leftOut, incomplete }: { readonly leftOut: LeftOut[]; readonly incomplete: Set<string> },
): void {
  for (const { path } of undone > 0 ? subjects.slice(-undone) : []) incomplete.add(path);
  for (const one of own)
    if (!leftOut.some(({ path, name }) => path === one.path && name === one.name)) leftOut.push(one);
}
