// Chooses the functions that are called, and keeps account of those that were not.

import type { LeftOut, SearchPlan } from '../../../verify/counterexamples/plan.ts';
import type { MutantPlan } from '../../../verify/guard/planMutants.ts';
import type { TellingReport } from '../../../verify/guard/telling.ts';

/** The functions of files with such mutants. */
export function subjectsWith(
  missed: readonly number[],
  { subjects }: SearchPlan,
  { mutants }: MutantPlan,
): SearchPlan['subjects'] {
  const paths = new Set(missed.map((at) => mutants[at]!.path));
  return subjects.filter((one) => paths.has(one.path) && !one.readsClock && !isPrivate(one));
}

/**
 * True for a function that a maintainer would hardly test by itself: by convention, a name that begins with an
 * underscore is private, and so is what no test calls in such a file, or in a folder for internals.
 */
function isPrivate({ path, name, examples }: SearchPlan['subjects'][number]): boolean {
  return name.startsWith('_') || (examples.length === 0 && /(?:^|\/)(?:_|internals?\/)/.test(path));
}

/**
 * Notes which functions a search did not call. `incomplete`: receives the files of those for which there was no time,
 * the last ones. `leftOut`: receives the others, each function once, with its first reason.
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
