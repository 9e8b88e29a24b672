// Compares old and new code target by target: generates inputs, searches for a call with different results, shrinks it
// and confirms it.

import { serialize } from 'node:v8';
import fc from 'fast-check';
import {
  MAX_NAMED,
  type BehaviourChange,
  type HarnessOrder,
  type HarnessReport,
  type ComparedTarget,
  type TargetReport,
} from '../../core/verify/differential/plan.ts';
import { createArbitraries } from './arbitraries.ts';
import { chooseRepeatedCalls } from './repeatedCalls.ts';
import {
  confirmCounterexample,
  confirmFix,
  createCounterexample,
  reportWithoutRepetition,
  type AnswerPair,
  type ConfirmationSession,
  type Ends,
  type Pair,
} from './confirmDifference.ts';
import { describeDifference } from './difference.ts';
import { isFixedCall } from './fixedCalls.ts';
import type { Call, RanCode, SideStart } from './messages.ts';
import { CALL_MS, startSide, type SideAnswer, type SideProcess } from './sideProcesses.ts';
import { createPlainSides, ranWithoutObserver, mentionsObserver, type PlainSides } from './observed/plainSides.ts';
import { findUnexercised } from './observed/unexercised.ts';
import { createNamedMatcher } from './pairs/namedCalls.ts';
import { createForeignSides, type ForeignSides } from './pairs/foreignSides.ts';
import { openPair, startSides, listWatchedFiles, type Obstacle, type Starts } from './pairs/startSides.ts';
import { createUnknownReport, markLinesUnknown } from './results/unknownReports.ts';
import { findUnreachedLines } from './unreached.ts';

/**
 * Minimum number of inputs for a function with parameters; fewer prove nothing. If all throw or one has an effect, no
 * more are tried.
 */
const MIN_INPUTS = 40;
/**
 * Maximum number of inputs on which the old code may hang while the new code answers. After more of them, the search
 * ends.
 */
const MAX_HANGS = 2;
/**
 * Maximum number of different inputs on which both sides may hang. After more of them, the search ends without a
 * result, because each costs time.
 */
const MAX_HANGS_OF_BOTH = 8;
/**
 * Time limit in milliseconds of a call that neither side answers, after both sides have hung on another call. If one
 * side answers in time, the other side gets `CALL_MS`.
 */
const LATER_CALL_MS = 300;
/** Share of the time for finding differences. The remaining time is for repeating the calls that showed one. */
const SEARCH_SHARE = 2 / 3;
/**
 * Share of the time of one target for repeating its calls in another time zone, at another time and with other random
 * numbers.
 */
const FOREIGN_SHARE = 1 / 6;
/** Minimum number of milliseconds for one target. If less time is left, the target is not compared. */
const MIN_TARGET_MS = 100;
/** Share of the whole time that is reserved for collecting the lines that ran. */
const COLLECT_SHARE = 1 / 10;

/**
 * Compares all targets. `onReport` receives a report before each target, in case the comparison does not finish. Throws
 * if code that has loaded once does not load again.
 */
export async function compareSides(
  request: HarnessOrder,
  rootDir: string,
  entry: URL,
  onReport: (report: HarnessReport) => void,
): Promise<HarnessReport> {
  // The time counts from the start of the thread, because loading takes part of it.
  const comparisonMs = request.budgetMs * (1 - COLLECT_SHARE);
  const deadlines: Ends = { search: comparisonMs * SEARCH_SHARE, endOfAll: comparisonMs };
  const workerStart = await startSides(request, rootDir, entry);
  if ('obstacle' in workerStart) return { obstacle: workerStart.obstacle, targets: [], unreached: [], unexercised: [] };
  const computeRemainingMs = (until: number) => Math.max(1, until - performance.now());
  const nullIfLate = <Opened extends object>(openedPair: Opened | Obstacle, until: number): Opened | null => {
    if (!('obstacle' in openedPair)) return openedPair;
    if (performance.now() >= until) return null;
    throw new Error('Code that loaded before does not load again.');
  };
  const { starts, pair } = workerStart;
  const openAs = async (chosenStarts: Starts, until: number): Promise<Pair | null> =>
    nullIfLate(await openPair(entry, chosenStarts, computeRemainingMs(until)), until);
  const removeObservation = ({ observed: _, ...start }: SideStart, onlyPath: string | null): SideStart => ({
    ...start,
    onlyPath: onlyPath,
  });
  const createPlainStarts = (onlyPath: string | null): Starts => ({
    oldStart: removeObservation(starts.oldStart, onlyPath),
    newStart: removeObservation(starts.newStart, onlyPath),
  });
  const open = (onlyPath: string | null, until = deadlines.endOfAll): Promise<Pair | null> =>
    openAs(createPlainStarts(onlyPath), until);
  const openOld = async (onlyPath: string | null): Promise<SideProcess | null> =>
    nullIfLate(
      await startSide(entry, removeObservation(starts.oldStart, onlyPath), computeRemainingMs(deadlines.endOfAll)),
      deadlines.endOfAll,
    );
  const reopen = () => openAs(starts, deadlines.endOfAll);
  const plain = createPlainSides(() => open(null));
  const foreign = createForeignSides(entry, createPlainStarts, deadlines);
  const session: ComparisonSession = {
    pair,
    openPair: open,
    openOldSide: openOld,
    reopen,
    plain,
    foreign,
    ends: deadlines,
    ranCode: { old: [], current: [] },
  };
  const { callOf } = createArbitraries(request);
  const targets: TargetReport[] = [];
  for (const [index, target] of request.targets.entries()) {
    onReport({ obstacle: null, targets, unreached: [], unexercised: [] });
    const share = (deadlines.search - performance.now()) / (request.targets.length - index);
    targets.push(
      share < MIN_TARGET_MS || session.pair === null
        ? createUnknownReport(target, 'No time was left for it.')
        : await compareTarget(session, index, target, callOf(target), { ...request, share }),
    );
    if (request.untilDifferent && targets.at(-1)?.counterexample) break;
  }
  onReport({ obstacle: null, targets, unreached: [], unexercised: [] });
  const wasCollected = await collectRanCode(session);
  session.pair?.oldSide.end();
  session.pair?.newSide.end();
  session.plain.end();
  session.foreign.end();
  return {
    obstacle: null,
    targets: wasCollected ? targets : targets.map(markLinesUnknown),
    unreached: findUnreachedLines(
      session.ranCode.old,
      session.ranCode.current,
      new Set(listWatchedFiles(request)),
      new Set(request.created),
    ),
    unexercised: [
      ...findUnexercised(workerStart.oldExpressions, session.ranCode.old, 'old'),
      ...findUnexercised(workerStart.newExpressions, session.ranCode.current, 'new'),
    ],
  };
}

/** The state of the comparison of all targets. */
interface ComparisonSession extends ConfirmationSession {
  /** The running processes; null if there was no time to start them. */
  pair: Pair | null;
  /** Starts a fresh pair in which expressions are observed; null if it was not ready in time. */
  reopen(): Promise<Pair | null>;
  /** Processes in which nothing is observed, for calls that show the observation itself. */
  readonly plain: PlainSides;
  /** The processes in another environment. */
  readonly foreign: ForeignSides;
  /** The code that ran on each side, including processes that have ended. */
  readonly ranCode: { readonly old: RanCode[][]; readonly current: RanCode[][] };
}

/**
 * Searches for a call with different results until `share` milliseconds have passed, and repeats the call if it finds
 * one.
 */
async function compareTarget(
  session: ComparisonSession,
  index: number,
  target: ComparedTarget,
  calls: fc.Arbitrary<Call>,
  {
    seed,
    runs,
    share,
    mends,
    named = [],
  }: Pick<HarnessOrder, 'seed' | 'runs' | 'mends' | 'named'> & {
    readonly share: number;
  },
): Promise<TargetReport> {
  let inputCount = 0;
  let answeredCount = 0;
  let oldHangCount = 0;
  const hangsOfBoth = new Set<string>();
  let firstEffect: string | null = null;
  let brokenReason: string | null = null;
  let foundPair: AnswerPair | null = null;
  let fixedCall: Call | null = null;
  const isNamed = createNamedMatcher(target, named);
  const namedChanges = new Map<string, BehaviourChange>();
  const history: Call[] = [];
  const hasNothingToVary = target.kind === 'value' || (target.kind === 'function' && target.parameters.length === 0);
  const startedAt = performance.now();
  const searchEnd = startedAt + share * (1 - FOREIGN_SHARE);
  const compareCall = async (call: Call): Promise<void> => {
    const { ends } = session;
    if (!session.pair || brokenReason !== null || oldHangCount > MAX_HANGS || hangsOfBoth.size > MAX_HANGS_OF_BOTH)
      return;
    // While shrinking a call, each try that hangs takes the full time limit.
    if (foundPair && 'hangs' in foundPair.newAnswer && performance.now() + MAX_HANGS * CALL_MS > searchEnd) return;
    const callKey = serialize(call).toString('base64');
    if (hangsOfBoth.has(callKey)) return;
    const millis = Math.min(CALL_MS, ends.endOfAll - performance.now());
    if (millis <= 0) return;
    // Once one input has made both sides hang, others probably will, so they get less time.
    const bothMillis = hangsOfBoth.size > 0 ? LATER_CALL_MS : millis;
    let [oldAnswer, newAnswer] = await callBothSides(session, index, call, { millis, bothMillis });
    if ('hangs' in oldAnswer && 'hangs' in newAnswer) {
      hangsOfBoth.add(callKey);
      return;
    }
    // A call on which both sides hang cannot be repeated before others, so only other calls are part of the history.
    if (!foundPair) history.push(call);
    // Little time of the whole comparison was left for this call, so the call may not be slow.
    if (('hangs' in oldAnswer || 'hangs' in newAnswer) && millis < CALL_MS) return;
    if ('hangs' in oldAnswer) {
      oldHangCount += 1;
      return;
    }
    if ('broken' in oldAnswer) brokenReason = `A process broke: ${oldAnswer.broken}.`;
    else if ('broken' in newAnswer) brokenReason = `A process broke: ${newAnswer.broken}.`;
    else if ([oldAnswer, newAnswer].some(ranWithoutObserver))
      brokenReason = 'It runs code where that cannot be observed.';
    else if ([oldAnswer, newAnswer].some(mentionsObserver)) {
      const plainAnswers = await session.plain.ask(index, history, call, searchEnd);
      if (plainAnswers) ({ oldAnswer, newAnswer } = plainAnswers);
      else brokenReason = 'It did not answer in time while nothing was observed.';
    }
    if ('broken' in oldAnswer || 'broken' in newAnswer || 'hangs' in oldAnswer || brokenReason !== null) return;
    inputCount += 1;
    if (!oldAnswer.outcome.threw) answeredCount += 1;
    if (mends && isFixedCall(oldAnswer, newAnswer)) {
      fixedCall ??= call;
      return;
    }
    if (isNamed(call)) {
      const change = createCounterexample(target, oldAnswer, newAnswer, 0);
      if (change && namedChanges.size < MAX_NAMED) namedChanges.set(change.call, change);
      return;
    }
    firstEffect ??= oldAnswer.outcome.effect ?? ('outcome' in newAnswer ? newAnswer.outcome.effect : null);
    if ('hangs' in newAnswer || describeDifference(oldAnswer.outcome, newAnswer.outcome)) {
      foundPair = { oldAnswer, newAnswer };
      throw new Error('different');
    }
  };
  const property = fc.asyncProperty(calls, compareCall);
  const runSearch = async (first: number, numRuns: number) =>
    fc.check(property, {
      seed: seed + first,
      numRuns,
      interruptAfterTimeLimit: Math.max(1, searchEnd - performance.now()),
      markInterruptAsFailure: false,
      endOnFailure: false,
      timeout: undefined as unknown as number,
    });
  const firstRuns = hasNothingToVary ? 2 : Math.min(MIN_INPUTS, runs);
  let checkDetails = await runSearch(0, firstRuns);
  // If each call throws or has an effect outside of the process, more inputs would not show that the code is the same.
  const mayShowMore = !hasNothingToVary && answeredCount > 0 && firstEffect === null && brokenReason === null;
  if (!checkDetails.failed && mayShowMore && runs > firstRuns && performance.now() < searchEnd)
    checkDetails = await runSearch(firstRuns, runs - firstRuns);
  const differentCall = checkDetails.failed ? checkDetails.counterexample?.[0] : await findDifferenceInRepeats();
  const confirmedFix = fixedCall && (await confirmFix(session, index, target, fixedCall));
  const lateFixSentence =
    confirmedFix === 'late' ? 'A call breaks no longer, and no time was left to look at it again.' : null;
  const report = {
    path: target.path,
    name: target.name,
    inputs: inputCount,
    answered: answeredCount,
    ...(hangsOfBoth.size > 0 ? { endless: hangsOfBoth.size } : {}),
    ...(confirmedFix && confirmedFix !== 'late' ? { mended: confirmedFix } : {}),
    ...(namedChanges.size > 0 ? { named: [...namedChanges.values()] } : {}),
  };
  if (differentCall && foundPair) {
    const answer = await confirmCounterexample(session, index, target, differentCall, history);
    return { ...report, ...(answer === 'late' ? reportWithoutRepetition(target, foundPair) : answer) };
  }
  const reason = explainDoubt();
  // A change that must keep behaviour is also compared in another time zone. A fix is compared only by the calls that
  // it fixes.
  if (reason === null && !fixedCall) {
    const foreignReport = await session.foreign.compare(
      index,
      target,
      history.filter((call) => !isNamed(call)),
      startedAt + share,
    );
    if (foreignReport !== null) return { ...report, ...foreignReport };
  }
  const outOfTime =
    reason !== null && (hasTooFewInputs() || lateFixSentence !== null) ? { outOfTime: true as const } : {};
  return { ...report, outcome: reason === null ? 'same' : 'unknown', reason, ...outOfTime, counterexample: null };

  /**
   * Makes the first calls again, twice each and in another order, while time is left: code that keeps state between
   * calls may answer a later call differently. Returns the call that shows a difference, if there is one.
   */
  async function findDifferenceInRepeats(): Promise<Call | undefined> {
    const repeated = chooseRepeatedCalls(history, seed);
    const counts = { inputs: inputCount, answered: answeredCount };
    try {
      for (const call of repeated) {
        if (performance.now() >= searchEnd || firstEffect !== null || brokenReason !== null) break;
        try {
          await compareCall(call);
        } catch (error) {
          if (!foundPair) throw error;
          return call;
        }
      }
      return undefined;
    } finally {
      ({ inputs: inputCount, answered: answeredCount } = counts);
    }
  }

  function hasTooFewInputs(): boolean {
    return !hasNothingToVary && inputCount < Math.min(MIN_INPUTS, runs);
  }

  function explainDoubt(): string | null {
    if (brokenReason !== null) return brokenReason;
    if (oldHangCount > 0)
      return `The old code does not end on ${oldHangCount} of the inputs, on which the new code ends.`;
    if (lateFixSentence !== null) return lateFixSentence;
    if (firstEffect !== null) return `It asks for ${firstEffect}, and what follows that cannot be compared.`;
    if (hangsOfBoth.size > 0 && (hasTooFewInputs() || hangsOfBoth.size > MAX_HANGS_OF_BOTH))
      return `Neither the old nor the new code ends on ${hangsOfBoth.size} of the first inputs.`;
    if (inputCount === 0) return 'No input was tried.';
    if (answeredCount === 0) return `It throws on each of ${inputCount} inputs.`;
    if (hasTooFewInputs())
      return `Only ${inputCount} inputs in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`;
    return null;
  }
}

/**
 * Makes the call on both sides at the same time, and replaces both processes if one hangs or breaks. A side has
 * `millis` for its answer. If neither side has answered after `bothMillis`, both count as hanging. The session must
 * have a pair.
 */
async function callBothSides(
  session: ComparisonSession,
  index: number,
  call: Call,
  { millis, bothMillis }: { readonly millis: number; readonly bothMillis: number },
): Promise<readonly [SideAnswer, SideAnswer]> {
  const { oldSide, newSide } = session.pair!;
  let isAnswered = false;
  let wereEnded = false;
  const ask = (side: SideProcess) =>
    side.ask(index, call, millis).finally(() => {
      isAnswered = true;
    });
  const timer = setTimeout(() => {
    wereEnded = !isAnswered;
    if (wereEnded) for (const side of [oldSide, newSide]) side.end();
  }, bothMillis);
  const answers = await Promise.all([ask(oldSide), ask(newSide)]);
  clearTimeout(timer);
  if (answers.some((answer) => 'hangs' in answer || 'broken' in answer)) await reopenSides(session);
  return wereEnded ? [{ hangs: bothMillis }, { hangs: bothMillis }] : answers;
}

/** Replaces both processes by fresh ones. `session.pair` becomes null if no time is left for that. */
async function reopenSides(session: ComparisonSession): Promise<void> {
  await collectRanCode(session);
  session.pair?.oldSide.end();
  session.pair?.newSide.end();
  session.pair = await session.reopen();
}

/** Adds the code that ran in the current pair to `ranCode`. False if one of the two processes did not report it. */
async function collectRanCode({ pair, ranCode, ends }: ComparisonSession): Promise<boolean> {
  // The time reserved for collecting begins when all other time is used up.
  const millis = Math.max(0, ends.endOfAll - performance.now()) + ends.endOfAll * COLLECT_SHARE;
  const [oldCode, newCode] = pair
    ? await Promise.all([pair.oldSide.readRanCode(millis), pair.newSide.readRanCode(millis)])
    : [null, null];
  ranCode.old.push([...(oldCode ?? [])]);
  ranCode.current.push([...(newCode ?? [])]);
  return oldCode !== null && newCode !== null;
}
