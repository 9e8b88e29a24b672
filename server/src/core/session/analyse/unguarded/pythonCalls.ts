// Finds calls that show surviving mutants of Python functions, and tests that record these calls. Both are made in the
// sandbox by `adapters/harness/python/selfware_unguarded.py`, with the Python that runs the tests.

import type { SkippedFunction } from '../../../verify/counterexamples/plan.ts';
import { findInterpreterInCommand } from '../../../verify/differential/python.ts';
import { GO_FILE } from '../../../verify/guard/go/findMutants.ts';
import { describeMutant } from '../../../verify/guard/mutantRuns.ts';
import type { MutantPlan } from '../../../verify/guard/planMutants.ts';
import { toCharacterOffset } from '../../../verify/guard/python/inPytest.ts';
import type { SourceText } from '../../../verify/guard/survivors.ts';
import type { SurvivingMutant, UnguardedFunction, WrittenTest } from '../../../verify/guard/unguarded.ts';
import type { UnchangedTests } from '../../../verify/testing/unchangedTests.ts';
import { runHarness } from '../harnessRun.ts';
import { sampleEvenly } from '../../../../util/values/sampleEvenly.ts';

/** Extra milliseconds for starting Python and for loading the modules. */
const EXTRA_MS = 60_000;

/** The report that the program in the sandbox prints. */
interface PythonReport {
  /** The reason why nothing was called; null if there is none. */
  readonly obstacle: string | null;
  readonly found: readonly {
    readonly path: string;
    readonly name: string;
    readonly startLine: number;
    /** Column (1-based) of the name. */
    readonly startColumn: number;
    readonly endLine: number;
    readonly calls: readonly PythonCall[];
    readonly test: WrittenTest;
  }[];
  readonly leftOut: readonly SkippedFunction[];
  readonly functions: number;
  readonly inputs: number;
  /** Files for which the time was not enough. */
  readonly undone: readonly string[];
}

/** A call that shows mutants. */
interface PythonCall {
  readonly call: string;
  /** The result of the call with the unchanged code: `returns 3`, `raises ValueError: negative`. */
  readonly now: string;
  /** The result as an expression, or the class of the error. */
  readonly value: string;
  /** The message of an error; null for a result. */
  readonly raises: string | null;
  /** The mutants that change the result, by their index in the plan, and the result of the call with each of them. */
  readonly tells: readonly { readonly mutant: number; readonly then: string }[];
}

/** The input of a search for calls of Python functions. */
export interface PythonSearch {
  readonly tests: UnchangedTests;
  /** The folder with Selfware's programs for Python. */
  readonly folder: string;
  readonly sources: readonly SourceText[];
  readonly plan: MutantPlan;
  /** The surviving mutants, by their index in the plan. */
  readonly missed: readonly number[];
  /** Test files that reach a source, best first. */
  testsOf(path: string): readonly string[];
  readonly budgetMs: number;
  /** Maximum number of calls of one function. */
  readonly maxCalls: number;
  /** Called with the number of functions that were called so far. */
  soFar(functions: number): void;
}

/** The result of a search for calls of Python functions. */
export interface PythonFound {
  readonly obstacle: string | null;
  readonly unguardedFunctions: readonly UnguardedFunction[];
  readonly leftOut: readonly SkippedFunction[];
  readonly functions: number;
  readonly undone: readonly string[];
}

/**
 * Keeps only the mutants that a call can show, which are those in bodies of functions: at most `maxPerFile` of each
 * file, spread over it.
 */
export function planInBodies(plan: MutantPlan, maxPerFile: number): MutantPlan {
  const mutantsInBodies = plan.mutants.filter(
    ({ path, atLoad, go }) => !atLoad && (go !== undefined || !GO_FILE.test(path)),
  );
  const paths = [...new Set(mutantsInBodies.map(({ path }) => path))];
  const mutants = paths.flatMap((path) =>
    sampleEvenly(
      mutantsInBodies.filter((mutant) => mutant.path === path),
      maxPerFile,
    ),
  );
  return { ...plan, mutants, omittedCount: plan.omittedCount + plan.mutants.length - mutants.length };
}

/**
 * Makes calls of the functions, and chooses those that show surviving mutants. `obstacle`: the reason why nothing was
 * called; null if there is none. Throws `cancelled`, and `unavailable` if the program ends without a report.
 */
export async function findPythonCalls(search: PythonSearch, signal: AbortSignal): Promise<PythonFound> {
  const { tests, folder, sources, plan, missed, budgetMs, maxCalls } = search;
  const { worktree } = tests;
  const request = {
    root: worktree.dir,
    budgetMs,
    most: maxCalls,
    files: sources.flatMap(({ path, text }) => {
      const missedInFile = missed.filter((index) => plan.mutants[index]!.path === path);
      if (missedInFile.length === 0) return [];
      const mutants = missedInFile.map((index) => {
        const { start, end, text: replacement, reach, line } = plan.mutants[index]!;
        const [first, last] = reach ?? [line, line];
        return [index, toCharacterOffset(text, start), toCharacterOffset(text, end), replacement, first, last];
      });
      const testFiles = search.testsOf(path).map((file) => `${worktree.dir}/${file}`);
      return [{ path: `${worktree.dir}/${path}`, shown: path, text, mutants, tests: testFiles }];
    }),
  };
  const command = [findInterpreterInCommand(tests.chosen.command), `${folder}/selfware_unguarded.py`];
  const soFar = ({ functions }: PythonReport) => search.soFar(functions);
  const report = await runHarness(worktree, command, request, { timeoutMs: budgetMs + EXTRA_MS, soFar }, signal);
  const { obstacle, leftOut, functions, undone } = report;
  return { obstacle, leftOut, functions, undone, unguardedFunctions: describeFunctions(report, plan) };
}

/** Describes the functions with surviving mistakes. */
function describeFunctions({ found }: PythonReport, { mutants }: MutantPlan): readonly UnguardedFunction[] {
  // Calls of several functions may show the same mistake. It belongs to the function whose lines contain it, otherwise
  // to the first.
  const ownerByMutant = new Map<number, number>();
  for (const [functionIndex, { calls, startLine, endLine }] of found.entries())
    for (const mutant of calls.flatMap(({ tells }) => tells.map((tell) => tell.mutant))) {
      const { line } = mutants[mutant]!;
      if (!ownerByMutant.has(mutant) || (startLine <= line && line <= endLine))
        ownerByMutant.set(mutant, functionIndex);
    }
  return found.flatMap((foundFunction, functionIndex) => {
    const { path, name, startLine, startColumn, endLine, test } = foundFunction;
    const mistakes = foundFunction.calls.flatMap(({ call, now, tells }) =>
      tells
        .filter(({ mutant }) => ownerByMutant.get(mutant) === functionIndex)
        .map(({ mutant, then }) => ({ ...describeMistake(mutants[mutant]!, call, now, then), mutant })),
    );
    if (mistakes.length === 0) return [];
    const distinctMistakes = [...new Map(mistakes.toReversed().map((mistake) => [mistake.mutant, mistake])).values()];
    const sorted = distinctMistakes.toSorted((a, b) => mutants[a.mutant]!.start - mutants[b.mutant]!.start);
    return [
      {
        ...{ path, name, exportedAs: name, runner: 'pytest', test },
        range: { startLine, startColumn: 1, endLine, endColumn: 1 },
        nameRange: { startLine, startColumn, endLine: startLine, endColumn: startColumn + name.length },
        mistakes: sorted.map(({ mutant: _, ...mistake }) => mistake),
        calls: foundFunction.calls.map(({ call, value, raises }) => ({
          call,
          given: [],
          result: raises === null ? { value, promised: false } : { throws: value, message: raises, promised: false },
        })),
      },
    ];
  });
}

function describeMistake(
  mutant: MutantPlan['mutants'][number],
  call: string,
  now: string,
  then: string,
): SurvivingMutant {
  return { line: mutant.line, shown: mutant.shown, place: describeMutant(mutant), call, now, then };
}
