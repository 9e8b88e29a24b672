// Searches for further work when a run has nothing else to try: wrong examples in the documentation and missing tests,
// which become proposals, and calls that break functions, which the report lists.

import type { NightEvent } from '../../core/model/nights.ts';
import { pickScope } from '../../core/model/workScope.ts';
import type { Operation } from '../../core/operation.ts';
import { createCounterexampleOpportunity } from '../../core/session/analyse/storedCounterexamples.ts';
import { NONE_PASSES_REASON } from '../../core/session/analyse/unguarded/unguarded.ts';
import { createExampleOpportunity } from '../../core/session/analyse/examples/storedExamples.ts';
import { createUnguardedOpportunity } from '../../core/session/analyse/unguarded/unguardedMistakes.ts';
import type { Session } from '../../core/session.ts';
import type { Settings } from '../../settings/schema.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import type { BegunRun } from './beginRun.ts';
import { findStopReason, type NightContext } from './night.ts';
import { withStopSignal } from './open/watchForStop.ts';
import { chooseReadyProposer } from './open/ratePause.ts';
import { findUntriedWish } from './tryWish.ts';
import { countReasons } from '../../core/verify/counterexamples/skippedFunctions.ts';

/**
 * Seconds of one search, by kind. A search for missing tests continues where the previous one ended. After a search
 * that was too short to learn anything, the next one gets twice the time, because on a busy machine a single file may
 * need all of it.
 */
const SEARCH_SECONDS = { examples: 60, tests: 120, calls: 60 } as const;
/**
 * Share of the run's remaining time that a search for missing tests may use. The other half is for proving its
 * findings. A search that is cut off by the end of the run loses the results of its unfinished files.
 */
const SHARE_OF_RUN = 0.5;
/**
 * The share of the remaining time after a search that was too short to learn anything, because another short search
 * would not be enough either.
 */
const SHARE_AFTER_SHORT_SEARCH = 0.9;
/** Minimum number of seconds of a search. */
const MIN_SECONDS = 10;
/**
 * Maximum number of seconds of a search of files that earlier runs could not finish. Such a search gets twice its
 * earlier time: the machine may have been busy, so one lack of time must not exclude a file forever.
 */
const MAX_SECONDS_OF_UNFINISHED = 1_800;
/** Maximum number of reasons that the report gives for places that were skipped. */
const MAX_REASONS = 3;
/** Maximum number of consecutive searches that end for lack of time and find nothing new. */
const MAX_FRUITLESS_SEARCHES = 3;

/**
 * The outcome of one search. `isNew`: something new was found. `isDone`: no file remains. `hasLearned`: the next search
 * can continue with what this one has learned.
 */
interface SearchOutcome {
  readonly isNew: boolean;
  readonly isDone: boolean;
  readonly hasLearned: boolean;
  /**
   * The least time in seconds that earlier searches had for the unfinished files, if nothing was searched because they
   * had enough; otherwise null.
   */
  readonly spentBefore: number | null;
  /** Set if an error ended the search that may be gone at the next search. */
  readonly isInterrupted?: boolean;
}

/**
 * The time of a search for missing tests: seconds for mutants and calls, and seconds from the start after which no
 * mutant is begun.
 */
interface SearchTime {
  readonly seconds: number;
  readonly secondsInAll: number;
}

/** The data of the event about a search. */
type Searched = Extract<NightEvent, { readonly type: 'nightSearched' }>['data'];

/** The searches of one session of a run. */
export interface FurtherSearch {
  /**
   * True if another turn should follow immediately. Records the errors of the search, except `cancelled` and errors
   * that are not a `SelfwareError`, which it throws.
   */
  next(operation: Operation): Promise<boolean>;
  /**
   * At the first call, runs the examples of the documentation. If they give nothing new, and at later calls, searches
   * once for missing tests. True if something new was found, or if the next search can continue with mutants for which
   * this one had not enough time. Throws the same errors as `next`.
   */
  first(operation: Operation): Promise<boolean>;
}

/** State of the search for further work, kept when the branch moves. */
export interface SearchState {
  /**
   * The time until which only fixes and missing tests are tried; 0 afterwards, or after a search for missing tests that
   * found nothing.
   */
  wantedUntil: number;
  /**
   * True while faults in tests, such as an assertion that nobody awaits, are tried, after `wantedUntil`. A fix of them
   * waits for a person, but is worth more than what follows.
   */
  faultsInTests: boolean;
  /**
   * True if changes of tests are also tried. They wait for a person, and each takes as long as a change that can be
   * kept.
   */
  tests: boolean;
}

/**
 * Decides after each turn whether another turn follows immediately. The phases of a run are:
 * 1. Only fixes and missing tests, until `wantedUntil`. After a turn that has made nothing, `searchFirst` looks for
 * more of them, and the phase ends unless it has found some (true).
 * 2. Faults in tests, until a turn has made nothing.
 * 3. Everything except changes of tests. After a turn that has made nothing, `search` looks for new work.
 * 4. Changes of tests as well. The first turn with them is followed by no other search.
 */
export function createTurnPolicy(
  limits: SearchState,
  search: () => Promise<boolean>,
  searchFirst: () => Promise<boolean> = async () => false,
) {
  let hasSearchedLastTurn = false;
  return async (hasMadeChange: boolean): Promise<boolean> => {
    const wasSearchedBefore = hasSearchedLastTurn;
    hasSearchedLastTurn = false;
    if (limits.wantedUntil > 0) {
      const isInTime = Date.now() < limits.wantedUntil;
      if (isInTime && (hasMadeChange || (await searchFirst()))) return true;
      limits.wantedUntil = 0;
      limits.faultsInTests = true;
      return true;
    }
    if (limits.faultsInTests) {
      limits.faultsInTests = hasMadeChange;
      return true;
    }
    if (hasMadeChange || (!wasSearchedBefore && (await search()))) return true;
    if (limits.tests) return false;
    limits.tests = true;
    hasSearchedLastTurn = true;
    return true;
  };
}

/** Creates the searches. They remember what they have found, so that nothing counts as new again. */
export function createFurtherSearch(
  context: NightContext,
  begunRun: BegunRun,
  session: Session,
  settings: Pick<Settings, 'night.searchFurther'>,
): FurtherSearch {
  const { request, repository, branch, isQuiet } = context;
  const seenIds = new Set<string>();
  const isOn = settings['night.searchFurther'];
  const isSearchEnded = {
    examples: !isOn || begunRun.kinds?.includes('fixes') === false,
    tests: !isOn || begunRun.kinds?.includes('tests') === false,
    calls: !isOn || begunRun.kinds?.includes('fixes') === false,
  };
  /** Files whose tests fail without mutants. A search of them is useless, and costs a run of the tests each time. */
  const pathsWithFailingTests = new Set<string>();
  let searchStartedAt = 0;
  /** Number of consecutive searches in the first phase of the run that have found nothing new. */
  let fruitlessSearches = 0;

  return {
    async next(operation) {
      if (await searchExamplesOnce(operation)) return true;
      if (await searchTests(operation)) return true;
      if (isSearchEnded.calls) return false;
      isSearchEnded.calls = true;
      const calls = await attemptSearch(operation, 'calls', () => searchCalls(operation));
      // Without a proposer, nobody can make a fix of a call that breaks.
      return calls.isNew && begunRun.proposer !== null;
    },
    async first(operation) {
      if (await searchExamplesOnce(operation)) return true;
      if (isSearchEnded.tests) return false;
      const { isNew, isDone, hasLearned } = await attemptSearch(operation, 'tests', () =>
        searchMissingTests(computeSearchTime(0, 0), operation),
      );
      isSearchEnded.tests = isDone && !isNew;
      fruitlessSearches = isNew ? 0 : fruitlessSearches + 1;
      return isNew || (hasLearned && !isDone && fruitlessSearches < MAX_FRUITLESS_SEARCHES);
    },
  };

  /** Runs the examples of the documentation, unless this run has done so. True if a new wrong one was found. */
  async function searchExamplesOnce(operation: Operation): Promise<boolean> {
    if (isSearchEnded.examples) return false;
    isSearchEnded.examples = true;
    return (await attemptSearch(operation, 'examples', () => searchExamples(operation))).isNew;
  }

  /**
   * Searches for missing tests, longer after each search that learned nothing. True if something new was found, if
   * something else has to be done first, or if the run is asked to end.
   */
  async function searchTests(operation: Operation): Promise<boolean> {
    const head = await branch.head();
    for (let barren = 0, spent = 0; !isSearchEnded.tests && barren < MAX_FRUITLESS_SEARCHES; ) {
      const time = computeSearchTime(barren, spent);
      if (spent > 0 && time.seconds <= spent) return false;
      const { isNew, isDone, hasLearned, spentBefore, isInterrupted } = await attemptSearch(operation, 'tests', () =>
        searchMissingTests(time, operation),
      );
      if (isInterrupted) return false;
      // Only files that earlier runs could not finish remain. Searches them once more, with more time.
      if (spentBefore !== null) {
        if (spent > 0 || barren > 0) return false;
        spent = spentBefore;
        continue;
      }
      isSearchEnded.tests = isDone && !isNew;
      if (isNew || (await findStopReason(context, begunRun)) !== null) return true;
      if (!hasLearned) barren += spent > 0 ? MAX_FRUITLESS_SEARCHES : 1;
      else if (await isOtherWorkThere(head)) return true;
    }
    return false;
  }

  /** True if the run is drained, or has a new commit or a wish. `head`: the commit before the search. */
  async function isOtherWorkThere(head: string): Promise<boolean> {
    if (request.drain?.aborted || (await branch.head()) !== head) return true;
    const wish = await findUntriedWish(repository.ledger, begunRun, isQuiet);
    return wish !== null && (await chooseReadyProposer(context, begunRun, session)) !== null;
  }

  /**
   * The time of the next search for missing tests. `barren`: number of preceding searches that had not enough time to
   * learn anything. `spent`: seconds that earlier runs spent on the unfinished files; 0 if other files remain.
   */
  function computeSearchTime(barren: number, spent: number): SearchTime {
    const secondsLeft = Math.floor((begunRun.until - Date.now()) / 1000);
    const share = barren === 0 && spent === 0 ? SHARE_OF_RUN : SHARE_AFTER_SHORT_SEARCH;
    const wantedSeconds = Math.max(SEARCH_SECONDS.tests * 2 ** barren, Math.min(2 * spent, MAX_SECONDS_OF_UNFINISHED));
    const secondsInAll = Math.max(MIN_SECONDS, Math.floor(secondsLeft * share));
    return { seconds: Math.min(wantedSeconds, secondsInAll), secondsInAll };
  }

  /** Searches for missing tests, and records the search. */
  async function searchMissingTests(time: SearchTime, operation: Operation) {
    request.onEvent({ type: 'note', text: 'Looking for mistakes that no test notices.' });
    const { places: paths = [], excluded = [] } = pickScope(begunRun);
    const {
      found,
      files,
      undone,
      mutants,
      survivors,
      tried,
      leftOut,
      hasLearned = false,
      spent = null,
    } = await withStopSignal(context, begunRun, (stop) =>
      session.analysis.unguarded({
        ...{ paths, excluded, ...time, all: true, untilFound: true, except: pathsWithFailingTests, stop },
        ...operation,
      }),
    );
    const lines = found.flatMap((unguarded) => {
      const { id } = createUnguardedOpportunity(unguarded);
      return 'refused' in unguarded.test || wasSeenBefore(id) ? [] : [`${unguarded.name} in ${unguarded.path}`];
    });
    if (spent !== null) return { isNew: false, isDone: false, hasLearned, spentBefore: spent };
    for (const { path, reason } of leftOut) if (reason === NONE_PASSES_REASON) pathsWithFailingTests.add(path);
    await record('tests', files, undone, lines, {
      mistakes: { tried: mutants, missed: survivors, files: tried },
      leftOut: findFrequentReasons(leftOut),
    });
    return { isNew: lines.length > 0, isDone: undone === 0, hasLearned, spentBefore: null };
  }

  /** Runs the examples of the documentation, and records the search. */
  async function searchExamples(operation: Operation): Promise<SearchOutcome> {
    const { places: paths = [], excluded = [] } = pickScope(begunRun);
    const { wrong, documents, checks } = await session.analysis.examples({
      ...{ paths, excluded, seconds: SEARCH_SECONDS.examples },
      ...operation,
    });
    const newExamples = wrong.filter((example) => !wasSeenBefore(createExampleOpportunity(example).id));
    const lines = newExamples.map(({ call, actual, path, line }) => `\`${call}\` (${path}:${line}) returns ${actual}`);
    if (checks > 0) await record('examples', documents, 0, lines);
    return { isNew: lines.length > 0, isDone: true, hasLearned: false, spentBefore: null };
  }

  /** Searches for calls that break functions, and records the search. */
  async function searchCalls(operation: Operation) {
    request.onEvent({ type: 'note', text: 'Looking for calls that break.' });
    const { places: paths = [], excluded = [] } = pickScope(begunRun);
    const { signal, ...others } = operation;
    const report = await withStopSignal(context, begunRun, async (stop) => {
      const request = { paths, excluded, seconds: SEARCH_SECONDS.calls, ...others };
      try {
        return await session.analysis.counterexamples({ ...request, signal: AbortSignal.any([signal, stop]) });
      } catch (error) {
        if (stop.aborted && !signal.aborted) return null;
        throw error;
      }
    });
    if (report === null) return { isNew: false, isDone: false, hasLearned: false, spentBefore: null };
    const { finds, files, undone } = report;
    const newCounterexamples = finds.filter((find) => !wasSeenBefore(createCounterexampleOpportunity(find).id));
    await record(
      'calls',
      files,
      undone,
      newCounterexamples.map(({ call, observed, path }) => `\`${call}\` (${path}): ${observed}`),
    );
    return { isNew: newCounterexamples.length > 0, isDone: true, hasLearned: false, spentBefore: null };
  }

  /** True if a finding was seen before; remembers it. */
  function wasSeenBefore(id: string): boolean {
    const wasSeen = seenIds.has(id);
    seenIds.add(id);
    return wasSeen;
  }

  /** Records a search in the ledger of the repository. */
  async function record(
    search: Searched['search'],
    files: number,
    remainingFiles: number,
    findings: readonly string[],
    details: Pick<Searched, 'mistakes' | 'leftOut' | 'obstacle'> = {},
  ): Promise<void> {
    const { branch: night, run } = begunRun;
    const seconds = Math.round((Date.now() - searchStartedAt) / 100) / 10;
    const data = { night, run, search, files, undone: remainingFiles, found: findings, seconds, ...details };
    await repository.ledger.record({ type: 'nightSearched', data });
  }

  /**
   * Runs a search, and records its error. If a retry is useless, there are no more searches of this kind, because they
   * would fail in the same way. A shortage of memory or room, for example, only ends this search.
   */
  async function attemptSearch(
    operation: Operation,
    searchKind: Searched['search'],
    search: () => Promise<SearchOutcome>,
  ): Promise<SearchOutcome> {
    searchStartedAt = Date.now();
    try {
      return await search();
    } catch (error) {
      throwIfCancelled(operation.signal);
      if (!(error instanceof SelfwareError)) throw error;
      const obstacle = describeError(error);
      request.onEvent({ type: 'note', text: `The search ended. ${obstacle}` });
      await recordObstacle(operation, searchKind, obstacle);
      const isInterrupted = error.retry !== null;
      return { isNew: false, isDone: !isInterrupted, hasLearned: false, spentBefore: null, isInterrupted };
    }
  }

  /** Records the obstacle. If the ledger cannot be written either, the run continues without this event. */
  async function recordObstacle(operation: Operation, search: Searched['search'], obstacle: string): Promise<void> {
    try {
      await record(search, 0, 0, [], { obstacle });
    } catch (error) {
      throwIfCancelled(operation.signal);
      request.onEvent({ type: 'note', text: `The ledger does not hold this. ${describeError(error)}` });
    }
  }
}

/** The most frequent reasons for skipping places, each with the number of places. */
function findFrequentReasons(skipped: readonly { readonly reason: string }[]): NonNullable<Searched['leftOut']> {
  return countReasons(skipped)
    .slice(0, MAX_REASONS)
    .map(({ reason, count }) => ({ reason, places: count }));
}
