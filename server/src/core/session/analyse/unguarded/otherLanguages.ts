// The part of the search for missing tests that calls functions of Python and Go: it runs the search of the language,
// and adds its results to the counts of the search.

import { GO_FILE } from '../../../verify/guard/go/findMutants.ts';
import type { MutantPlan } from '../../../verify/guard/planMutants.ts';
import type { SourceText } from '../../../verify/guard/survivors.ts';
import { SelfwareError } from '../../../../util/typedError.ts';
import { readTextOrNull } from '../../search/packing.ts';
import { sortNamedTestsFirst, findReachingTests } from '../../verify/reachingTests.ts';
import { findGoCalls } from './goCalls.ts';
import { findPythonCalls } from './pythonCalls.ts';
import type { FoundInFiles, Search } from './search.ts';

/** Minimum number of milliseconds for the calls, even if the mutants have used up the time. */
const MIN_MS = 2_000;
/** Minimum number of milliseconds for the calls in Go, whose build takes longer. */
const MIN_GO_MS = 20_000;

/** The surviving mutants of some files, and the limit for the calls that are to show them. */
interface SurvivorsOfFiles {
  readonly sources: readonly SourceText[];
  readonly plan: MutantPlan;
  /** The surviving mutants, by their index in the plan. */
  readonly missed: readonly number[];
  /** Maximum number of calls of one function. */
  readonly maxCalls: number;
}

/**
 * Searches for calls in Go or Python that show the surviving mutants. Adds files for which there was not enough time to
 * `incomplete`. Throws `cancelled`, and `unavailable` if nothing could be called.
 */
export function searchOtherLanguage(
  run: Search,
  missed: SurvivorsOfFiles,
  remainingMs: number,
  incomplete: Set<string>,
): Promise<FoundInFiles> {
  return missed.sources.every(({ path }) => GO_FILE.test(path))
    ? searchGo(run, missed, remainingMs, incomplete)
    : searchPython(run, missed, remainingMs, incomplete);
}

/** Searches Python code. Throws `unavailable` if the programs for that are missing. */
async function searchPython(
  { context, gates, tests, request, totals }: Search,
  missed: SurvivorsOfFiles,
  remainingMs: number,
  incomplete: Set<string>,
): Promise<FoundInFiles> {
  const folder = gates.proof?.python;
  if (!folder) throw new SelfwareError('unavailable', 'This installation has no programs that call Python code.', {});
  const report = await findPythonCalls(
    {
      ...missed,
      ...{ tests, folder },
      budgetMs: Math.max(remainingMs, MIN_MS),
      testsOf: (path) => sortNamedTestsFirst(findReachingTests(context.state.imports, [path]), path),
      soFar: (functions) =>
        request.report?.({
          stage: 'verifying',
          done: totals.functions + functions,
          total: null,
          message: 'Calls functions with and without mistakes',
        }),
    },
    request.signal,
  );
  if (report.obstacle !== null) throw new SelfwareError('unavailable', report.obstacle, {});
  totals.functions += report.functions;
  totals.leftOut.push(...report.leftOut);
  for (const path of report.undone) incomplete.add(path);
  return { foundFunctions: report.unguardedFunctions, incomplete };
}

/** Searches for calls in the one Go package to which all sources belong. */
async function searchGo(
  { context, harness, tests, request, totals }: Search,
  missed: SurvivorsOfFiles,
  remainingMs: number,
  incomplete: Set<string>,
): Promise<FoundInFiles> {
  const paths = missed.sources.map(({ path }) => path);
  const folder = folderOf(paths[0]!);
  const packagePaths = [...context.state.analyses.keys()].filter(
    (path) => GO_FILE.test(path) && folderOf(path) === folder,
  );
  const files = await Promise.all(
    packagePaths.map(async (path) => ({ path, text: (await readTextOrNull(context, path)) ?? '' })),
  );
  const calls = await context.ports.jobs.run('planGoCalls', { folder, files, paths }, request.signal);
  if (!calls) return { foundFunctions: [], incomplete };
  const budgetMs = Math.max(remainingMs, MIN_GO_MS);
  const report = await findGoCalls({ ...missed, tests, harness, calls, budgetMs }, request.signal);
  totals.functions += report.functions;
  totals.leftOut.push(...report.leftOut);
  if (report.obstacle !== null)
    for (const path of paths) totals.leftOut.push({ path, name: 'all of it', reason: report.obstacle });
  if (report.isOutOfTime) for (const path of paths) incomplete.add(path);
  return { foundFunctions: report.unguardedFunctions, incomplete };
}

/** The folder of a path; empty for the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
