// Tries mutants first with the test files that name the functions. These notice most mutants in a fraction of the time
// of all tests, which then run only with the remaining mutants.

import { isTest } from '../../../paths/tests.ts';
import type { SearchPlan } from '../../../verify/counterexamples/plan.ts';
import type { MutantStatus } from '../../../verify/guard/mutantRuns.ts';
import type { Mutant } from '../../../verify/guard/planMutants.ts';
import { determineStatuses, type MutantTrial } from '../../../verify/guard/survivors.ts';
import type { TestCase } from '../../../verify/parse/testCounts.ts';
import type { SessionContext } from '../../context.ts';
import { readTextOrNull } from '../../search/packing.ts';
import { isNamedAfter } from '../../verify/reachingTests.ts';

/** The file and the name of a function. */
type NamedSubject = Pick<SearchPlan['subjects'][number], 'path' | 'name'>;

/** Maximum number of test files that are chosen for one function. */
const MAX_FILES_OF_FUNCTION = 2;
/**
 * Minimum ratio of the number of all test files to the number of chosen ones. With a smaller ratio, the choice saves
 * nothing.
 */
const MIN_SAVING = 3;
/** Maximum share of the time that the chosen test files may use. */
const SHARE_FOR_NEAR = 0.5;

/**
 * Determines the statuses of mutants: first with the test files `nearTests` (from `chooseNearTests`) and then, for the
 * mutants that these do not notice, with all test files of the trial. Null if no test passes. If only tests of
 * `nearTests` pass, the result has only the mutants that they notice. If the search is stopped, it has the statuses so
 * far.
 */
export async function determineStatusesNearFirst(
  trial: MutantTrial,
  nearTests: readonly string[],
  seconds: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<Mutant, MutantStatus> | null> {
  if (nearTests.length === 0) return determineStatuses(trial, seconds, signal);
  const { clock } = trial.context;
  const startedAt = clock.now();
  // A few test files do not show whether the runner can judge several mutants in one run.
  const { onNeedsSeparateRuns: _, ...nearTrial } = trial;
  const nearStatuses = await determineStatuses(
    { ...nearTrial, testFiles: nearTests },
    seconds * SHARE_FOR_NEAR,
    signal,
  );
  const isNoticed = (mutant: Mutant) => ['noticed', 'stopped', 'invalid'].includes(nearStatuses?.get(mutant) ?? '');
  // A mutant for which there was no time with the near tests would not be tried in time with all tests either.
  const remainingMutants = [...(trial.chosenMutants ?? trial.plan.mutants)].filter(
    (mutant) => !nearStatuses?.size || (nearStatuses.has(mutant) && !isNoticed(mutant)),
  );
  const noticedStatuses = [...(nearStatuses ?? [])].filter(([mutant]) => isNoticed(mutant));
  if (trial.stop?.aborted) return nearStatuses;
  if (remainingMutants.length === 0) return new Map(noticedStatuses);
  const secondsLeft = seconds - (clock.now() - startedAt) / 1000;
  const statuses = await determineStatuses({ ...trial, chosenMutants: new Set(remainingMutants) }, secondsLeft, signal);
  return mergeStatuses(noticedStatuses, statuses);
}

/**
 * Merges the statuses of both runs. If the second run gave none, only the mutants that the first run has noticed
 * remain; if there are none, the result is null.
 */
export function mergeStatuses(
  noticed: readonly (readonly [Mutant, MutantStatus])[],
  statuses: ReadonlyMap<Mutant, MutantStatus> | null,
): ReadonlyMap<Mutant, MutantStatus> | null {
  return statuses === null && noticed.length === 0 ? null : new Map([...noticed, ...(statuses ?? [])]);
}

/**
 * The test files among `testFiles` that name one of these functions: for each function at most two, those named after
 * its file or itself first, then the fastest. Empty if running them would save little. `cases`: the test cases of a run
 * of all tests, with their durations.
 */
export async function chooseNearTests(
  context: SessionContext,
  testFiles: readonly string[],
  functions: readonly NamedSubject[],
  cases: readonly Pick<TestCase, 'file' | 'millis'>[],
): Promise<readonly string[]> {
  const files = testFiles.filter(isTest);
  if (files.length < MIN_SAVING) return [];
  const texts = await Promise.all(
    files.map(async (file) => ({ file, text: (await readTextOrNull(context, file)) ?? '' })),
  );
  const chosenFiles = chooseNamingTests(texts, functions, cases);
  return chosenFiles.length * MIN_SAVING <= files.length ? chosenFiles : [];
}

/**
 * The test files that name one of these functions: for each function at most two, those named after its file or itself
 * first, then the fastest. `texts`: the test files to choose from. `cases`: the test cases of a run of all tests, with
 * their durations.
 */
export function chooseNamingTests(
  texts: readonly { readonly file: string; readonly text: string }[],
  functions: readonly NamedSubject[],
  cases: readonly Pick<TestCase, 'file' | 'millis'>[],
): readonly string[] {
  const millisByFile = new Map<string, number>();
  for (const { file, millis } of cases)
    if (file !== null) millisByFile.set(file, (millisByFile.get(file) ?? 0) + (millis ?? 0));
  const chosenFiles = functions.flatMap(({ path, name }) => {
    const word = name.slice(name.lastIndexOf('.') + 1);
    const rankOf = (file: string) => (isNamedAfter(file, path) || isNamedAfter(file, word) ? 0 : 1);
    return texts
      .filter(({ text }) => text.includes(word))
      .map(({ file }) => ({ file, rank: rankOf(file), millis: millisByFile.get(file) ?? 0 }))
      .toSorted((a, b) => a.rank - b.rank || a.millis - b.millis)
      .slice(0, MAX_FILES_OF_FUNCTION)
      .map(({ file }) => file);
  });
  return [...new Set(chosenFiles)];
}
