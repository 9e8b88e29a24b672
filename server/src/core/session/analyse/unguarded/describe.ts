// Describes the results of a search for calls: each function with its mistakes, the calls that show them, and a test.

import type { Case } from '../../../propose/characterization/caseText.ts';
import type { SearchPlan } from '../../../verify/counterexamples/plan.ts';
import { describeMutant } from '../../../verify/guard/mutantRuns.ts';
import type { MutantPlan } from '../../../verify/guard/planMutants.ts';
import type { DistinguishingCall, DistinguishingReport } from '../../../verify/guard/distinguishingCalls.ts';
import type { SurvivingMutant, UnguardedFunction } from '../../../verify/guard/unguarded.ts';
import type { SessionContext } from '../../context.ts';
import { sortNamedTestsFirst, findReachingTests } from '../../verify/reachingTests.ts';
import { groupBy } from '../../../../util/values/groupBy.ts';
import { memberOf, passesNothing, resultText } from './unguardedMistakes.ts';
import { removeAlikeCalls } from './distinctCalls.ts';

/** A function with the calls that distinguish its mutants. */
type DescribedFunction = Pick<
  UnguardedFunction,
  'path' | 'name' | 'exportedAs' | 'className' | 'range' | 'nameRange'
> & {
  readonly calls: readonly (DistinguishingCall & Pick<Case, 'mistakesThrow'>)[];
};

/**
 * Describes the functions whose calls show surviving mutants, as far as the compiler allows these calls. Each has a
 * test that records the calls, or the reason why there is none. `runner`: the name of the test runner; null if unknown.
 */
export async function describeFound(
  context: SessionContext,
  runner: string | null,
  signal: AbortSignal,
  subjects: SearchPlan['subjects'],
  { mutants }: MutantPlan,
  report: DistinguishingReport,
): Promise<readonly UnguardedFunction[]> {
  const writeTests = (functions: readonly DescribedFunction[]) =>
    context.ports.jobs.run(
      'guardingTests',
      {
        rootDir: context.ports.files.rootDir,
        functions: functions.map(({ range: _range, nameRange: _nameRange, ...one }) => one),
        tests: Object.fromEntries(
          functions.map(({ path }) => [
            path,
            sortNamedTestsFirst(findReachingTests(context.state.imports, [path]), path),
          ]),
        ),
        runner,
      },
      signal,
    );
  const describeSubject = (subjectIndex: number) => {
    const { path, name, exportedAs, member, range, nameRange } = subjects[subjectIndex]!;
    return { path, name, exportedAs, ...(member && { className: member.className }), range, nameRange };
  };
  const shownMutants = report.callsByFunction.flatMap(({ calls }) => [
    ...new Set(calls.flatMap(({ tells }) => tells.map(({ mutant }) => mutant))),
  ]);
  const isShared = new Set(shownMutants).size < shownMutants.length;
  const tests = isShared
    ? await writeTests(report.callsByFunction.map(({ of, calls }) => ({ ...describeSubject(of), calls })))
    : [];
  const reachedSubjects = new Set(
    tests.flatMap(({ test }, position) =>
      'isReached' in test && test.isReached ? report.callsByFunction[position]!.of : [],
    ),
  );
  // Calls of several functions may show the same mistake. It belongs to a function that test files already import,
  // because maintainers test what a package offers rather than its inner parts. Of these, it belongs to the function
  // whose lines contain it, else to the first function of the same file that shows it, else to the first one that does.
  const computeNearness = (subjectIndex: number, mutant: number): number => {
    const { path, line } = mutants[mutant]!;
    const distance =
      path !== subjects[subjectIndex]!.path ? 0 : containsLine(subjects[subjectIndex]!.range, line) ? 2 : 1;
    return distance + (reachedSubjects.has(subjectIndex) ? 3 : 0);
  };
  const ownerByMutant = new Map<number, number>();
  for (const { of, calls } of report.callsByFunction)
    for (const mutant of calls.flatMap(({ tells }) => tells.map((tell) => tell.mutant))) {
      const currentOwner = ownerByMutant.get(mutant);
      if (currentOwner === undefined || computeNearness(of, mutant) > computeNearness(currentOwner, mutant))
        ownerByMutant.set(mutant, of);
    }
  const firstOf = ({ tells }: DistinguishingCall) => Math.min(...tells.map(({ mutant }) => mutants[mutant]!.start));
  const functionsWithCalls = report.callsByFunction.flatMap(({ of, calls }) => {
    const callsOfFunction = removeDuplicates(calls)
      .map((call) => ({ ...call, tells: call.tells.filter(({ mutant }) => ownerByMutant.get(mutant) === of) }))
      .filter(({ tells }) => tells.length > 0)
      .filter((call, _at, all) => !passesNothing(call) || all.every(passesNothing))
      .map((call) => ({ ...call, ...(call.tells.every(isThrown) && { mistakesThrow: true as const }) }));
    const distinctCalls = removeAlikeCalls(callsOfFunction, mutants).toSorted((a, b) => firstOf(a) - firstOf(b));
    // Calls of several steps that end with different members belong to different tests.
    return groupBy(distinctCalls, memberOf).map((callsOfMember) => ({ ...describeSubject(of), calls: callsOfMember }));
  });
  const writtenTests = await writeTests(functionsWithCalls);
  return functionsWithCalls.flatMap((guardedFunction, position) => {
    const { allowed, test } = writtenTests[position]!;
    const calls = guardedFunction.calls.filter((_, index) => allowed[index]);
    const mistakes = calls.flatMap(({ call, result, tells }) =>
      tells.map(({ mutant, then }): SurvivingMutant & { readonly start: number } => {
        const { path, line, shown, start } = mutants[mutant]!;
        const place = describeMutant(mutants[mutant]!);
        const otherPath = path === guardedFunction.path ? {} : { path };
        return { line, shown, place, call, now: resultText(result), then, start, ...otherPath };
      }),
    );
    const distinctMistakes = [
      ...new Map(mistakes.map((mistake) => [`${mistake.start} ${mistake.place}`, mistake])).values(),
    ];
    const isElsewhere = ({ path }: SurvivingMutant) => Number(path !== undefined);
    const sorted = distinctMistakes
      .toSorted((a, b) => isElsewhere(a) - isElsewhere(b) || a.start - b.start)
      .map(({ start: _, ...mistake }) => mistake);
    if (sorted.length === 0) return [];
    return [
      {
        ...guardedFunction,
        ...{ runner, mistakes: sorted },
        calls: calls.map(({ tells: _, ...call }) => call),
        test: 'refused' in test ? test : { path: test.edit.path, added: test.added },
      },
    ];
  });
}

/**
 * Merges equal calls: when inputs are shrunk, two of them may become the same call. The merged call shows the mistakes
 * of both.
 */
function removeDuplicates(calls: readonly DistinguishingCall[]): readonly DistinguishingCall[] {
  const callByText = new Map<string, DistinguishingCall>();
  for (const call of calls) {
    const key = JSON.stringify([call.call, call.given, call.around, call.steps]);
    const earlier = callByText.get(key);
    callByText.set(key, earlier ? { ...earlier, tells: [...earlier.tells, ...call.tells] } : call);
  }
  return [...callByText.values()];
}

function isThrown({ then }: DistinguishingCall['tells'][number]): boolean {
  return /^(?:throws|rejects with) /.test(then);
}

function containsLine({ startLine, endLine }: UnguardedFunction['range'], line: number): boolean {
  return startLine <= line && line <= endLine;
}
