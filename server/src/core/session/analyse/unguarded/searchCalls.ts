// Runs the harness to search for calls that show mutants.

import type { SearchPlan } from '../../../verify/counterexamples/plan.ts';
import type { Mutant, MutantPlan } from '../../../verify/guard/planMutants.ts';
import type { SourceText } from '../../../verify/guard/survivors.ts';
import type { DistinguishingOrder, DistinguishingReport } from '../../../verify/guard/distinguishingCalls.ts';
import type { UnguardedFunction } from '../../../verify/guard/unguarded.ts';
import { runHarness } from '../harnessRun.ts';
import { collectNearbyValues } from './nearby.ts';
import type { Search } from './search.ts';
import type { ShownBy } from './functionOrder.ts';
import { selectSubjectsForMutants } from './subjects.ts';

/** The fixed seed of generated inputs, so that the same code gives the same calls. */
const INPUT_SEED = 20261126;
/** Numbers of plain and of unusual inputs that are generated for each function. */
const INPUT_COUNTS = [160, 160] as const;
/** Number of inputs for each function that are varied from those in its tests. */
const VARIED_INPUT_COUNT = 600;
/** Maximum factor by which `VARIED_INPUT_COUNT` grows if there is more time than usual. */
const MAX_VARIED_FACTOR = 4;
/** Maximum number of calls, and thus of tests, for one function. More would be too much to read. */
export const MAX_FUNCTION_CALLS = 5;
/** Minimum number of milliseconds for the calls of one file. */
const CALLS_MS = 15_000;
/** Additional milliseconds for starting the harness. */
const EXTRA_MS = 60_000;
/** Minimum number of seconds for all calls. */
const MIN_SECONDS = 2;

/** The functions to call, and the mutants of their files. */
export interface CallSearchPlan {
  readonly search: SearchPlan;
  readonly plan: MutantPlan;
  readonly sources: readonly SourceText[];
}

/**
 * The missed mutants that calls of one object, made by several steps, may show: those in its own lines, and those in
 * its file outside the lines of every other such object. `missed` and the result: indexes of mutants in the plan.
 */
function selectMutantsOfSteps(
  { path, range }: SearchPlan['subjects'][number],
  subjects: SearchPlan['subjects'],
  { mutants }: MutantPlan,
  missed: readonly number[],
): readonly number[] {
  const otherSubjects = subjects.filter((subject) => subject.used && subject.path === path && subject.range !== range);
  const isWithinLines = (lines: UnguardedFunction['range'], { line }: Mutant) =>
    lines.startLine <= line && line <= lines.endLine;
  return missed.filter((index) => {
    const mutant = mutants[index]!;
    return (
      mutant.path === path &&
      (isWithinLines(range, mutant) || !otherSubjects.some((subject) => isWithinLines(subject.range, mutant)))
    );
  });
}

/** Options that limit a search for calls. */
interface CallSearchOptions {
  /**
   * True to skip mutants that the calls in the tests already show, and to find out only which of the other mutants
   * calls show.
   */
  readonly exceptExamples?: boolean;
  /**
   * The functions to call, and the mutants that calls of each are known to show; if absent, all functions are called.
   */
  readonly shownBy?: ShownBy;
}

/**
 * The functions that a search for calls that show these mutants calls, in its order. `missed`: indexes of mutants in
 * the plan.
 */
export function listSubjectsOfSearch(
  { search, plan }: Pick<CallSearchPlan, 'search' | 'plan'>,
  missed: readonly number[],
  imports: Parameters<typeof selectSubjectsForMutants>[3],
  shownBy?: ShownBy,
): SearchPlan['subjects'] {
  const subjects = selectSubjectsForMutants(missed, search, plan, imports);
  return shownBy
    ? subjects.filter((subject) => shownBy.get(subject)?.some((index) => missed.includes(index)))
    : subjects;
}

/**
 * Searches for calls that show mutants. `missed`: indexes of these mutants in the plan. Throws `cancelled`, and
 * `unavailable` if the harness ends without a report.
 */
export function searchCalls(
  { context, harness, tests, request, totals }: Search,
  { search, plan, sources }: CallSearchPlan,
  missed: readonly number[],
  remainingMs: number,
  { exceptExamples = false, shownBy }: CallSearchOptions = {},
): Promise<DistinguishingReport> {
  const subjects = listSubjectsOfSearch({ search, plan }, missed, context.state.imports, shownBy);
  const listMutants = (subject: SearchPlan['subjects'][number]) => {
    const shownMutants = shownBy?.get(subject)?.filter((index) => missed.includes(index));
    return shownMutants ?? (subject.used ? selectMutantsOfSteps(subject, subjects, plan, missed) : undefined);
  };
  const files = new Set(subjects.map(({ path }) => path)).size;
  // The calls of a file get the file's share of the time if that is more than `CALLS_MS`.
  const shareMs = (remainingMs * files) / Math.max(1, files, totals.undone);
  const budgetMs = Math.min(Math.max(remainingMs, MIN_SECONDS * 1000), Math.max(CALLS_MS * files, shareMs));
  const harnessRequest: DistinguishingOrder = {
    telling: true,
    seed: INPUT_SEED,
    budgetMs,
    runs: INPUT_COUNTS,
    varied:
      VARIED_INPUT_COUNT *
      Math.min(MAX_VARIED_FACTOR, Math.max(1, Math.floor(budgetMs / (CALLS_MS * Math.max(1, files))))),
    maxCalls: MAX_FUNCTION_CALLS,
    subjects: subjects.map((subject) => {
      const mutants = listMutants(subject);
      return mutants ? { ...subject, mutants } : subject;
    }),
    materials: search.materials,
    emit: search.emit,
    files: plan.schemata.files,
    mutants: missed,
    nearbyCode: Object.fromEntries(
      collectNearbyValues(
        missed.map((index) => plan.mutants[index]!),
        sources,
      ).map((nearbyValues, index) => [missed[index]!, nearbyValues]),
    ),
    ...(exceptExamples && { exceptExamples: true as const }),
  };
  const soFar = ({ functions }: DistinguishingReport) =>
    request.report?.({
      stage: 'verifying',
      done: totals.functions + functions,
      total: null,
      message: 'Calls functions with and without mistakes',
    });
  return runHarness(
    tests.worktree,
    harness,
    harnessRequest,
    { timeoutMs: harnessRequest.budgetMs + EXTRA_MS, soFar },
    request.signal,
  );
}
