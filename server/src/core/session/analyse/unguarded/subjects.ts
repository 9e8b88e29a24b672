// Chooses the functions that the search for missing tests calls, and notes those that it did not call.

import type { SkippedFunction, SearchPlan } from '../../../verify/counterexamples/plan.ts';
import type { MutantPlan } from '../../../verify/guard/planMutants.ts';
import type { DistinguishingReport } from '../../../verify/guard/distinguishingCalls.ts';
import { sortPromisingFirst } from './functionOrder.ts';

/** By path: the paths of the files that the file imports. */
type Imports = ReadonlyMap<string, readonly string[]>;

/**
 * The functions of the plan that may reach these mutants: those in the same files, and in files that import them.
 * `missed`: indexes of mutants in the plan. The most promising functions come first. Skips functions that read the
 * clock or are private by convention.
 */
export function selectSubjectsForMutants(
  missed: readonly number[],
  { subjects }: SearchPlan,
  { mutants }: MutantPlan,
  imports: Imports,
): SearchPlan['subjects'] {
  const paths = new Set(missed.map((index) => mutants[index]!.path));
  const subjectPaths = new Set(subjects.map(({ path }) => path));
  const reachingPaths = new Set(
    [...subjectPaths].filter((path) => [...collectImportClosure(path, imports)].some((path) => paths.has(path))),
  );
  return sortPromisingFirst(
    subjects.filter((subject) => reachingPaths.has(subject.path) && explainSkippedCall(subject) === null),
  );
}

/**
 * Filters `paths`: keeps files with callable functions of the plan, and files that these import, directly or
 * indirectly.
 */
export function selectFilesToMutate(
  { subjects }: Pick<SearchPlan, 'subjects'>,
  paths: readonly string[],
  imports: Imports,
): ReadonlySet<string> {
  const callablePaths = new Set(
    subjects.filter((subject) => explainSkippedCall(subject) === null).map(({ path }) => path),
  );
  const importedPaths = new Set([...callablePaths].flatMap((path) => [...collectImportClosure(path, imports)]));
  return new Set(paths.filter((path) => importedPaths.has(path)));
}

/** The file, and all files that it imports, directly or indirectly. */
function collectImportClosure(path: string, imports: Imports): ReadonlySet<string> {
  const closure = new Set([path]);
  for (const member of closure) for (const target of imports.get(member) ?? []) closure.add(target);
  return closure;
}

/** The functions of the plan that are not called although values for them are known. */
export function collectNotCalled({ subjects }: Pick<SearchPlan, 'subjects'>): readonly SkippedFunction[] {
  return subjects.flatMap((subject) => {
    const reason = explainSkippedCall(subject);
    return reason === null ? [] : [{ path: subject.path, name: subject.name, reason }];
  });
}

/** Explains why a function is not called although values for it are known; null if it is called. */
function explainSkippedCall(subject: SearchPlan['subjects'][number]): string | null {
  if (subject.readsClock) return 'It reads the clock.';
  return isPrivate(subject) ? 'Its name or its file says that it is internal.' : null;
}

/**
 * True for a function that is private by convention, so that a maintainer would hardly test it separately: its name
 * begins with an underscore, or no test calls it and a file or folder of its path begins with an underscore or is
 * called `internal` or `internals`.
 */
function isPrivate({ path, name, examples }: SearchPlan['subjects'][number]): boolean {
  return name.startsWith('_') || (examples.length === 0 && isInternal(path));
}

/** True for a file that its path marks as internal. */
export function isInternal(path: string): boolean {
  return /(?:^|\/)(?:_|internals?\/)/.test(path);
}

/**
 * Notes which functions a search did not call. `subjects`: in the order of the search. There was no time for the last
 * ones, so their files are added to `incomplete`. Each function that was skipped is added to `leftOut` once, with the
 * first reason.
 */
export function noteNotCalled(
  { notCalledYet: undone, skipped: skippedBySearch }: Pick<DistinguishingReport, 'notCalledYet' | 'skipped'>,
  subjects: readonly { readonly path: string }[],
  { leftOut, incomplete }: { readonly leftOut: SkippedFunction[]; readonly incomplete: Set<string> },
): void {
  for (const { path } of undone > 0 ? subjects.slice(-undone) : []) incomplete.add(path);
  for (const subject of skippedBySearch)
    if (!leftOut.some(({ path, name }) => path === subject.path && name === subject.name)) leftOut.push(subject);
}
