// Finds mistakes that no test notices in exported functions: tries mutants on the repository's tests, and searches for
// calls that show those that survive.

import { counted } from '../../../../util/counted.ts';
import { isWithin } from '../../../../util/within.ts';
import { weightOf } from '../../../prioritise/priority.ts';
import type { Operation } from '../../../operation.ts';
import type { LeftOut, SearchPlan } from '../../../verify/counterexamples/plan.ts';
import { detectRunner } from '../../../verify/detect/testRunner.ts';
import { isPython } from '../../../verify/differential/python.ts';
import { runsInProcess } from '../../../verify/guard/inProcess.ts';
import type { Fate } from '../../../verify/guard/mutantRuns.ts';
import type { Mutant, MutantPlan } from '../../../verify/guard/planMutants.ts';
import { judgedBy } from '../../../verify/guard/judgedBy.ts';
import { fatesOf, type SourceText } from '../../../verify/guard/survivors.ts';
import type { TellingOrder, TellingReport } from '../../../verify/guard/telling.ts';
import type { UnguardedFunction } from '../../../verify/guard/unguarded.ts';
import { withTests, type TestsAsTheyAre } from '../../../verify/testing/asItIs.ts';
import { wholeAdvice } from '../../../verify/testing/behindWrapper.ts';
import type { VerifyContext } from '../../../verify/context.ts';
import { SelfwareError } from '../../../../util/typedError.ts';
import type { SessionContext } from '../../context.ts';
import { readFresh } from '../../search/remembering.ts';
import { bestFirst, reachingTests } from '../../verify/reachingTests.ts';
import { gatesContext } from '../../verify/verifying.ts';
import { isLookedAt, isOrdinaryCode, planOf, UNREADABLE } from '../counterexamples.ts';
import { filesWithoutTests } from '../coverage/uncovered.ts';
import { requireHarness, runHarness } from '../harnessRun.ts';
import { guardGround, keepUnguarded, leftToDo, readUnguarded, withEarlier, type KeptUnguarded } from './kept.ts';
import { priorityContextOf } from '../ranking.ts';
import type { UnguardedReport } from '../seen.ts';
import { noteNotCalled, subjectsWith } from './called.ts';
import { describeFound } from './describe.ts';
import { callsOfPython, inBodies, type PythonSearch } from './pythonCalls.ts';

/**
 * Number of files whose mutants are tried in one run of the tests, if the runner can try several mutants in one run.
 */
const FILES_AT_ONCE = 6;
/** Maximum number of mutants of a file; they are spread over it. */
const MAX_MUTANTS = 60;
/** Mutants of some Python files, of which those in functions are tried. */
const MAX_PLANNED = 5_000;
/** Of a Python file: one run tries them all. */
const MAX_PYTHON_MUTANTS = 150;
const SEED = 20261126;
/** Numbers of plain and of odd inputs of each function. */
const RUNS = [160, 160] as const;
/** Number of inputs of each function that are made of those of its tests. */
const VARIED = 600;
/** Maximum number of calls, and so of tests, of one function. More are too much to read. */
const MAX_CALLS = 5;
/** Milliseconds for the calls of one file, and extra time for starting the harness. */
const CALLS_MS = 15_000;
const EXTRA_MS = 60_000;
/** The share of the time that is left for running the tests with mutants. */
const SHARE_FOR_TESTS = 0.7;
/** The share of the time for the calls that come before the tests, where each mistake needs a run of its own. */
const SHARE_FOR_CALLS = 0.25;
const MIN_SECONDS = 2;
const OTHER_LANGUAGE = 'The tests that run here are written in another language.';
const NO_LINE_RUNS = 'No test runs any of its lines, as the coverage shows.';
/** Test files of a file that are read for examples of calls. */
const MAX_EXAMPLE_TESTS = 4;
const NONE_PASSES = 'None of the tests that reach it passes here.';

interface Request extends Operation {
  /** Files or folders; empty: all. */
  readonly paths: readonly string[];
  /** Time for mutants and calls; running the tests as they are takes extra time. */
  readonly seconds: number;
}

/**
 * Searches the files, most important ones first, stores what it finds, and reports it with earlier findings. Files that
 * were searched completely are not searched again while they and their tests are the same. Throws `untrusted`,
 * `forbidden` without isolation, `unavailable` if no test runs, and what a sandbox throws.
 */
export async function findUnguarded(context: SessionContext, request: Request): Promise<UnguardedReport> {
  const { state } = context;
  const harness = await requireHarness(context);
  const wanted = await byWeight(
    context,
    [...state.analyses.values()]
      .filter(({ path, generated }) => !generated && isCalled(path) && isAmong(path, request.paths))
      .map(({ path }) => path),
  );
  const kept = new Map([...(await readUnguarded(context))].filter(([path]) => state.analyses.has(path)));
  const isSame = (path: string, { ground }: KeptUnguarded) => ground === guardGround(state, path);
  const untested = await filesWithoutTests(context);
  const leftOut = wanted
    .filter((path) => untested.has(path))
    .map((path): LeftOut => ({ path, name: 'all of it', reason: NO_LINE_RUNS }));
  const tested = wanted.filter((path) => !untested.has(path));
  const { open, undone } = leftToDo(tested, kept, isSame, request.seconds);
  const looked: Looked = { mutants: 0, survivors: 0, functions: 0, leftOut, undone, advice: null };
  if (open.length > 0) {
    const gates = await gatesContext(context, request);
    const message = 'Runs the tests as they are';
    // Where a person names places, the tests of these are enough, so that a slow suite does not delay the answer.
    const testFiles = request.paths.length > 0 ? reachingTests(state.imports, open) : [];
    const look = async (tests: TestsAsTheyAre) => {
      const runner = detectRunner(tests.chosen.command, tests.project)?.name ?? null;
      const parts: Parts = { context, harness, gates, tests, request, runner, kept, looked };
      if (runner === null) looked.advice = wholeAdvice(tests);
      const judged = open.filter((path) => judgedBy(runner, [{ path, before: '', after: '' }]).length > 0);
      looked.undone -= open.length - judged.length;
      for (const path of open.filter((one) => !judged.includes(one)))
        looked.leftOut.push({ path, name: 'all of it', reason: OTHER_LANGUAGE });
      await lookAt(parts, judged);
      return null;
    };
    const answer = await withTests(gates, message, request.signal, look, testFiles);
    if (answer)
      throw new SelfwareError('unavailable', answer.refused, { action: 'Set `selfware.verify.testCommand`.' });
  }
  const found = wanted.flatMap((path) =>
    kept.get(path)?.ground === guardGround(state, path) ? kept.get(path)!.found : [],
  );
  return { found, files: wanted.length, known: tested.length - undone, ...looked };
}

interface Looked {
  mutants: number;
  survivors: number;
  functions: number;
  readonly leftOut: LeftOut[];
  /** Number of files that were not searched completely. */
  undone: number;
  /** What to set so that mistakes take less time; null = nothing is known to help. */
  advice: string | null;
}

interface Parts {
  readonly context: SessionContext;
  readonly harness: readonly string[];
  readonly gates: VerifyContext;
  readonly tests: TestsAsTheyAre;
  readonly request: Request;
  /** Name of the test runner; null = unknown. */
  readonly runner: string | null;
  /** Filled file by file, and stored after each group of files. */
  readonly kept: Map<string, KeptUnguarded>;
  readonly looked: Looked;
}

/** Files whose functions are called: scripts, and Python code that is not a test. */
function isCalled(path: string): boolean {
  return isLookedAt(path) || (isPython(path) && isOrdinaryCode(path));
}

function isAmong(path: string, places: readonly string[]): boolean {
  return places.length === 0 || isWithin(path, places);
}

/** The paths sorted by centrality × churn × complexity, highest first. */
async function byWeight(context: SessionContext, paths: readonly string[]): Promise<readonly string[]> {
  const ranking = await priorityContextOf(context, true);
  const weight = (path: string) => {
    const { centrality, churn, complexity } = weightOf(path, ranking);
    return centrality * churn * complexity;
  };
  return paths
    .map((path) => ({ path, weight: weight(path) }))
    .sort((one, other) => other.weight - one.weight || (one.path < other.path ? -1 : 1))
    .map(({ path }) => path);
}

async function lookAt(parts: Parts, open: readonly string[]): Promise<void> {
  const { context, request, kept, looked } = parts;
  const { clock } = context.ports;
  const endAt = clock.now() + request.seconds * 1000;
  const atOnce = runsInProcess(parts.runner) || parts.runner === 'pytest' ? FILES_AT_ONCE : 1;
  for (let at = 0; at < open.length; at += atOnce) {
    const left = (endAt - clock.now()) / 1000;
    if (left < MIN_SECONDS) return;
    const paths = open.slice(at, at + atOnce);
    const tell = (message: string) => request.report?.({ stage: 'verifying', done: at, total: open.length, message });
    tell(`Reads types of ${paths[0]}`);
    const found = await lookAtFiles(parts, paths, left, tell);
    for (const path of paths) {
      // The first files of a run have had all of its time, so the same time would not be enough again.
      const hadAll = at === 0 && !found.atNextSearch?.has(path);
      const seconds = !found.incomplete.has(path) ? null : hadAll ? request.seconds : 0;
      const own = found.found.filter((one) => one.path === path);
      const now = { ground: guardGround(context.state, path), seconds, found: own };
      const merged = withEarlier(now, kept.get(path));
      kept.set(path, found.atNextSearch?.has(path) ? { ...merged, seconds: 0 } : merged);
      if (seconds === null) looked.undone -= 1;
    }
    await keepUnguarded(context, kept);
    if (found.found.length > 0) context.emit({ type: 'opportunities', paths });
  }
}

interface FoundInFiles {
  readonly found: readonly UnguardedFunction[];
  /** Files for which there was not enough time. */
  readonly incomplete: ReadonlySet<string>;
  /** Those of them that the next search examines, however much time it has. */
  readonly atNextSearch?: ReadonlySet<string>;
}

async function lookAtFiles(
  parts: Parts,
  paths: readonly string[],
  seconds: number,
  tell: (message: string) => void,
): Promise<FoundInFiles> {
  const { context, gates, tests, request, looked } = parts;
  const { clock } = context.ports;
  const endAt = clock.now() + seconds * 1000;
  const search = paths.every(isPython)
    ? null
    : await planOf(context, paths, request.signal, testsOfEach(context, paths));
  looked.leftOut.push(...(search?.leftOut ?? []));
  const sources = await sourcesOf(context, new Set(search?.subjects.map(({ path }) => path) ?? paths));
  const unread = new Set(search?.leftOut.filter(({ reason }) => reason === UNREADABLE).map(({ path }) => path));
  if (sources.length === 0 || !gates.proof) return { found: [], incomplete: unread };
  const edits = sources.map(({ path, text }) => ({ path, before: '', after: text }));
  const plan = search
    ? await gates.proof.planMutants(edits, MAX_MUTANTS * sources.length)
    : inBodies(await gates.proof.planMutants(edits, MAX_PLANNED), MAX_PYTHON_MUTANTS);
  if (plan.mutants.length === 0) return { found: [], incomplete: unread };
  const only =
    search && !runsInProcess(parts.runner) ? await worthTrying(parts, search, plan, endAt - clock.now(), unread) : null;
  const testFiles = (await gates.reachingTests(sources.map(({ path }) => path))) ?? [];
  tell(`Tries mistakes in ${sources.map(({ path }) => path).join(', ')}`);
  const forTests = ((endAt - clock.now()) / 1000) * SHARE_FOR_TESTS;
  const fates = await fatesOf(
    { context: gates, tests, testFiles, sources, plan, onlyTogether: search === null, ...(only && { only }) },
    forTests,
    request.signal,
  );
  if (!fates && (tests.chosen.base.value?.passed ?? 0) > 0) {
    for (const { path } of sources) looked.leftOut.push({ path, name: 'all of it', reason: NONE_PASSES });
    // More time would not help, but another set-up may, so the next search examines these files again.
    looked.undone -= sources.length;
    const paths = new Set(sources.map(({ path }) => path));
    return { found: [], incomplete: paths, atNextSearch: paths };
  }
  if (!fates)
    throw new SelfwareError('unavailable', 'No test passes here, so none can notice a mistake.', {
      action: 'Set up the tests with `selfware setup`.',
    });
  const tried = new Set([...fates.keys()].map(({ path }) => path));
  // Where a tried mutant had no time, its probe has shown that the tests reach it.
  const isOpen = (mutant: Mutant) => (only?.has(mutant) ?? true) && mutant.probe !== null && !fates.has(mutant);
  const reachedOnly = new Set(plan.mutants.filter(isOpen).map(({ path }) => path));
  const untested = new Set([...tried].filter((path) => !reachedOnly.has(path) && !isReached(path, plan, fates)));
  for (const path of untested)
    looked.leftOut.push({ path, name: 'all of it', reason: 'No test was seen to run code of its file.' });
  const isMissed = (mutant: Mutant) =>
    !untested.has(mutant.path) && ['survived', 'unreached'].includes(fates.get(mutant) ?? '');
  const missed = [...plan.mutants.keys()].filter(
    (at) => (search === null || plan.schemata.switched[at]) && isMissed(plan.mutants[at]!),
  );
  looked.mutants += fates.size;
  looked.survivors += missed.length;
  const incomplete = new Set([
    ...unread,
    ...[...(only ?? plan.mutants)].filter((mutant) => !fates.has(mutant)).map(({ path }) => path),
  ]);
  if (missed.length === 0) return { found: [], incomplete };
  tell(`Calls functions with ${counted(missed.length, 'mistake')} that no test notices`);
  if (search === null) return inPython(parts, { sources, plan, missed }, endAt - clock.now(), incomplete);
  const report = await callsFor(parts, search, plan, missed, Math.max(0, endAt - clock.now()));
  if (report.obstacle !== null) throw new SelfwareError('unavailable', report.obstacle, {});
  looked.functions += report.functions;
  const subjects = subjectsWith(missed, search, plan);
  noteNotCalled(report, subjects, { leftOut: looked.leftOut, incomplete });
  const found = await describeFound(context, parts.runner, request.signal, subjects, plan, report);
  return { found, incomplete };
}

/**
 * The mutants that calls tell, but none of the calls that the tests make: the tests may miss these. Each costs a run of
 * the tests, and calls are cheap. `incomplete`: receives the files for which there was not enough time.
 */
async function worthTrying(
  parts: Parts,
  search: SearchPlan,
  plan: MutantPlan,
  leftMs: number,
  incomplete: Set<string>,
): Promise<ReadonlySet<Mutant>> {
  const switched = [...plan.mutants.keys()].filter((at) => plan.schemata.switched[at]);
  const report = await callsFor(parts, search, plan, switched, leftMs * SHARE_FOR_CALLS, true);
  if (report.obstacle !== null) throw new SelfwareError('unavailable', report.obstacle, {});
  noteNotCalled(report, subjectsWith(switched, search, plan), { leftOut: parts.looked.leftOut, incomplete });
  return new Set(report.told.map((at) => plan.mutants[at]!));
}

/** `incomplete`: receives the files for which there was not enough time. */
async function inPython(
  { context, gates, tests, request, looked }: Parts,
  what: Pick<PythonSearch, 'sources' | 'plan' | 'missed'>,
  leftMs: number,
  incomplete: Set<string>,
): Promise<FoundInFiles> {
  const folder = gates.proof?.python;
  if (!folder) throw new SelfwareError('unavailable', 'This installation has no programs that call Python code.', {});
  const report = await callsOfPython(
    {
      ...what,
      ...{ tests, folder, most: MAX_CALLS },
      budgetMs: Math.max(leftMs, MIN_SECONDS * 1000),
      testsOf: (path) => bestFirst(reachingTests(context.state.imports, [path]), path),
      soFar: (functions) =>
        request.report?.({
          stage: 'verifying',
          done: looked.functions + functions,
          total: null,
          message: 'Calls functions with mistakes that no test notices',
        }),
    },
    request.signal,
  );
  if (report.obstacle !== null) throw new SelfwareError('unavailable', report.obstacle, {});
  looked.functions += report.functions;
  looked.leftOut.push(...report.leftOut);
  for (const path of report.undone) incomplete.add(path);
  return { found: report.found, incomplete };
}

/** The tests that show best how each file is used. */
function testsOfEach({ state }: SessionContext, paths: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(
    paths.map((path) => [path, bestFirst(reachingTests(state.imports, [path]), path).slice(0, MAX_EXAMPLE_TESTS)]),
  );
}

async function sourcesOf(context: SessionContext, paths: ReadonlySet<string>): Promise<readonly SourceText[]> {
  const read = await Promise.all([...paths].map(async (path) => ({ path, text: await readFresh(context, path) })));
  return read.flatMap(({ path, text }) => (text === null ? [] : [{ path, text }]));
}

/** False if the tests run another copy of the file, or none: then they could notice nothing in it. */
function isReached(path: string, { mutants }: MutantPlan, fates: ReadonlyMap<Mutant, Fate>): boolean {
  return mutants.some((mutant) => {
    const fate = fates.get(mutant);
    // What runs when the module is loaded survives as well where nothing loads it.
    const isSeen = fate === 'noticed' || fate === 'stopped' || (fate === 'survived' && isWatched(mutant));
    return mutant.path === path && isSeen;
  });
}

/** True if the run of the tests shows whether they reach the mutant. */
function isWatched({ probe, reach }: Mutant): boolean {
  return probe !== null || reach !== undefined;
}

function callsFor(
  { harness, tests, request, looked }: Parts,
  search: SearchPlan,
  plan: MutantPlan,
  missed: readonly number[],
  leftMs: number,
  exceptExamples = false,
): Promise<TellingReport> {
  const subjects = subjectsWith(missed, search, plan);
  const files = new Set(subjects.map(({ path }) => path)).size;
  const order: TellingOrder = {
    telling: true,
    seed: SEED,
    budgetMs: Math.min(Math.max(leftMs, MIN_SECONDS * 1000), CALLS_MS * files),
    runs: RUNS,
    varied: VARIED,
    most: MAX_CALLS,
    subjects,
    materials: search.materials,
    emit: search.emit,
    files: plan.schemata.files,
    mutants: missed,
    ...(exceptExamples && { exceptExamples }),
  };
  const soFar = ({ functions }: TellingReport) =>
    request.report?.({
      stage: 'verifying',
      done: looked.functions + functions,
      total: null,
      message: 'Calls functions with mistakes that no test notices',
    });
  return runHarness(tests.worktree, harness, order, { timeoutMs: order.budgetMs + EXTRA_MS, soFar }, request.signal);
}
