// An unattended run: improves a copy of the repository, and commits each kept change to a separate branch. It ends when
// its time is over, at its limit of changes, at the kill switch, or when nothing is left. It can be killed at any
// moment; the next run continues its work.

import { setTimeout as sleep } from 'node:timers/promises';
import { requireIdentity } from '../../adapters/git/committerIdentity.ts';
import { requireCommits } from '../../adapters/git/revisions.ts';
import { createDeadline } from '../../adapters/run/deadline.ts';
import { throwIfStopped } from '../../core/ledger/stopped.ts';
import type { NightMiss } from '../../core/model/nights.ts';
import { pickScope } from '../../core/model/workScope.ts';
import type { Operation } from '../../core/operation.ts';
import { findNewestNightIfEndedSince } from '../../core/run/nightQueries.ts';
import type { Night } from '../../core/run/nightTypes.ts';
import { createFurtherSearch, createTurnPolicy, type SearchState } from './searchFurther.ts';
import { computeNextAttemptTime } from '../../core/run/idlePauses.ts';
import type { Session } from '../../core/session.ts';
import { outlastErrors, recordEnd } from './open/outlastErrors.ts';
import { improveInOrder, recordMiss, computeRoomOfTurn } from './open/improveOnce.ts';
import { countChangesOfRun, withOpenTree, type OpenTree } from './open/openTree.ts';
import type { Settings } from '../../settings/schema.ts';
import { throwIfCancelled } from '../../util/typedError.ts';
import { beginInTime, type BegunRun } from './beginRun.ts';
import { finishVerified } from './finishVerified.ts';
import { chooseTrustedProposer, giveCanary, createHeldTest } from './giveCanary.ts';
import { handOver } from './handOver.ts';
import { recordLateRun, handOverLate } from './recordLateRun.ts';
import { analyseFeedbackHourly } from './open/lookHourly.ts';
import { copyEventsFromRun, copyEventsToRun } from './sharedKnowledge.ts';
import { RUN_PARTS, withOpenRun, type OpenRun, type RunParts } from './open/openRun.ts';
import { createDegradationReport } from './open/degradation.ts';
import { followStart } from './open/followStart.ts';
import { rememberSteps } from './open/lastStep.ts';
import { parkAndRestore, findParkable } from './moveNight.ts';
import { needsPerson } from './needsPerson.ts';
import { isPaused, findPauseReason } from './pauseRun.ts';
import { setAsideCrashingProposals } from './crashingProposals.ts';
import { createCandidatesOfRun, finishInParallel, type CandidatesOfRun } from './sideBySide.ts';
import { chooseReadyProposer, findRunPause, type RunPause } from './open/ratePause.ts';
import { waitForPower } from './open/waitForPower.ts';
import { waitForWork } from './open/waitForWork.ts';
import { notifyAfterRun } from './notifyPerson.ts';
import { unloadAskedModels } from '../unloadModels.ts';
import {
  requireNight,
  loadNights,
  createQuietCheck,
  findInterruptionReason,
  findStopReason,
  TIME_IS_UP,
  type NightContext,
  type NightRequest,
  type RunEnd,
} from './night.ts';
import { findUnwantedProposals, postponeWishes, recordDoneWishes, tryNextWish } from './tryWish.ts';

export { requireCommits, requireIdentity };

/** Milliseconds between two checks for the answer and the kill switch, while a run waits for a person. */
const LOOK_MS = 5_000;
/** Share of a run in which only fixes and missing tests are tried, as long as the search finds some. */
const SHARE_FOR_WANTED = 0.5;

/**
 * Runs until its end, and then notifies the person. Throws `locked` if a run is in progress, `notARepository`,
 * `noCommit`, `unavailable` if git does not know who commits, `cancelled`.
 */
export async function runNight(nightRequest: NightRequest, parts = RUN_PARTS): Promise<Night> {
  let hasEnded = false;
  const request: NightRequest = {
    ...nightRequest,
    onEvent(event) {
      hasEnded ||= event.type === 'ended';
      nightRequest.onEvent(event);
    },
  };
  try {
    const night = await withOpenRun(request, parts, (open) => runOpen(open, parts));
    // All locks are released before the person is told, because the person may take the branch immediately.
    if (night.state === 'stopped') await notifyAfterRun(request, 'ended');
    return night;
  } catch (error) {
    // Another start would fail again, so a person is needed.
    if (hasEnded) await notifyAfterRun(request, 'ended');
    else if (needsPerson(error)) await notifyAfterRun(request, 'needsPerson');
    throw error;
  }
}

/** Runs with the lock and the ledger open, until the end of the run. */
async function runOpen({ request, places, repository }: OpenRun, parts: RunParts): Promise<Night> {
  const { supervisedSince = null } = request;
  const endedNight =
    supervisedSince === null ? null : findNewestNightIfEndedSince(await loadNights(repository.ledger), supervisedSince);
  if (endedNight !== null) return endedNight;
  await throwIfStopped(repository.ledger);
  const openedBranch = await parts.openNightBranch(request.rootDir, places.scratch, request.log);
  const followedBranch = await followStart(openedBranch, (await loadNights(repository.ledger)).at(-1), supervisedSince);
  const limit = Number(request.personSettings['models.costPerRun'] ?? 0);
  const maxCost = limit > 0 ? { maxCost: limit } : {};
  const isQuiet = createQuietCheck(request.env);
  const context = { request, places, repository, isQuiet, ...followedBranch, ...maxCost };
  let since = null as number | null;
  const stopLooking = analyseFeedbackHourly(request);
  try {
    return await outlastErrors(context, (current, onBegun) =>
      runToEnd(context, current, (begunRun) => {
        ({ since } = begunRun);
        onBegun(begunRun);
      }),
    );
  } finally {
    await stopLooking();
    // Frees the memory that the models of a long run have filled.
    const onProblem = (message: string) => request.log.write('warn', message);
    if (since !== null) await unloadAskedModels([request.rootDir], request.env, onProblem, { night: since });
  }
}

/**
 * Runs until the end, and records it. `current`: the run of this process, if it has already begun. `onBegun` receives
 * the run whenever it begins or continues.
 */
async function runToEnd(
  context: NightContext,
  current: BegunRun | null,
  onBegun: (begunRun: BegunRun) => void,
): Promise<Night> {
  const { ledger } = context.repository;
  const first = await beginInTime(context, current);
  if (first === null) {
    const lateStart = current === null ? await recordLateRun(context) : { ...current, hasTree: false };
    if (lateStart.hasTree) await handOverLate(context, lateStart);
    const reason = (await findStopReason(context, lateStart)) ?? TIME_IS_UP;
    await recordEnd(context, lateStart, { reason, passedOver: {} });
    return await requireNight(ledger, lateStart.branch);
  }
  let begunRun = first;
  onBegun(begunRun);
  const limits: SearchState = {
    tests: false,
    faultsInTests: false,
    wantedUntil: begunRun.since + SHARE_FOR_WANTED * (begunRun.until - begunRun.since),
  };
  for (;;) {
    const end = await parkAndRestore(context, begunRun, () => runOnBase(context, begunRun, limits));
    if (end === 'drained') return await requireNight(ledger, begunRun.branch);
    const isMoved = end === 'moved';
    const next =
      isMoved && (await findStopReason(context, begunRun)) === null ? await beginInTime(context, begunRun) : null;
    if (next === null) {
      const reason = (isMoved ? await findStopReason(context, begunRun) : null) ?? TIME_IS_UP;
      await recordEnd(context, begunRun, isMoved ? { reason, passedOver: {} } : end);
      return await requireNight(ledger, begunRun.branch);
    }
    begunRun = next;
    onBegun(begunRun);
  }
}

/**
 * The end of work on one base. `moved`: the branch has to follow a commit of the user, or to lose held changes.
 * `drained`: another process continues the run.
 */
type EndOnBase = RunEnd | 'moved' | 'drained';

/** Works in one session in the tree of the run. */
function runOnBase(context: NightContext, begunRun: BegunRun, limits: SearchState): Promise<EndOnBase> {
  return withOpenTree(context, begunRun, (open) => makeChangesOnBase(context, begunRun, limits, open));
}

/** Makes one change after the other, until the run ends, is drained, or its branch has to move. */
async function makeChangesOnBase(
  nightContext: NightContext,
  begunRun: BegunRun,
  limits: SearchState,
  { base, session, settings, ledgerOfRun, maxChanges }: OpenTree,
): Promise<EndOnBase> {
  const steps = rememberSteps(nightContext.request);
  const context = { ...nightContext, request: steps.request };
  const { request, repository, branch } = context;
  const deadline = createDeadline(begunRun.until);
  const signal = AbortSignal.any([request.signal, deadline.signal]);
  let skippedCounts: Readonly<Record<string, number>> = {};
  // A run that is resumed keeps its long waits.
  const runBefore = (await requireNight(repository.ledger, begunRun.branch)).runs.at(-1)!;
  let { fruitless } = runBefore;
  const candidates = createCandidatesOfRun(settings);
  const retried = new Set<string>();
  const reportDegradation = createDegradationReport(context, begunRun, session);
  const search = createFurtherSearch(context, begunRun, session, settings);
  if (!settings['night.searchFurther']) limits.wantedUntil = 0;
  const isMoreToTry = createTurnPolicy(
    limits,
    () => search.next(createOperation(request, signal)),
    () => search.first(createOperation(request, signal)),
  );
  try {
    await copyEventsToRun(repository, ledgerOfRun);
    // The cost of a process that died counts as well.
    await copyEventsFromRun(ledgerOfRun, repository);
    await openWithNotes(context, session, signal);
    const onMiss = (miss: NightMiss) => recordMiss(context, begunRun, miss);
    const reachesBranch = async () => (await handOver(context, session, begunRun)) !== null;
    const wishSteps = { onMiss, reachesBranch };
    await setAsideCrashingProposals(session, repository.ledger, onMiss);
    if (!(await commitEarlierWork(context, begunRun, session, { maxChanges, ...candidates }, onMiss, signal)))
      return 'moved';
    for (;;) {
      const ends = () => findEndReason(context, begunRun, maxChanges);
      // The run may be stopped, or its time may be up, while it waits for power or for a person, so this checks its end
      // twice.
      const end = (await ends()) ?? (await waitUntilFree(context, begunRun, settings, signal)) ?? (await ends());
      if (end !== null) return { reason: end, passedOver: skippedCounts };
      if (request.drain?.aborted) return 'drained';
      if ((await branch.head()) !== base) return 'moved';
      // Dismissals and forgotten lessons count from the next turn on.
      await copyEventsToRun(repository, ledgerOfRun);
      await reportDegradation(await chooseTrustedProposer(context, begunRun));
      const trusted = { ...begunRun, proposer: await chooseReadyProposer(context, begunRun, session) };
      await giveCanary(context, trusted, session, settings, createOperation(request, signal));
      if ((await findParkable(context, begunRun)).length > 0) return 'moved';
      const turn = { ...trusted, proposer: await chooseReadyProposer(context, trusted, session) };
      await postponeWishes(context, begunRun, session);
      const isDone =
        (await finishInParallel(context, turn, session, createOperation(request, signal), candidates, onMiss)) ||
        (await tryNextWish(context, turn, session, wishSteps, createOperation(request, signal)));
      if (!isDone) {
        const remaining = maxChanges - (await countChangesOfRun(context, begunRun));
        const roomOfTurn = computeRoomOfTurn(
          { atOnce: candidates.atOnce, remaining, resumed: runBefore.resumed },
          settings,
        );
        // The wish may have shown that no proposer can be reached.
        const turnNow = { ...turn, proposer: await chooseReadyProposer(context, turn, session) };
        skippedCounts = (await improveInOrder(context, turnNow, session, roomOfTurn, limits, signal)).passedOver;
      }
      const addedCount = await handOver(context, session, begunRun);
      await copyEventsFromRun(ledgerOfRun, repository);
      if (addedCount === null) return 'moved';
      const isFruitful = isDone || addedCount.length > 0;
      // Only progress resets the waits. Finding more to try does not, because a run that has started again repeats its
      // searches.
      if (isFruitful) fruitless = 0;
      // A run that is asked to end searches for nothing more; the next turn ends it.
      if ((await findStopReason(context, begunRun)) !== null || (await isMoreToTry(isFruitful))) continue;
      const pause = await findRunPause(context, begunRun, session);
      if (!request.waits) return { reason: pause?.reason ?? 'Nothing is left to try.', passedOver: skippedCounts };
      if (pause === null) fruitless += 1;
      const until = computeTimeOfNextTurn(pause, fruitless, begunRun.until);
      const wait = { base, until, pause, fruitless, retried, redTeam: { ledgerOfRun, settings, session } };
      const waiting = { ...begunRun, proposer: await chooseReadyProposer(context, begunRun, session) };
      if ((await waitForWork(context, waiting, wait, signal)) === 'moved') return 'moved';
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    const step = steps.step();
    await handOver(context, session, begunRun);
    await copyEventsFromRun(ledgerOfRun, repository);
    const reason = await findAbortReason(context, begunRun, maxChanges, step);
    return reason === 'drained' ? reason : { reason, passedOver: skippedCounts };
  } finally {
    deadline.dispose();
  }
}

/** Opens the session, and reports its errors as notes of the run. */
async function openWithNotes(context: NightContext, session: Session, signal: AbortSignal): Promise<void> {
  for (const notice of await session.open({ signal })) if (notice.severity === 'error') note(context, notice.message);
}

/**
 * The time at which the next turn begins: when a used-up rate allows it or, without a pause, after a while that grows
 * with `fruitless` turns; at the latest at the end of the run.
 */
function computeTimeOfNextTurn(pause: RunPause | null, fruitless: number, endOfRun: number): number {
  return Math.min(pause?.until ?? computeNextAttemptTime(Date.now(), fruitless, endOfRun), endOfRun);
}

/**
 * The reason why an aborted run ends: a person has ended it, its supervisor has ended it while it was drained, or its
 * time is over.
 */
async function findAbortReason(
  context: NightContext,
  begunRun: BegunRun,
  maxChanges: number,
  step: string | null,
): Promise<string> {
  const timeIsUp = step === null ? TIME_IS_UP : `${TIME_IS_UP} ${step}`;
  const { signal, drain } = context.request;
  if (signal.aborted && !drain?.aborted) return findInterruptionReason(context);
  const end = await findEndReason(context, begunRun, maxChanges);
  if (end !== null) return end === TIME_IS_UP ? timeIsUp : end;
  // The supervisor ends a worker whose step takes too long while it is drained.
  return signal.aborted ? 'drained' : timeIsUp;
}

/**
 * Commits what an earlier process has verified and not committed yet. False if the branch has moved, so that the run
 * has to begin again on its new head.
 */
async function commitEarlierWork(
  context: NightContext,
  begunRun: BegunRun,
  session: Session,
  { maxChanges, breakdowns }: Pick<CandidatesOfRun, 'breakdowns'> & { readonly maxChanges: number },
  onMiss: (miss: NightMiss) => Promise<void>,
  signal: AbortSignal,
): Promise<boolean> {
  if ((await handOver(context, session, begunRun)) === null) return false;
  await recordDoneWishes(context, begunRun, session);
  if (!(await mayFinish(context, begunRun, maxChanges, signal))) return true;
  const unwantedIds = await findUnwantedProposals(session, context.repository.ledger);
  const isUntrusted = await createHeldTest(context, begunRun);
  const limits = {
    maxChanges: maxChanges - (await countChangesOfRun(context, begunRun)),
    scope: pickScope(begunRun),
    unwanted: unwantedIds,
    isUntrusted,
    breakdowns,
  };
  await finishVerified(session, createOperation(context.request, signal), limits, onMiss);
  return (await handOver(context, session, begunRun)) !== null;
}

function createOperation({ report }: NightRequest, signal: AbortSignal): Operation {
  return { signal, ...(report ? { report } : {}) };
}

/** Waits for power, then for a person, if necessary. Returns the reason why the run ends; null if it continues. */
async function waitUntilFree(
  context: NightContext,
  begunRun: BegunRun,
  settings: Settings,
  signal: AbortSignal,
): Promise<string | null> {
  return (await waitForPower(context, begunRun, settings, signal)) ?? (await waitForPerson(context, begunRun, signal));
}

/** Waits for a person if something is unusual. Returns the reason why the run ends; null if it continues. */
async function waitForPerson(context: NightContext, begunRun: BegunRun, signal: AbortSignal): Promise<string | null> {
  const { request } = context;
  const reason = await findPauseReason(context, begunRun);
  if (reason === null) return null;
  if (!request.waits) return `It needs you. ${reason}`;
  request.onEvent({ type: 'paused', reason });
  const isOver = async () => (request.drain?.aborted ?? false) || (await findStopReason(context, begunRun)) !== null;
  while ((await isPaused(context, begunRun.branch)) && !(await isOver())) {
    await sleep(LOOK_MS, undefined, { signal });
    throwIfCancelled(signal);
  }
  return null;
}

/** Waits for a person's answer, if necessary. Returns true if the run is not over, so that changes may be made. */
async function mayFinish(
  context: NightContext,
  begunRun: BegunRun,
  maxChanges: number,
  signal: AbortSignal,
): Promise<boolean> {
  if ((await findEndReason(context, begunRun, maxChanges)) !== null) return false;
  await waitForPerson(context, begunRun, signal);
  return !(await isPaused(context, begunRun.branch)) && (await findEndReason(context, begunRun, maxChanges)) === null;
}

/** The reason why the run ends now; null if it continues. */
async function findEndReason(context: NightContext, begunRun: BegunRun, maxChanges: number): Promise<string | null> {
  const stopReason = await findStopReason(context, begunRun);
  if (stopReason !== null) return stopReason;
  if (Date.now() >= begunRun.until) return TIME_IS_UP;
  const changesMade = await countChangesOfRun(context, begunRun);
  return changesMade >= maxChanges ? `It made ${changesMade} of ${maxChanges} allowed changes.` : null;
}

/** Reports a note of the run. */
function note({ request }: NightContext, text: string): void {
  request.onEvent({ type: 'note', text });
}
