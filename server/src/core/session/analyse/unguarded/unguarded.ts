// Finds mistakes in exported functions that no test notices: runs the repository's tests on mutants, and searches for
// calls whose results the surviving mutants change.

import { selectMutantsThatTestsMayMiss } from './mutantsToTry.ts';
import { formatCount } from '../../../../util/counted.ts';
import type { SkippedFunction } from '../../../verify/counterexamples/plan.ts';
import { detectRunner } from '../../../verify/detect/testRunner.ts';
import { isPython } from '../../../verify/differential/python.ts';
import { GO_FILE } from '../../../verify/guard/go/findMutants.ts';
import { runsInProcess } from '../../../verify/guard/inProcess.ts';
import type { MutantStatus } from '../../../verify/guard/mutantRuns.ts';
import type { UnguardedFunction } from '../../../verify/guard/unguarded.ts';
import type { Mutant } from '../../../verify/guard/planMutants.ts';
import { selectEditsForRunner } from '../../../verify/guard/editsForRunner.ts';
import { formatNoTestPassesAdvice, explainNoTestPasses } from '../../../verify/testing/noTestPasses.ts';
import { withUnchangedTests, type UnchangedTests } from '../../../verify/testing/unchangedTests.ts';
import { formatSlowTestsAdvice, formatAllTestsAdvice } from '../../../verify/testing/wrappedRunner.ts';
import { SelfwareError } from '../../../../util/typedError.ts';
import type { SessionContext } from '../../context.ts';
import { findReachingTests } from '../../verify/reachingTests.ts';
import { createVerifyContext } from '../../verify/verifying.ts';
import { isProductScript, isOrdinaryCode, planSearchIn, UNREADABLE_REASON } from '../counterexamples.ts';
import { findFilesWithoutTests } from '../coverage/uncovered.ts';
import { requireHarness } from '../harnessRun.ts';
import { isWorthRepeating, collectNoticedKeys, selectUnknownMutants, removeDoubtfulMutants } from './repeatedSearch.ts';
import { groupKeysByPath } from './mutantKeys.ts';
import { findEarlierSurvivors } from './unfinished.ts';
import { computeEndOfSearch, computeMutantsPerFile, selectNeededMutants } from './budget.ts';
import {
  selectCurrentFindings,
  selectFilesToSearch,
  loadGrounds,
  storeUnguarded,
  readUnguarded,
  type KeptUnguarded,
} from './unguardedMistakes.ts';
import { storeFileResults } from './storeFileResults.ts';
import { recordUnfinished, pickStop, nullIfStopped, addStopSignal } from './stoppedSearch.ts';
import { sortByWeight } from '../ranking.ts';
import type { UnguardedReport } from '../analysisTypes.ts';
import type { FoundInFiles, UnguardedSearchRequest, Search, Totals } from './search.ts';
import { countMutantsByFile, isReached, listJudgedMutants } from './judged.ts';
import { recordCallsOfTests } from './recording.ts';
import { chooseQuickly, limitToNearestTests } from './quick.ts';
import { selectFilesToMutate, collectNotCalled, noteNotCalled } from './subjects.ts';
import { describeFound } from './describe.ts';
import { computeGroupSize, groupFiles, hasFoundEnough, canJudgeSeveralFiles } from './groupFiles.ts';
import { MAX_FUNCTION_CALLS, searchCalls, listSubjectsOfSearch } from './searchCalls.ts';
import { chooseNearTests, determineStatusesNearFirst } from './nearTests.ts';
import { chooseExampleTests, isRequested, readSources } from './searchedSources.ts';
import { searchOtherLanguage } from './otherLanguages.ts';
import { planInBodies } from './pythonCalls.ts';
import { listUntested } from './untested.ts';
import { removeFaultyLines } from './withoutBugs.ts';

/** Maximum number of mutants planned for a group of Python or Go files. Only those in function bodies are tried. */
const MAX_PLANNED = 5_000;
/** Maximum number of mutants that are tried in one file of Python or Go; one run of the tests tries all of them. */
const MAX_MUTANTS_TOGETHER = 150;
/** Share of the remaining time for running the tests with mutants. */
const SHARE_FOR_TESTS = 0.7;
/** Minimum number of seconds for which a group of files is searched. */
const MIN_SECONDS = 2;
const OTHER_LANGUAGE_REASON = 'The tests that run here are written in another language.';
const NO_QUICK_FILE =
  'Each file is loaded by many test files, or together with many others, so a quick search would find nothing.';
const NO_LINE_RUNS = 'No test runs any of its lines, as the coverage shows.';
/** The reason to skip a file whose tests fail even without mutants. */
export const NONE_PASSES_REASON = 'None of the tests that reach it passes here.';
/**
 * The reason instead of `NONE_PASSES_REASON` if the runner is unknown, because its command may run more than the tests.
 */
const NONE_PASSES_CHANGED =
  'No test ran once the code was changed: something beside the tests, such as a formatter, may refuse any change.';

/**
 * Searches the files, the most important ones first. Stores the findings, and reports them with earlier ones. A file
 * that was searched completely is searched again only after it or its tests have changed. Throws `untrusted`,
 * `cancelled`, `forbidden` if the machine cannot isolate the calls, `unavailable` if no test runs or passes, if no file
 * suits a quick search, or if the harness fails, and the errors of a sandbox.
 */
export async function findUnguarded(
  context: SessionContext,
  requested: UnguardedSearchRequest,
): Promise<UnguardedReport> {
  const { state } = context;
  const request = addStopSignal(requested);
  const startedAt = context.ports.clock.now();
  const harness = await requireHarness(context);
  const allPaths = await sortByWeight(
    context,
    [...state.analyses.values()]
      .filter(({ path, generated }) => !generated && canBeCalled(path) && isRequested(path, request))
      .map(({ path }) => path),
  );
  const grounds = await loadGrounds(context);
  const choice = request.quick ? await chooseQuickly(state, allPaths, request.signal) : 'all';
  if (choice === 'none')
    throw new SelfwareError('unavailable', NO_QUICK_FILE, { action: 'Run `selfware unguarded`, which takes longer.' });
  const quick = choice === 'all' ? null : choice;
  const requestedPaths = quick?.paths ?? allPaths;
  const selectExisting = (files: ReadonlyMap<string, KeptUnguarded>) =>
    new Map(
      [...files].flatMap(([path, keptFile]): (readonly [string, KeptUnguarded])[] =>
        state.analyses.has(path) ? [[path, removeDoubtfulMutants(path, keptFile, grounds)]] : [],
      ),
    );
  const storedBefore = await readUnguarded(context);
  const stored = { complete: selectExisting(storedBefore.complete), nearby: selectExisting(storedBefore.nearby) };
  const keptByPath = quick ? new Map([...stored.complete, ...stored.nearby]) : stored.complete;
  const untested = await findFilesWithoutTests(context);
  const skipped = requestedPaths
    .filter((path) => untested.has(path))
    .map((path): SkippedFunction => ({ path, name: 'all of it', reason: NO_LINE_RUNS }));
  const testedPaths = requestedPaths.filter((path) => !untested.has(path));
  const isSearchedAgain = (path: string) => {
    const keptFile = keptByPath.get(path);
    return keptFile !== undefined && grounds.isSame(path, keptFile) && isWorthRepeating(path, keptFile, grounds);
  };
  const againPaths = new Set(request.all ? testedPaths.filter(isSearchedAgain) : []);
  const {
    open: openFiles,
    undone,
    spent,
  } = selectFilesToSearch(
    ...([testedPaths, keptByPath, grounds.isSame, request.seconds, request.all, againPaths] as const),
  );
  // Files that have not been searched yet are more likely to show something.
  const open = request.untilFound
    ? openFiles.toSorted((a, b) => Number(againPaths.has(a)) - Number(againPaths.has(b)))
    : openFiles;
  const totals: Totals = {
    mutants: 0,
    survivors: 0,
    tried: [],
    functions: 0,
    leftOut: skipped,
    undone,
    advice: null,
    hasLearned: false,
  };
  if (open.length > 0) {
    const gates = limitToNearestTests(await createVerifyContext(context, request), state.imports, quick);
    const message = 'Runs the tests as they are';
    // For places that a person names, only the tests that reach them run, so a slow suite causes no delay.
    const testFiles = quick?.testFiles ?? (request.paths.length > 0 ? findReachingTests(state.imports, open) : []);
    const searchNow = async (tests: UnchangedTests) => {
      const runner = detectRunner(tests.chosen.command, tests.project)?.name ?? null;
      if (runner === null) totals.advice = formatAllTestsAdvice(tests);
      else if (!canJudgeSeveralFiles(runner)) totals.advice = formatSlowTestsAdvice(runner, tests);
      const usablePaths = open.filter(
        (path) => selectEditsForRunner(runner, [{ path, before: '', after: '' }]).length > 0,
      );
      const groupSize = Math.min(usablePaths.length, computeGroupSize(runner, request));
      const run: Search = {
        context,
        harness,
        gates,
        tests,
        request,
        runner,
        stored,
        ...{ grounds, keptByPath, repeatedFiles: againPaths },
        totals,
        isNearby: quick !== null,
        pace: { together: runsInProcess(runner) },
        mutantsPerFile: computeMutantsPerFile(groupSize, request.seconds),
      };
      totals.undone -= open.length - usablePaths.length;
      for (const path of open.filter((path) => !usablePaths.includes(path)))
        totals.leftOut.push({ path, name: 'all of it', reason: OTHER_LANGUAGE_REASON });
      await searchInGroups(run, usablePaths, computeEndOfSearch(startedAt, context.ports.clock.now(), request));
      return null;
    };
    const answer = await nullIfStopped(
      requested,
      withUnchangedTests(gates, message, request.signal, searchNow, testFiles),
    );
    if (answer)
      throw new SelfwareError('unavailable', answer.refused, { action: 'Set `selfware.verify.testCommand`.' });
  }
  const foundFunctions = requestedPaths.flatMap((path) =>
    quick ? selectCurrentFindings(stored, path, grounds) : grounds.current(path, keptByPath.get(path)),
  );
  const { length: files } = requestedPaths;
  const figures = { found: foundFunctions, files, known: testedPaths.length - undone, spent, ...totals };
  return quick || request.untilFound ? figures : { ...figures, ...(await listUntested(context, allPaths, request)) };
}

/** True for a file whose functions can be called: a script, Python or Go code; false for tests. */
function canBeCalled(path: string): boolean {
  return isProductScript(path) || (isOtherLanguage(path) && isOrdinaryCode(path));
}

/** True for languages whose calls are made by another program than the calls of scripts. */
function isOtherLanguage(path: string): boolean {
  return isPython(path) || GO_FILE.test(path);
}

/** Searches these files in groups until the time is up. Stores the results of each group, and counts them. */
async function searchInGroups(search: Search, open: readonly string[], endAt: number): Promise<void> {
  const { context, request, stored } = search;
  const { clock } = context.ports;
  const failingPaths = open.filter((path) => isReachedByFailingTestsOnly(search, path));
  const skippedResult = recordLeftOut(search, failingPaths, NONE_PASSES_REASON);
  for (const path of failingPaths) storeFileResults(search, path, skippedResult, false);
  let index = 0;
  const unguardedFunctions: UnguardedFunction[] = [];
  const searched = open.filter((path) => !failingPaths.includes(path));
  for (const paths of groupFiles(searched, computeGroupSize(search.runner, request))) {
    const remainingSeconds = (endAt - clock.now()) / 1000;
    if (remainingSeconds < MIN_SECONDS) return;
    const reportProgress = (message: string) =>
      request.report?.({ stage: 'verifying', done: index, total: open.length, message });
    reportProgress(`Reads types of ${paths[0]}`);
    const groupResult = await searchGroup(search, paths, remainingSeconds, reportProgress);
    // Only the first group had the whole time of the search.
    for (const path of paths) storeFileResults(search, path, groupResult, index === 0);
    index += paths.length;
    await storeUnguarded(context, stored);
    if (groupResult.foundFunctions.length > 0) context.emit({ type: 'opportunities', paths });
    if (request.stop?.aborted) return;
    unguardedFunctions.push(...groupResult.foundFunctions);
    if (hasFoundEnough(unguardedFunctions, request)) return;
  }
}

/** True if tests of the file fail without mutants and none passes, so that they would notice nothing. */
function isReachedByFailingTestsOnly({ context, tests }: Search, path: string): boolean {
  const reaching = new Set(findReachingTests(context.state.imports, [path]));
  const { passed = 0, cases } = tests.chosen.base.value ?? {};
  // If no test passes at all, the error of the whole search says so.
  if (passed === 0) return false;
  const outcomes = (cases ?? []).flatMap(({ file, outcome }) => (file !== null && reaching.has(file) ? [outcome] : []));
  return outcomes.includes('failed') && !outcomes.includes('passed');
}

/**
 * Records files that cannot be searched. More time would not help, but another set-up may, so the next search tries
 * them again.
 */
function recordLeftOut({ totals }: Search, paths: readonly string[], reason: string): FoundInFiles {
  for (const path of paths) totals.leftOut.push({ path, name: 'all of it', reason });
  totals.undone -= paths.length;
  return { foundFunctions: [], incomplete: new Set(paths), atNextSearch: new Set(paths) };
}

/**
 * Searches one group of files: tries their mutants with the tests, then searches calls that show the missed ones.
 * `seconds`: the time for both. Throws `unavailable` if no test passes at all, or if nothing can be called.
 */
async function searchGroup(
  run: Search,
  paths: readonly string[],
  seconds: number,
  reportMessage: (message: string) => void,
): Promise<FoundInFiles> {
  const { context, gates, tests, request, totals } = run;
  const { clock } = context.ports;
  const endAt = clock.now() + seconds * 1000;
  const { imports } = context.state;
  const isOtherLanguageGroup = paths.every(isOtherLanguage);
  const recorded = isOtherLanguageGroup ? {} : await recordCallsOfTests(run, paths, seconds);
  const search = isOtherLanguageGroup
    ? null
    : await planSearchIn(context, paths, request.signal, chooseExampleTests(context, paths), recorded);
  if (search) totals.leftOut.push(...search.leftOut, ...collectNotCalled(search));
  const sources = await readSources(context, search ? selectFilesToMutate(search, paths, imports) : new Set(paths));
  const unreadPaths = new Set(
    search?.leftOut.filter(({ reason }) => reason === UNREADABLE_REASON).map(({ path }) => path),
  );
  if (sources.length === 0 || !gates.proof) return { foundFunctions: [], incomplete: unreadPaths };
  const edits = sources.map(({ path, text }) => ({ path, before: '', after: text }));
  const plan = search
    ? removeFaultyLines(context, await gates.proof.planMutants(edits, run.mutantsPerFile * sources.length))
    : planInBodies(await gates.proof.planMutants(edits, MAX_PLANNED), MAX_MUTANTS_TOGETHER);
  if (plan.mutants.length === 0) return { foundFunctions: [], incomplete: unreadPaths };
  const unknownMutants = selectUnknownMutants(run, plan.mutants);
  const survived = findEarlierSurvivors(run, plan.mutants);
  const isNew = (mutant: Mutant) => (unknownMutants?.has(mutant) ?? true) && !survived.has(mutant);
  const remaining = unknownMutants || survived.size > 0 ? new Set(plan.mutants.filter(isNew)) : undefined;
  // Calls take less time than runs of the tests, so the tests only run with mutants that calls show.
  const callsFirst = search
    ? await selectMutantsThatTestsMayMiss(run, { search, plan, sources }, isNew, endAt - clock.now(), unreadPaths)
    : null;
  const mutantsToTry = callsFirst?.all ?? remaining;
  if (callsFirst?.all.size === 0 && survived.size === 0) return { foundFunctions: [], incomplete: unreadPaths };
  const sourcePaths = sources.map(({ path }) => path);
  const testFiles = (await gates.reachingTests(sourcePaths)) ?? [];
  const showingSubjects = [...(callsFirst?.shownBy.keys() ?? [])];
  const nearTests = await chooseNearTests(context, testFiles, showingSubjects, tests.chosen.base.value?.cases ?? []);
  reportMessage(`Tries mistakes in ${sourcePaths.join(', ')}`);
  const secondsForTests = ((endAt - clock.now()) / 1000) * SHARE_FOR_TESTS;
  const statuses =
    mutantsToTry?.size === 0
      ? new Map<Mutant, MutantStatus>()
      : await determineStatusesNearFirst(
          {
            context: gates,
            tests,
            testFiles,
            sources,
            plan,
            onlyInOneRun: search === null,
            needsSeparateRuns: search !== null && !run.pace.together,
            ...(mutantsToTry && { chosenMutants: mutantsToTry }),
            ...pickStop(request),
            onNeedsSeparateRuns: () => (run.pace.together = false),
          },
          nearTests,
          secondsForTests,
          request.signal,
        );
  if (statuses && request.stop?.aborted) return recordUnfinished(run, paths, plan.mutants, statuses);
  if (!statuses && (tests.chosen.base.value?.passed ?? 0) > 0) {
    const reason = run.runner === null ? NONE_PASSES_CHANGED : NONE_PASSES_REASON;
    return recordLeftOut(run, sourcePaths, reason);
  }
  if (!statuses) {
    const reason = explainNoTestPasses(tests.chosen.base);
    const message = `No test passes here, so none can notice a mistake.${reason === null ? '' : ` ${reason}`}`;
    throw new SelfwareError('unavailable', message, {
      action: formatNoTestPassesAdvice(run.runner, tests.chosen.base),
    });
  }
  const wantedMutants = callsFirst?.needed ?? remaining ?? null;
  const triedPaths = new Set([...statuses.keys()].map(({ path }) => path));
  // A mutant that has a probe and got no status in time is known to be reached by the tests.
  const isOpen = (mutant: Mutant) =>
    (wantedMutants?.has(mutant) ?? true) && mutant.probe !== null && !statuses.has(mutant);
  const reachedOnlyPaths = new Set(plan.mutants.filter(isOpen).map(({ path }) => path));
  // In a file that earlier searches know, only mutants that no test has noticed are tried, so their survival does not
  // show that the file is untested.
  const isKnownToRun = (path: string) =>
    run.repeatedFiles.has(path) ||
    plan.mutants.some((mutant) => mutant.path === path && unknownMutants?.has(mutant) === false);
  const untested = new Set(
    [...triedPaths].filter(
      (path) => !isKnownToRun(path) && !reachedOnlyPaths.has(path) && !isReached(path, plan, statuses),
    ),
  );
  for (const path of untested)
    totals.leftOut.push({ path, name: 'all of it', reason: 'No test was seen to run code of its file.' });
  const isMissed = (mutant: Mutant) =>
    survived.has(mutant) ||
    (!untested.has(mutant.path) && ['survived', 'unreached'].includes(statuses.get(mutant) ?? ''));
  const missed = [...plan.mutants.keys()].filter(
    (mutantIndex) => (search === null || plan.schemata.switched[mutantIndex]) && isMissed(plan.mutants[mutantIndex]!),
  );
  const judgedMutants = listJudgedMutants(statuses);
  totals.mutants += judgedMutants.length;
  totals.survivors += missed.filter((mutantIndex) => statuses.has(plan.mutants[mutantIndex]!)).length;
  totals.tried.push(
    ...countMutantsByFile(
      judgedMutants,
      missed.map((mutantIndex) => plan.mutants[mutantIndex]!),
    ),
  );
  const isUntried = (mutant: Mutant) => (wantedMutants?.has(mutant) ?? true) && !statuses.has(mutant);
  const untried = new Set(plan.mutants.filter(isUntried).map(({ path }) => path));
  const incomplete = new Set([
    ...unreadPaths,
    ...(search ? selectNeededMutants(plan.mutants) : plan.mutants).filter(isUntried).map(({ path }) => path),
  ]);
  const noticed = collectNoticedKeys(statuses);
  const missedKeys = groupKeysByPath(missed.map((mutantIndex) => plan.mutants[mutantIndex]!));
  if (missed.length === 0) return { foundFunctions: [], incomplete, untried, noticed, missed: missedKeys };
  reportMessage(`Calls functions with ${formatCount(missed.length, 'mistake')} that no test notices`);
  if (search === null) {
    const missedMutants = { sources, plan, missed, maxCalls: MAX_FUNCTION_CALLS };
    return { ...(await searchOtherLanguage(run, missedMutants, endAt - clock.now(), incomplete)), noticed };
  }
  // Functions whose calls showed these mutants before the tests were run show them again.
  const shownBy =
    callsFirst && missed.every((mutantIndex) => callsFirst.all.has(plan.mutants[mutantIndex]!))
      ? { shownBy: callsFirst.shownBy }
      : {};
  const report = await searchCalls(
    ...([run, { search, plan, sources }, missed, Math.max(0, endAt - clock.now()), shownBy] as const),
  );
  if (report.obstacle !== null) throw new SelfwareError('unavailable', report.obstacle, {});
  totals.functions += report.functions;
  const subjects = listSubjectsOfSearch({ search, plan }, missed, imports, shownBy.shownBy);
  noteNotCalled(report, subjects, { leftOut: totals.leftOut, incomplete });
  const foundFunctions = await describeFound(context, run.runner, request.signal, subjects, plan, report);
  return { foundFunctions, incomplete, untried, noticed, missed: missedKeys };
}
