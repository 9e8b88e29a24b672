// Decides how a run proceeds after an error: it waits until the shortage is over, tries again after a pause, or ends.

import { setTimeout as sleep } from 'node:timers/promises';
import { measureFreeRoom, MIN_FREE_DISK_BYTES } from '../../../adapters/system/freeRoom.ts';
import { describeError, isDiskFull, SelfwareError, convertFullDiskError } from '../../../util/typedError.ts';
import { ERROR_REASON_START } from '../../../core/run/nightQueries.ts';
import type { Night } from '../../../core/run/nightTypes.ts';
import type { BegunRun } from '../beginRun.ts';
import { needsPerson } from '../needsPerson.ts';
import {
  findInterruptionReason,
  findStopReason,
  requireNight,
  TIME_IS_UP,
  type NightContext,
  type RunEnd,
} from '../night.ts';
import { recordLateRun } from '../recordLateRun.ts';

const SECOND_MS = 1_000;
/** Milliseconds between two checks of the disk, the kill switch and the end of the run. */
const LOOK_MS = 5 * SECOND_MS;
/**
 * The pauses after consecutive errors. After more errors than pauses, the run ends, unless the error is a temporary
 * shortage.
 */
const PAUSES_MS = [10 * SECOND_MS, 60 * SECOND_MS, 300 * SECOND_MS] as const;
/** After this many milliseconds of work, an error counts as the first one again. */
const HEALTHY_MS = 600 * SECOND_MS;
/** Free bytes of the disk with which commands of the repository can work again. */
const ENOUGH_ROOM_BYTES = 2 * MIN_FREE_DISK_BYTES;
const ENOUGH_ROOM_TEXT = `${Math.round(ENOUGH_ROOM_BYTES / 1024 ** 2)} MB are free`;

/**
 * Calls `work` until it resolves. After an error, it is called again with the run that has begun, or the end of the run
 * is recorded, and the error is thrown. `onBegun` receives the run whenever it changes.
 */
export async function outlastErrors(
  context: NightContext,
  work: (current: BegunRun | null, onBegun: (begunRun: BegunRun) => void) => Promise<Night>,
): Promise<Night> {
  const { request, repository } = context;
  const waitAfter = createErrorHandler(context);
  let begunRun: BegunRun | null = null;
  for (;;) {
    try {
      return await work(begunRun, (next) => (begunRun = next));
    } catch (error) {
      begunRun ??= await recordFailedStart(context);
      if (begunRun === null) throw error;
      const afterError = await waitAfter(error, begunRun);
      if (afterError === 'again') continue;
      if (afterError === 'drained') return await requireNight(repository.ledger, begunRun.branch);
      // The cause of the error may also prevent the end from being recorded. Then the error is thrown, so that the
      // person sees it.
      const isRecorded = await recordEnd(context, begunRun, { reason: afterError.reason, passedOver: {} }).then(
        () => true,
        (cause: unknown) => {
          request.log.write('warn', 'The end of the run could not be recorded.', cause);
          return false;
        },
      );
      if (afterError.isError || !isRecorded) throw error;
      return await requireNight(repository.ledger, begunRun.branch);
    }
  }
}

/**
 * Records the start of a run that could not begin. Null if the process was asked to end meanwhile, or if nothing can be
 * recorded.
 */
async function recordFailedStart(context: NightContext): Promise<BegunRun | null> {
  if (context.request.signal.aborted) return null;
  return recordLateRun(context).catch(() => null);
}

/** Records the end of the run, and reports it as an event. */
export async function recordEnd(context: NightContext, { branch, run }: BegunRun, end: RunEnd): Promise<void> {
  const { request, repository } = context;
  const { reason, passedOver } = end;
  await repository.ledger.record({ type: 'nightEnded', data: { night: branch, run, reason, passedOver } });
  await context.branch.release(branch);
  request.onEvent({ type: 'ended', reason });
}

/**
 * The way to proceed after an error. `again`: the run tries again. `drained`: another process continues the run.
 * Otherwise the run ends with `reason`; `isError`: the error must be thrown.
 */
export type AfterError = 'again' | 'drained' | { readonly reason: string; readonly isError: boolean };

/** Creates a function that waits after an error, and then returns how to proceed. It counts the errors of one run. */
function createErrorHandler(context: NightContext): (error: unknown, begunRun: BegunRun) => Promise<AfterError> {
  const { request, repository, places, branch } = context;
  let [errorsInARow, resumedAt] = [0, 0];

  return async (thrown, begunRun) => {
    const error = convertFullDiskError(thrown);
    const isDrained = () => request.drain?.aborted ?? false;
    if (request.signal.aborted)
      return isDrained() ? 'drained' : { reason: await findInterruptionReason(context), isError: true };
    errorsInARow = Date.now() - resumedAt > HEALTHY_MS ? 1 : errorsInARow + 1;
    const isWaiting = isShortage(error);
    const isOver = !isWaiting && (needsPerson(error) || errorsInARow > PAUSES_MS.length);
    if (!request.waits || isOver || Date.now() >= begunRun.until)
      return { reason: `${ERROR_REASON_START} ${describeError(error)}`, isError: true };
    const condition = isDiskFull(error) ? ENOUGH_ROOM_TEXT : 'that is over';
    const reason = isWaiting
      ? `${(error as Error).message} It continues by itself once ${condition}.`
      : `${ERROR_REASON_START} ${describeError(error)}`;
    const triesAt = Date.now() + PAUSES_MS[Math.min(errorsInARow, PAUSES_MS.length) - 1]!;
    await reportWait(begunRun, reason, isWaiting ? null : Math.min(triesAt, begunRun.until));
    for (;;) {
      if (request.signal.aborted)
        return isDrained() ? 'drained' : { reason: await findInterruptionReason(context), isError: true };
      if (isDrained()) return 'drained';
      const stopReason = await findStopReason(context, begunRun).catch(() => null);
      if (stopReason !== null) return { reason: stopReason, isError: false };
      if (Date.now() >= begunRun.until) return { reason: `${TIME_IS_UP} ${reason}`, isError: false };
      if (Date.now() >= triesAt && (!isDiskFull(error) || (await hasRoom()))) break;
      await sleep(LOOK_MS, undefined, { signal: request.signal }).catch(() => undefined);
    }
    resumedAt = Date.now();
    // The run counts as degraded until it has worked for a while, because the next error may end it.
    const reasons = isWaiting ? [] : [`It continues after an error. ${describeError(error)}`];
    request.onEvent({ type: 'degraded', cause: 'error', reasons, until: resumedAt + HEALTHY_MS });
    return 'again';
  };

  /** Records the wait, and reports it as an event. It is not recorded if the disk is full or the ledger is busy. */
  async function reportWait({ branch: night, run }: BegunRun, reason: string, until: number | null): Promise<void> {
    const data = { night, run, until, reason };
    await repository.ledger.record({ type: 'nightWaiting', data }).catch((error: unknown) => {
      if (!isShortage(convertFullDiskError(error))) throw error;
    });
    request.onEvent({ type: 'waiting', until, reason });
  }

  async function hasRoom(): Promise<boolean> {
    for (const folder of [places.folder, branch.top]) {
      const freeBytes = await measureFreeRoom(folder);
      if (freeBytes !== null && freeBytes < ENOUGH_ROOM_BYTES) return false;
    }
    return true;
  }
}

/** True for a temporary error: the disk is full, or another process holds a lock. */
function isShortage(error: unknown): boolean {
  return error instanceof SelfwareError && (error.reason === 'diskFull' || error.reason === 'locked');
}
