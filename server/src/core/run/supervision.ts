// The types of the supervision of a worker: its rules as data, the events that the supervisor receives, and the effects

import { MINUTE_MS } from '../../util/timing/durations.ts';
// that it requests.

/** Milliseconds of a monotonic clock with an arbitrary origin. It does not follow changes of the time of day. */
export type MonotonicMs = number;

/** The limits of the supervision of a worker. */
export interface SupervisionRules {
  /** Time in ms between two ticks of the supervisor. */
  readonly tickMs: number;
  /** A gap of more than this many ticks means that the machine slept. Then all time-outs begin again. */
  readonly sleepTicks: number;
  /** Time in ms between two heartbeats of a worker. */
  readonly beatMs: number;
  /** A worker that has sent no heartbeat for this many ms is killed. */
  readonly silenceMs: number;
  /** A worker that sends heartbeats without progress for this many ms is stopped, unless it waits on purpose. */
  readonly noProgressMs: number;
  /** Time in ms before the start after the first failure; it doubles with each further failure in a row. */
  readonly firstBackoffMs: number;
  /** Maximum backoff in ms; the doubling stops there. */
  readonly maxBackoffMs: number;
  /** A worker that lived for this many ms was healthy: earlier failures no longer count. */
  readonly healthyMs: number;
  /** Maximum number of starts, planned ones included, within `startsWindowMs`. */
  readonly maxStarts: number;
  /**
   * Number of free starts that the renewal of a worker requires: the first and the second start of the new version, and
   * one of the version before it after a rollback.
   */
  readonly startsToRenew: number;
  /** Length in ms of the window that `maxStarts` counts in. */
  readonly startsWindowMs: number;
  /** Resident memory in MB above which a worker is drained and started again. */
  readonly maxRssMb: number;
  /** Time in ms in which a drained worker may complete its current step. */
  readonly drainMs: number;
  /** Time in ms between SIGTERM and SIGKILL, and between two SIGKILLs. */
  readonly killAfterMs: number;
  /**
   * Time in ms between SIGTERM and SIGKILL if a person ends the run. It is less than the time that `stop` gives the
   * supervisor itself.
   */
  readonly stopAfterMs: number;
  /** A person is notified if a worker still exists this many ms after SIGKILL. */
  readonly remainsMs: number;
}

const SECOND_MS = 1_000;

/** The limits of a run; tests use shorter ones. */
export const SUPERVISION_RULES: SupervisionRules = {
  tickMs: 5 * SECOND_MS,
  sleepTicks: 3,
  beatMs: 30 * SECOND_MS,
  silenceMs: 90 * SECOND_MS,
  noProgressMs: 30 * MINUTE_MS,
  firstBackoffMs: SECOND_MS,
  maxBackoffMs: 60 * SECOND_MS,
  healthyMs: 10 * MINUTE_MS,
  maxStarts: 5,
  startsToRenew: 3,
  startsWindowMs: 60 * MINUTE_MS,
  maxRssMb: 2_048,
  drainMs: 30 * MINUTE_MS,
  killAfterMs: 5 * SECOND_MS,
  stopAfterMs: 3 * SECOND_MS,
  remainsMs: MINUTE_MS,
};

/** Exit codes by which a worker reports the reason of its end to its supervisor. Any other code is a failure. */
export const WORKER_EXIT = {
  /** The run is complete: supervision ends, even if the worker was being drained. */
  finished: 0,
  /** The run cannot continue without a person: supervision ends, and the person is notified. */
  needsPerson: 64,
  /** The worker was drained, or requests a new process: it is started again, and this does not count as a failure. */
  drained: 65,
} as const;

/** The report of a worker about its work, sent with each heartbeat. */
export interface WorkerStep {
  /** The current step of the worker, for people. */
  readonly step: string;
  /** Amount of completed work. A number or a step that differs from the last heartbeat is progress. */
  readonly done: number;
  /** Set while the worker waits on purpose, for example for a new commit: no progress is expected then. */
  readonly isWaiting?: boolean;
}

/**
 * The events, in the order in which they occur. `at` never decreases. `worker` is the number of the worker that the
 * event comes from; an event of an earlier worker is ignored.
 */
export type SupervisionEvent = { readonly at: MonotonicMs } & (
  | { readonly type: 'tick' }
  | { readonly type: 'workerStarted'; readonly worker: number; readonly pid: number }
  | ({ readonly type: 'beat'; readonly worker: number } & WorkerStep)
  | { readonly type: 'memory'; readonly worker: number; readonly rssMb: number }
  /** Both are null if the worker could not be started. */
  | {
      readonly type: 'workerExited';
      readonly worker: number;
      readonly code: number | null;
      readonly signal: string | null;
    }
  /** The worker is stopped immediately. */
  | { readonly type: 'stopAsked' }
  /** The worker completes its current step first. */
  | { readonly type: 'drainAsked' }
  /** The worker completes its current step first, and another worker follows. Ignored if too few starts are free. */
  | { readonly type: 'renewAsked' }
);

/** The reason why the supervisor ends a worker. */
export type EndingCause = 'silent' | 'stuck' | 'memory' | 'renew' | 'drain' | 'stop';

/** The reason why supervision has ended. */
export type SupervisionEnd = 'finished' | 'needsPerson' | 'drained' | 'stopped';

/** A record for the history of the run. Times are in ms. */
export type SupervisionRecord =
  | { readonly type: 'workerStarted'; readonly worker: number; readonly pid: number }
  | {
      readonly type: 'workerEnded';
      readonly worker: number;
      readonly code: number | null;
      readonly signal: string | null;
      /** The reason why the worker was asked to end; null if it was not asked. */
      readonly cause: EndingCause | null;
      readonly isFailure: boolean;
      readonly livedMs: number;
    }
  | { readonly type: 'workerAskedToEnd'; readonly worker: number; readonly cause: EndingCause; readonly step: string }
  /** The next start, `afterMs` from now. */
  | { readonly type: 'startPlanned'; readonly afterMs: number; readonly failuresInARow: number }
  | { readonly type: 'slept'; readonly gapMs: number };

/** A notification for a person. */
export type PersonNotice =
  /** All starts of the window are used; the next start is `waitMs` from now. */
  | { readonly reason: 'tooManyStarts'; readonly waitMs: number }
  | { readonly reason: 'needsPerson' }
  /** The worker is still there after SIGKILL, so no other worker is started. */
  | { readonly reason: 'workerRemains'; readonly worker: number };

/** An action for the supervisor's process. */
export type SupervisionEffect =
  /** Answered by `workerStarted`, or by `workerExited` with neither code nor signal. */
  | { readonly type: 'startWorker'; readonly worker: number }
  /** Asks the worker to complete its current step and to exit with `WORKER_EXIT.drained`. */
  | { readonly type: 'drainWorker'; readonly worker: number }
  /** Sends the signal to the worker and all its children. */
  | { readonly type: 'killWorker'; readonly worker: number; readonly signal: 'SIGTERM' | 'SIGKILL' }
  | { readonly type: 'tellPerson'; readonly notice: PersonNotice }
  | { readonly type: 'record'; readonly event: SupervisionRecord }
  /** Ends supervision: no worker exists any longer, and nothing follows. */
  | { readonly type: 'exit'; readonly end: SupervisionEnd };
