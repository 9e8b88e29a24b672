// Finds calls that show surviving mutants of Go functions, and tests that record these calls. The calls are made in the
// sandbox by `adapters/harness/go/makeCalls.ts`.

import type { SkippedFunction } from '../../../verify/counterexamples/plan.ts';
import { parseGoTestWords } from '../../../verify/detect/goTest.ts';
import { chooseGoCalls, describeOutcome, type ChosenFunction } from '../../../verify/guard/go/calls/choose.ts';
import type { GoCallsOrder, GoCallsReport } from '../../../verify/guard/go/calls/goCallsOrder.ts';
import type { GoPackagePlan } from '../../../verify/guard/go/calls/plan.ts';
import { createCallsProgram } from '../../../verify/guard/go/calls/program.ts';
import { writeGoTest } from '../../../verify/guard/go/calls/writeTest.ts';
import { describeMutant } from '../../../verify/guard/mutantRuns.ts';
import type { MutantPlan } from '../../../verify/guard/planMutants.ts';
import type { SourceText } from '../../../verify/guard/survivors.ts';
import type { UnguardedFunction } from '../../../verify/guard/unguarded.ts';
import type { UnchangedTests } from '../../../verify/testing/unchangedTests.ts';
import { runHarness } from '../harnessRun.ts';

/** Extra milliseconds for starting the program. */
const MORE_MS = 60_000;

/** The input of a search for calls of Go functions. */
export interface GoSearch {
  readonly tests: UnchangedTests;
  readonly harness: readonly string[];
  /** The package of the sources. */
  readonly calls: GoPackagePlan;
  readonly sources: readonly SourceText[];
  readonly plan: MutantPlan;
  /** The surviving mutants, by their index in the plan. */
  readonly missed: readonly number[];
  readonly budgetMs: number;
  /** Maximum number of calls of one function. */
  readonly maxCalls: number;
}

/** The result of a search for calls of Go functions. */
export interface GoFound {
  /** The reason why nothing was called; null if there is none. */
  readonly obstacle: string | null;
  readonly unguardedFunctions: readonly UnguardedFunction[];
  readonly leftOut: readonly SkippedFunction[];
  /** Number of functions that were called. */
  readonly functions: number;
  /** True if the time was not enough. */
  readonly isOutOfTime: boolean;
}

/**
 * Makes calls of the functions, and chooses those that show surviving mutants. Throws `cancelled`, and `unavailable` if
 * the program ends without a report.
 */
export async function findGoCalls(search: GoSearch, signal: AbortSignal): Promise<GoFound> {
  const { tests, harness, calls, sources, plan, missed, budgetMs, maxCalls } = search;
  const { worktree } = tests;
  const goWords = parseGoTestWords(tests.chosen.command);
  const emptyResult = { unguardedFunctions: [], leftOut: calls.leftOut, functions: 0, isOutOfTime: false };
  if (!goWords) return { ...emptyResult, obstacle: 'The test command is not a plain `go test`.' };
  if (calls.subjects.length === 0) return { ...emptyResult, obstacle: null };
  const request: GoCallsOrder = {
    goCalls: true,
    root: worktree.dir,
    build: goWords.build,
    env: goWords.env,
    files: sources,
    mutants: missed.flatMap((index) => {
      const { path, start, end, text, go } = plan.mutants[index]!;
      return go ? [{ number: index, path, start, end, text, ...go }] : [];
    }),
    folder: calls.folder,
    program: createCallsProgram(calls),
    tests: calls.testFiles.map(({ path }) => path),
    budgetMs,
  };
  const run = { timeoutMs: budgetMs + MORE_MS, soFar: () => undefined };
  const report = await runHarness<GoCallsReport>(worktree, harness, request, run, signal);
  const { obstacle, isOutOfTime } = report;
  const functions = obstacle === null ? calls.subjects.length : 0;
  const chosenCalls = chooseGoCalls(calls, report, (mutant) => plan.mutants[mutant]!, maxCalls);
  return {
    obstacle,
    isOutOfTime,
    functions,
    leftOut: calls.leftOut,
    unguardedFunctions: describeAll(chosenCalls, calls, plan),
  };
}

/** Describes the functions with surviving mistakes. */
function describeAll(
  chosenFunctions: readonly ChosenFunction[],
  calls: GoPackagePlan,
  { mutants }: MutantPlan,
): readonly UnguardedFunction[] {
  return chosenFunctions.map((chosenFunction) => {
    const { path, name, range, nameRange } = chosenFunction.subject;
    const mistakes = chosenFunction.calls
      .flatMap(({ shown: call, results, tells }) =>
        tells.map(({ mutant, then }) => ({ mutant, call, then, now: describeOutcome({ call: 0, results }) })),
      )
      .toSorted((a, b) => mutants[a.mutant]!.start - mutants[b.mutant]!.start);
    return {
      ...{ path, name, exportedAs: name, range, nameRange, runner: 'go', test: writeGoTest(calls, chosenFunction) },
      mistakes: mistakes.map(({ mutant, call, then, now }) => {
        const { line, shown } = mutants[mutant]!;
        return { line, shown, place: describeMutant(mutants[mutant]!), call, now, then };
      }),
      calls: chosenFunction.calls.map(({ shown, call, results }) => ({
        call: shown,
        given: call.given.map((value) => ('text' in value ? value.text : value.given.join(', '))),
        ...(call.receiver ? { around: ['', ''] as const } : {}),
        result: { value: results.map(({ text }) => text).join(', '), promised: false },
      })),
    };
  });
}
