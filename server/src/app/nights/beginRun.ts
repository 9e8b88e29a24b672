// Begins a run on a branch: continues an undecided night (the branch of earlier runs), or begins a new branch at HEAD.

import { randomUUID } from 'node:crypto';
import { createDeadline } from '../../adapters/run/deadline.ts';
import { requireIdentity } from '../../adapters/git/committerIdentity.ts';
import { readRunBranchTip, type NightBranch } from '../../adapters/git/nightBranch.ts';
import { isHeld } from '../../core/run/heldChanges.ts';
import { countChangesOfOrder, findUnansweredAnomaly, findUnfinishedRun } from '../../core/run/nightQueries.ts';
import type { Night, Run } from '../../core/run/nightTypes.ts';
import type { NightPlan } from '../../core/model/nights.ts';
import { recordMergedChanges } from '../mergedChanges.ts';
import { carryCommits, keepTree } from './open/carryCommits.ts';
import { withStopSignal } from './open/watchForStop.ts';
import { loadNights, type NightContext } from './night.ts';
import { findRunningCopy } from './takeOver/versionStore.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { computeNightAfterMove, forgetDecided, isAhead, moveNight } from './moveNight.ts';

/** A run that has begun on a branch. */
export interface BegunRun extends NightPlan {
  readonly branch: string;
  readonly run: string;
  /**
   * Time at which the first run of this order began, in milliseconds since the epoch. The limits of the order count
   * from it.
   */
  readonly since: number;
}

/**
 * Begins a run and records the start. `now`: local time, for the name of a new branch. `current`: the run of this
 * process, if it has begun already. Throws `noCommit` if HEAD has no commit, and `cancelled`.
 */
export async function beginRun(context: NightContext, now: number, current: BegunRun | null = null): Promise<BegunRun> {
  const { request, repository, branch, places } = context;
  const head = await branch.head();
  await forgetDecided(context);
  // A change that is on the user's branch leaves the night when its branch moves.
  await recordMergedChanges(request);
  const nights = await loadNights(repository.ledger);
  const continuable = await findNightToContinue(context, nights.at(-1), head);
  if (continuable === null) {
    const lastNight = nights.at(-1);
    const name = await reserveBranchName(context, now);
    const begunRun = await releaseOnError(branch, name, async () => {
      if (!(await carryCommits(context, name, head))) await branch.checkOut(places.tree, name, head, request.signal);
      return recordStart(context, name, head, null, current?.since ?? findWaitingStart(lastNight));
    });
    await keepWaiting(context, begunRun, lastNight);
    await endLeftRun(context, lastNight, begunRun);
    return begunRun;
  }
  const resume = () => beginOn(context, continuable, head, current);
  return continuable.isReserved ? releaseOnError(branch, continuable.night.branch, resume) : resume();
}

/** Begins the run on the branch of a night that can be continued. First moves the branch to HEAD if necessary. */
async function beginOn(
  context: NightContext,
  { night, isComplete, hasTree }: ContinuableNight,
  head: string,
  current: BegunRun | null,
): Promise<BegunRun> {
  const { request, branch, places } = context;
  // A change that is not recorded yet would be lost by a move; the next run moves the branch.
  const mustMove = night.base !== head && isComplete;
  if (mustMove) await moveNight(context, night, { onto: head });
  const tip = (await branch.tip(night.branch)) ?? (mustMove ? head : night.base);
  // The tree of a process that died may contain a change that is kept but not committed yet.
  const isKept = !mustMove && hasTree && (await keepTree(context, night, tip));
  if (!isKept && !(await carryCommits(context, night.branch, tip)))
    await branch.checkOut(places.tree, night.branch, tip, request.signal);
  return recordStart(context, night.branch, head, findUnfinishedRun(night, Date.now()), current?.since, current?.run);
}

/**
 * Begins the run of this process, or continues the current one on its moved branch or on a new one. Returns null if the
 * time of the run is over, even if checking out or moving the branch has used it up, or if a person ends the run
 * meanwhile. Throws `noCommit`, `unavailable` if git does not know who commits, `cancelled`.
 */
export async function beginInTime(context: NightContext, current: BegunRun | null = null): Promise<BegunRun | null> {
  const { request } = context;
  const until = current?.until ?? request.plan.until;
  const deadline = createDeadline(until);
  const ends = new AbortController();
  const signal = AbortSignal.any([request.signal, deadline.signal, ends.signal]);
  const begin = async () => ({
    ...(await beginRun({ ...context, request: { ...request, signal } }, Date.now(), current)),
    until,
  });
  try {
    if (deadline.signal.aborted) return null;
    if (current !== null)
      return await withStopSignal(context, current, (stop) => {
        stop.addEventListener('abort', () => ends.abort());
        return begin();
      });
    // Checks the identity now, because otherwise the first commit would fail when nobody is present.
    await requireIdentity(request.rootDir, request.env, signal);
    return await begin();
  } catch (error) {
    const isOver = (deadline.signal.aborted || ends.signal.aborted) && !request.signal.aborted;
    // Any other error is a defect or a problem of the machine, even if the time is over by then.
    if (isOver && error instanceof SelfwareError && error.reason === 'cancelled') return null;
    throw error;
  } finally {
    deadline.dispose();
  }
}

/** Calls `work`, and releases the reserved name if it throws. */
export async function releaseOnError<T>(branch: NightBranch, name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await branch.release(name);
    throw error;
  }
}

/**
 * Pauses the new run if the last night waits for a person, because neither a new process nor a new branch ends that
 * wait.
 */
async function keepWaiting({ repository }: NightContext, { branch, run }: BegunRun, lastNight: Night | undefined) {
  const openAnomaly =
    lastNight && lastNight.decided === null && findUnfinishedRun(lastNight, Date.now())
      ? findUnansweredAnomaly(lastNight)
      : null;
  if (!openAnomaly) return;
  const { kind, reason } = openAnomaly;
  await repository.ledger.record({ type: 'nightPaused', data: { night: branch, run, kind, reason } });
}

/**
 * Releases the name of the last branch if the run has left it for another branch, and ends its run if the same order
 * continues on the new branch. Call this after the start there, so that the order always has a run.
 */
async function endLeftRun({ branch, repository }: NightContext, lastNight: Night | undefined, next: BegunRun) {
  const run = lastNight?.runs.at(-1);
  // After the run's end, a run in another work tree may have taken the name.
  if (!lastNight || run?.endedAt !== null) return;
  if (run.since === next.since) {
    const data = { night: lastNight.branch, run: run.id, reason: `It continued on ${next.branch}.`, passedOver: {} };
    await repository.ledger.record({ type: 'nightEnded', data });
  }
  await branch.release(lastNight.branch);
}

/**
 * The time at which the order of the last run began, if the process of that run died and its proposer is not trusted,
 * because a new branch does not restore trust. Otherwise undefined.
 */
function findWaitingStart(lastNight: Night | undefined): number | undefined {
  const run = lastNight && lastNight.decided === null ? findUnfinishedRun(lastNight, Date.now()) : null;
  return run && isHeld(lastNight!, run.id) ? run.since : undefined;
}

/** A night that can be continued, and the parts of it that still exist. */
interface ContinuableNight {
  readonly night: Night;
  /** True if all of its commits are on the user's branch, and recorded. */
  readonly isComplete: boolean;
  /**
   * True if the tree of the run is on that branch, at its tip or ahead of it, and contains nothing that was taken off
   * the branch.
   */
  readonly hasTree: boolean;
  /**
   * True if this start has reserved the name of the branch again. After a process that died, the name is still
   * reserved.
   */
  readonly isReserved: boolean;
}

/**
 * The night that can be continued: nobody has decided on it, and its branch is where the run left it. Null if a new
 * branch has to begin.
 */
export async function findNightToContinue(
  context: NightContext,
  lastNight: Night | undefined,
  head: string,
): Promise<ContinuableNight | null> {
  if (!lastNight || lastNight.decided !== null) return null;
  const { branch, places } = context;
  const night = await computeNightAfterMove(context, lastNight);
  if (night.decided !== null) return null;
  const tip = await branch.tip(night.branch);
  const tipInTree = await readRunBranchTip(places.tree, night.branch);
  if (tip === null) {
    // A branch without a change was never created; it may start anywhere.
    if (night.changes.length > 0) return null;
    // The run released the name at its end, so a run in another work tree may have taken it meanwhile.
    const isReserved = night.runs.at(-1)?.endedAt !== null;
    if (isReserved && !(await branch.reserve(night.branch))) return null;
    const hasTree = tipInTree !== null && (await isAhead(places.tree, night, night.base, tipInTree));
    return { night, isComplete: !hasTree || tipInTree === night.base, hasTree, isReserved };
  }
  const hasTree = tipInTree !== null && (await isAhead(places.tree, night, tip, tipInTree));
  const isRecorded = tip === (night.changes.at(-1)?.commit ?? night.base);
  // The process may have died between a commit and its record.
  const isTaken = tip !== night.base && (await branch.contains(head, tip));
  if (!(isRecorded || hasTree) || isTaken) return null;
  const { checkedOut, pushed } = await branch.findUses(night.branch);
  if (checkedOut || (pushed && night.base !== head)) return null;
  return { night, isComplete: isRecorded && (!hasTree || tipInTree === tip), hasTree, isReserved: false };
}

/**
 * Records that a run begins on the branch `night`, or that the run `oldRun` continues there. `order`: the time at which
 * the first run of the same order began. `current`: the run of this process; if `oldRun` is the same one, nothing is
 * recorded.
 */
export async function recordStart(
  context: NightContext,
  night: string,
  base: string,
  oldRun: Run | null,
  order?: number,
  current?: string,
): Promise<BegunRun> {
  const { request, repository } = context;
  const { plan } = request;
  const run = oldRun?.id ?? `run-${randomUUID().slice(0, 8)}`;
  const since = oldRun?.since ?? order;
  // The branch has moved under a run of this process: nothing is reported.
  if (oldRun && oldRun.id === current) return { branch: night, run, since: oldRun.since, ...plan };
  const copy = await findRunningCopy();
  const program = copy === null ? {} : { program: { version: copy.version, hash: copy.hash } };
  const { follows = null, maxCost = null } = context;
  if (oldRun) {
    const isSame = JSON.stringify(oldRun.plan) === JSON.stringify(plan);
    await repository.ledger.record({
      type: 'nightResumed',
      data: { night, run, plan: isSame ? null : plan, follows, maxCost, ...program },
    });
  } else {
    const data = {
      ...{ night, run, base, plan, follows, ...program },
      ...(since === undefined ? {} : { since }),
      ...(maxCost === null ? {} : { maxCost }),
    };
    await repository.ledger.record({ type: 'nightStarted', data });
  }
  const nights = await loadNights(repository.ledger);
  const startedRun = nights.flatMap((night) => night.runs).find(({ id }) => id === run);
  const from = startedRun?.since ?? Date.now();
  const resumed = oldRun === null ? null : countChangesOfOrder(nights, from);
  request.onEvent({ type: 'began', night, base, plan, resumed });
  return { branch: night, run, since: from, ...plan };
}

/** Reserves a name for a branch: `selfware/night-2026-11-25`, with a number if there is such a branch already. */
export async function reserveBranchName({ branch, repository }: NightContext, now: number): Promise<string> {
  const day = new Date(now);
  const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0'));
  const usedNames = new Set((await loadNights(repository.ledger)).map((night) => night.branch));
  // git cannot store `selfware/night-…` next to a branch `selfware`.
  const prefix = (await branch.tip('selfware')) === null ? 'selfware/night' : 'selfware-night';
  for (let count = 1; ; count += 1) {
    const name = `${prefix}-${date.join('-')}${count === 1 ? '' : `-${count}`}`;
    if (!usedNames.has(name) && (await branch.tip(name)) === null && (await branch.reserve(name))) return name;
  }
}
