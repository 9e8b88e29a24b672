// The job that writes tests for functions that no test guards, from calls that the compiler allows.

import type { SourceTree } from '../ports/sources.ts';
import { isOnlyRun, type Case } from '../propose/characterization/caseText.ts';
import { createGuardingTest, type GuardingTest } from '../propose/characterization/guardingTest.ts';
import { checkSteps } from '../verify/sequences/allowedSteps.ts';
import { filterAllowed, type CheckedCalls, type EditableFile } from '../verify/counterexamples/filterAllowed.ts';

/**
 * The types of the job. `allowed`: for each call, whether its declared types allow it, and a test can compare its
 * result; the test contains only these calls.
 */
export interface GuardingTestsJob {
  readonly input: {
    readonly rootDir: string;
    readonly functions: readonly {
      readonly path: string;
      readonly name: string;
      readonly exportedAs: string;
      /** Set for a member of a class. Tests import the class. */
      readonly className?: string;
      readonly calls: readonly (Case & { readonly call: string })[];
    }[];
    /** Test files that reach a file, best first; by the path of the file. */
    readonly tests: Readonly<Record<string, readonly string[]>>;
    /** Name of the test runner; null if it is unknown. */
    readonly runner: string | null;
  };
  readonly output: readonly {
    readonly allowed: readonly boolean[];
    readonly test: GuardingTest | { readonly refused: string };
  }[];
}

/** Writes a test for each function. Only reads the tree. */
export function writeGuardingTests(
  { functions, tests, runner }: GuardingTestsJob['input'],
  tree: SourceTree,
  openFile: (tree: SourceTree, file: string, text: string) => EditableFile,
): GuardingTestsJob['output'] {
  const calls = functions.map(({ path, name, exportedAs, className, calls }) =>
    calls.map(({ call }) => ({ path, name: className ?? name, exportedAs, calls: [call] })),
  );
  const allowed = new Set(
    filterAllowed(
      calls.flatMap((list, position) =>
        list.filter((_, index) => functions[position]!.calls[index]!.steps === undefined),
      ),
      tree,
      openFile,
      true,
    ),
  );
  const voidCalls = findVoidCalls(calls, functions, tree, openFile);
  return functions.map((subject, position) => {
    const acceptedSteps = checkSteps(
      subject.path,
      subject.calls.flatMap(({ steps, recorders }) => (steps ? [{ steps, ...(recorders && { recorders }) }] : [])),
      tree,
      openFile,
    ).values();
    const isAllowed = calls[position]!.map((call, index) =>
      subject.calls[index]!.steps ? acceptedSteps.next().value === true : allowed.has(call) && !voidCalls.has(call),
    );
    const cases = subject.calls.filter((_, index) => isAllowed[index]);
    if (cases.length === 0)
      return { allowed: isAllowed, test: { refused: 'The compiler refuses the calls that show the mistakes.' } };
    const testContext = { tests: tests[subject.path] ?? [], runner };
    return {
      allowed: isAllowed,
      test: createGuardingTest(
        { ...subject, name: subject.className ?? subject.name, qualifiedName: subject.name, cases },
        testContext,
        tree,
        openFile,
      ),
    };
  });
}

/**
 * The calls whose results a test would compare although their type is void. Calls that are only run, to assert that
 * they do not throw, are not among them.
 */
function findVoidCalls<Kind extends CheckedCalls>(
  calls: readonly (readonly Kind[])[],
  functions: GuardingTestsJob['input']['functions'],
  tree: SourceTree,
  openFile: (tree: SourceTree, file: string, text: string) => EditableFile,
): ReadonlySet<Kind> {
  const comparedCalls = calls.flatMap((list, position) =>
    list.filter((_, index) => {
      const guardedCall = functions[position]!.calls[index]!;
      const { result, steps } = guardedCall;
      return steps === undefined && 'value' in result && result.value === 'undefined' && !isOnlyRun(guardedCall);
    }),
  );
  // The compiler refuses a condition of type void. The calls themselves are allowed, so only void calls are refused.
  const conditions = comparedCalls.map((comparison) => ({
    ...comparison,
    comparison,
    calls: comparison.calls.map((call) => `(await ${call}) ? 1 : 0`),
  }));
  const callsWithValue = new Set(filterAllowed(conditions, tree, openFile, true).map(({ comparison }) => comparison));
  return new Set(comparedCalls.filter((comparison) => !callsWithValue.has(comparison)));
}
