// Searches for calls that break exported functions, in a sandbox, and stores the counterexamples of each file.

import { SCRIPT_WITH_CODE_PATTERN } from '../../paths/scriptFiles.ts';
import { isOutsideProduct } from '../../analysis/project/conventions.ts';
import { isConfiguration } from '../../paths/tools.ts';
import { isTestSupport } from '../../paths/tests.ts';
import { isWithin } from '../../../util/pathWithin.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import type {
  CheckedCounterexample,
  Counterexample,
  Law,
  SearchOrder,
  SearchPlan,
  SearchReport,
} from '../../verify/counterexamples/plan.ts';
import type { RecordedCalls } from '../../verify/guard/recordedCalls.ts';
import type { Operation } from '../../operation.ts';
import type { SessionContext } from '../context.ts';
import { isJudge } from '../verify/judgeFiles.ts';
import { requireHarness, runHarness } from './harnessRun.ts';
import { createCurrentInternalNameTest, isPublished } from './projectFindings.ts';
import {
  computeGround,
  storeCounterexamples,
  createCounterexampleOpportunity,
  readStoredCounterexamples,
  type StoredFile,
} from './storedCounterexamples.ts';
import type { CounterexampleReport } from './analysisTypes.ts';
import { sortByWeight } from './ranking.ts';
import { chooseQuickly } from './unguarded/quick.ts';

/** Matches paths of files that may be CommonJS modules. */
const COMMON_JS_PATTERN = /\.c?jsx?$/;
/** Number of files in one job. Functions that are inverses of each other are found only within one job. */
const FILES_AT_ONCE = 24;
/** The fixed seed of generated inputs, so that the same code gives the same calls. */
const INPUT_SEED = 20261126;
/**
 * Number of plain, odd and unlikely inputs for each law. There are no unlikely ones, because they showed nothing that
 * anybody would act on.
 */
const INPUT_COUNTS = [100, 250, 0] as const;
/** Extra milliseconds for starting the sandbox, and for confirming the last counterexample. */
const EXTRA_MS = 90_000;

const NO_EMIT: SearchPlan['emit'] = { compiler: {}, paths: {}, baseUrl: null };

/** The reason to skip a file if the compiler failed on it or took too long; a later attempt may succeed. */
export const UNREADABLE_REASON = 'Its types could not be read.';

/** The reason to skip a function that is not part of the public interface of its package. */
const INTERNAL_REASON = 'Its package does not export it, so only its own code calls it.';

interface CounterexampleRequest extends Operation {
  /** Files or folders; empty: all. */
  readonly paths: readonly string[];
  /** Files and folders that are skipped. */
  readonly excluded?: readonly string[];
  /** Seconds for the calls; planning takes extra time. */
  readonly seconds: number;
  /** True if a person waits for a first result: only the most important files that a package offers are searched. */
  readonly quick?: boolean;
}

/**
 * Searches the files, stores the counterexamples, and returns them together with those of earlier searches. Files that
 * were searched completely and have not changed since are not searched again. Throws `untrusted`, `forbidden` if the
 * machine cannot isolate the calls, `unavailable` if the harness is missing or ends without a report, and the errors of
 * a sandbox.
 */
export async function findCounterexamples(
  context: SessionContext,
  request: CounterexampleRequest,
): Promise<CounterexampleReport> {
  const { state } = context;
  const harness = await requireHarness(context);
  const namedInternal = await createCurrentInternalNameTest(context);
  // The functions of an unpublished program are called only by its own code. A quick search treats all of them as
  // internal, because generated values show something about them only in a longer search.
  const isInternal = request.quick && !(await isPublished(context)) ? () => true : namedInternal;
  const allPaths = [...state.analyses.values()]
    .filter(
      ({ path, generated }) =>
        !generated &&
        isProductScript(path) &&
        (request.paths.length === 0 || isWithin(path, request.paths)) &&
        !isWithin(path, request.excluded ?? []),
    )
    .map(({ path }) => path)
    .sort();
  const requestedPaths = request.quick
    ? await selectMostImportant(context, allPaths, namedInternal, request.signal)
    : allPaths;
  const storedFiles = new Map(await readStoredCounterexamples(context));
  const groundByPath = new Map(requestedPaths.map((path) => [path, computeGround(state, path)]));
  const unsearchedPaths = requestedPaths.filter((path) => {
    const storedFile = storedFiles.get(path);
    const isKnown = storedFile && storedFile.ground === groundByPath.get(path) && !storedFile.partly;
    return !isKnown || storedFile.internal.some((name) => !isInternal(path, name));
  });
  const plan =
    unsearchedPaths.length > 0
      ? removeInternalCalls(await planAll(context, unsearchedPaths, request), isInternal)
      : null;
  const report = plan && plan.laws.length > 0 ? await runSearch(context, harness, plan, request) : null;
  if (report && report.obstacle !== null)
    throw new SelfwareError('unavailable', report.obstacle, { action: 'Run `selfware doctor`.' });
  const checked =
    plan && report ? await checkCounterexamples(context, plan, report.counterexamples, request.signal) : [];
  const untriedLaws = plan
    ? plan.laws.filter((_, index) => index >= (report?.done ?? 0) || report?.cutShort.includes(index))
    : [];
  if (plan) {
    const undonePaths = new Set(untriedLaws.flatMap((law) => collectPaths(law, plan)));
    for (const path of unsearchedPaths) {
      const foundInFile = checked.filter((find) => find.path === path);
      const internal = plan.subjects.flatMap((subject) =>
        subject.path === path && isInternal(path, subject.exportedAs) ? [subject.exportedAs] : [],
      );
      const isIncomplete = undonePaths.has(path);
      if (!isIncomplete || foundInFile.length > 0)
        storedFiles.set(path, { ground: groundByPath.get(path)!, finds: foundInFile, internal, partly: isIncomplete });
    }
    await storeCounterexamples(context, selectCurrent(storedFiles, state));
    if (checked.length > 0)
      context.emit({ type: 'opportunities', paths: [...new Set(checked.map(({ path }) => path))] });
  }
  const earlierCounterexamples = requestedPaths.flatMap((path) =>
    unsearchedPaths.includes(path) ? [] : (storedFiles.get(path)?.finds ?? []),
  );
  const triedCounts = Object.values(report?.inputCounts ?? {});
  return {
    finds: [...earlierCounterexamples, ...checked].toSorted(compareWorth),
    files: requestedPaths.length,
    known: requestedPaths.length - unsearchedPaths.length,
    functions: triedCounts.length,
    inputs: triedCounts.reduce((sum, inputs) => sum + inputs, 0),
    leftOut: [...(plan?.leftOut ?? []), ...(report?.skipped ?? [])],
    undone: untriedLaws.length,
  };
}

/** True for product code in TypeScript or JavaScript. */
export function isProductScript(path: string): boolean {
  return SCRIPT_WITH_CODE_PATTERN.test(path) && isOrdinaryCode(path);
}

/** False for tests and their helpers, benchmarks and configuration. */
export function isOrdinaryCode(path: string): boolean {
  return !isJudge(path) && !isOutsideProduct(path) && !isConfiguration(path) && !isTestSupport(path);
}

/**
 * The most important files with an export that users of the package can import, at most `FILES_AT_ONCE`. In a
 * repository with many test files, only files with few test files nearby (see `chooseQuickly`).
 */
async function selectMostImportant(
  context: SessionContext,
  paths: readonly string[],
  isInternal: (path: string, name: string) => boolean,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { analyses } = context.state;
  const offeredPaths = paths.filter((path) => {
    const names = analyses.get(path)?.facts.module?.exports ?? [];
    // The exports of CommonJS are not listed.
    return names.length === 0 ? COMMON_JS_PATTERN.test(path) : names.some(({ name }) => !isInternal(path, name));
  });
  const sorted = await sortByWeight(context, offeredPaths);
  const quickChoice = await chooseQuickly(context.state, sorted, signal);
  return typeof quickChoice === 'string' ? sorted.slice(0, FILES_AT_ONCE) : quickChoice.paths;
}

/** Plans the search of all files, in parts. */
async function planAll(context: SessionContext, paths: readonly string[], { signal, report }: CounterexampleRequest) {
  let joinedPlan: SearchPlan = { subjects: [], laws: [], materials: {}, leftOut: [], emit: NO_EMIT };
  for (let offset = 0; offset < paths.length; offset += FILES_AT_ONCE) {
    report?.({ stage: 'analysing', done: offset, total: paths.length, message: 'Reads types of exported functions' });
    const plan = await planSearchIn(context, paths.slice(offset, offset + FILES_AT_ONCE), signal);
    joinedPlan = joinPlans(joinedPlan, plan);
  }
  return joinedPlan;
}

/**
 * Plans the search of these files. `tests`: by path, the tests that reach it. `recorded`: the arguments with which
 * tests were seen to call functions. If the compiler fails on the types of one file, only that file is skipped.
 */
export async function planSearchIn(
  context: SessionContext,
  paths: readonly string[],
  signal: AbortSignal,
  tests: Readonly<Record<string, readonly string[]>> = {},
  recorded: RecordedCalls = {},
): Promise<SearchPlan> {
  const { jobs, files } = context.ports;
  const imports = Object.fromEntries(
    [...new Set(paths.flatMap((path) => tests[path] ?? []))].map((test) => [
      test,
      context.state.imports.get(test) ?? [],
    ]),
  );
  try {
    return await jobs.run('planSearch', { rootDir: files.rootDir, paths, tests, recorded, imports }, signal);
  } catch (error) {
    const hasCompilerFailed =
      error instanceof SelfwareError && (error.reason === 'internal' || error.reason === 'timedOut');
    if (!hasCompilerFailed || signal.aborted) throw error;
    if (paths.length > 1) {
      const middle = paths.length >> 1;
      return joinPlans(
        await planSearchIn(context, paths.slice(0, middle), signal, tests, recorded),
        await planSearchIn(context, paths.slice(middle), signal, tests, recorded),
      );
    }
    context.ports.log.write('warn', `The types of ${paths[0]} could not be read.`, error);
    const skipped = paths.map((path) => ({ path, name: 'all of it', reason: UNREADABLE_REASON }));
    return { subjects: [], laws: [], materials: {}, leftOut: skipped, emit: NO_EMIT };
  }
}

/** Joins two plans. The indexes of the second plan's subjects follow the indexes of the first. */
function joinPlans(plan: SearchPlan, otherPlan: SearchPlan): SearchPlan {
  const offset = plan.subjects.length;
  const movedLaws = otherPlan.laws.map(
    (law): Law =>
      law.kind === 'roundTrip'
        ? { ...law, encode: law.encode + offset, decode: law.decode + offset }
        : { ...law, of: law.of + offset },
  );
  return {
    subjects: [...plan.subjects, ...otherPlan.subjects],
    laws: [...plan.laws, ...movedLaws],
    materials: { ...plan.materials, ...otherPlan.materials },
    leftOut: [...plan.leftOut, ...otherPlan.leftOut],
    emit: plan.subjects.length > 0 ? plan.emit : otherPlan.emit,
  };
}

/**
 * Removes from the plan the law `breaks` for functions that only their own package can call: the package passes
 * expected values, and generated values show no defect. Other laws are promises to the package as well. They come
 * first, because they have few inputs.
 */
export function removeInternalCalls(plan: SearchPlan, isInternal: (path: string, name: string) => boolean): SearchPlan {
  const internal = new Set(
    plan.subjects.flatMap(({ path, exportedAs }, index) => (isInternal(path, exportedAs) ? [index] : [])),
  );
  const rankOf = ({ kind }: Law) => Number(kind === 'breaks');
  const laws = plan.laws
    .filter((law) => law.kind !== 'breaks' || !internal.has(law.of))
    .toSorted((a, b) => rankOf(a) - rankOf(b));
  const calledSubjects = new Set(
    laws.flatMap((law) => (law.kind === 'roundTrip' ? [law.encode, law.decode] : [law.of])),
  );
  const skipped = [...internal]
    .filter((index) => !calledSubjects.has(index))
    .map((index) => ({ path: plan.subjects[index]!.path, name: plan.subjects[index]!.name, reason: INTERNAL_REASON }));
  return { ...plan, laws, leftOut: [...plan.leftOut, ...skipped] };
}

/** Runs the harness for a search, and returns its report. */
async function runSearch(
  { ports }: SessionContext,
  harness: readonly string[],
  { leftOut: _, ...plan }: SearchPlan,
  { seconds, signal, report }: CounterexampleRequest,
): Promise<SearchReport> {
  const request: SearchOrder = {
    ...plan,
    search: true,
    seed: INPUT_SEED,
    budgetMs: seconds * 1000,
    runs: INPUT_COUNTS,
  };
  const worktree = await ports.sandbox.open(signal);
  try {
    const soFar = ({ done, total, counterexamples }: SearchReport) =>
      report?.({
        stage: 'verifying',
        done,
        total,
        message: `Calls exported functions; finds: ${counterexamples.length}`,
      });
    return await runHarness(worktree, harness, request, { timeoutMs: request.budgetMs + EXTRA_MS, soFar }, signal);
  } finally {
    await worktree.dispose();
  }
}

/**
 * The counterexamples whose calls the compiler accepts, ordered by `compareWorth`. Of several at one site, or of one
 * function with the same message, only the first remains.
 */
async function checkCounterexamples(
  { ports }: SessionContext,
  plan: SearchPlan,
  counterexamples: readonly Counterexample[],
  signal: AbortSignal,
): Promise<readonly CheckedCounterexample[]> {
  const placedFinds = counterexamples.flatMap((find) => {
    const subject = plan.subjects.find(({ path, name }) => path === find.path && name === find.name);
    return subject ? [{ ...find, range: subject.range, nameRange: subject.nameRange }] : [];
  });
  if (placedFinds.length === 0) return [];
  const allowed = await ports.jobs.run('checkFinds', { rootDir: ports.files.rootDir, finds: placedFinds }, signal);
  return removeDuplicates(allowed.map(removeTestIfPrecondition).toSorted(compareWorth));
}

/** Removes the failing test if the function states a precondition, because the mistake may be the caller's. */
function removeTestIfPrecondition(find: CheckedCounterexample): CheckedCounterexample {
  const refusalReason = 'Its comment says what it expects, so no test demands that the call works.';
  return find.precondition === undefined ? find : { ...find, test: { refused: refusalReason } };
}

/**
 * Removes each counterexample that repeats an earlier one: at the same site, as the same opportunity, or as a second
 * result of one function that its type rules out.
 */
export function removeDuplicates(counterexamples: readonly CheckedCounterexample[]): readonly CheckedCounterexample[] {
  const knownKeys = new Set<string>();
  return counterexamples.filter((find) => {
    const { kind, path, name, site } = find;
    const duplicateKeys = [
      createCounterexampleOpportunity(find).id,
      ...(site === null ? [] : [site]),
      ...(kind === 'wrongType' ? [`${path} ${name} ${kind}`] : []),
    ];
    const isNew = !duplicateKeys.some((mark) => knownKeys.has(mark));
    for (const mark of duplicateKeys) knownKeys.add(mark);
    return isNew;
  });
}

/** Orders counterexamples: likely inputs before unlikely ones, then short calls before long ones, then by path. */
function compareWorth(a: CheckedCounterexample, b: CheckedCounterexample): number {
  return Number(a.unlikely) - Number(b.unlikely) || a.call.length - b.call.length || (a.path < b.path ? -1 : 1);
}

/** The paths of the functions that a law calls. */
function collectPaths(law: Law, { subjects }: SearchPlan): readonly string[] {
  const subjectIndexes = law.kind === 'roundTrip' ? [law.encode, law.decode] : [law.of];
  return subjectIndexes.map((subjectIndex) => subjects[subjectIndex]!.path);
}

/** The stored files that still exist. */
function selectCurrent(
  storedFiles: ReadonlyMap<string, StoredFile>,
  { analyses }: SessionContext['state'],
): ReadonlyMap<string, StoredFile> {
  return new Map([...storedFiles].filter(([path]) => analyses.has(path)));
}
