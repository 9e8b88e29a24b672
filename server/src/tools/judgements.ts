// Judges changes for agents. A judgement continues if its caller stops waiting. Only one runs at a time, because each
// runs the tests of a repository twice.

import type { Judgement } from '../core/model/judgement.ts';
import type { Operation, Progress } from '../core/operation.ts';
import { SelfwareError } from '../util/typedError.ts';
import type { WaitOptions } from './verifications.ts';

/** A change that a caller wants to be judged. */
export interface ChangeRequest {
  readonly base: string;
  /** Name of the changed commit; null for the working tree, including uncommitted work. */
  readonly head: string | null;
  /** Time limit of the judgement itself, in seconds; null if there is none. */
  readonly seconds: number | null;
}

/** Judges changes of one repository. */
export interface ChangeJudge {
  /** The path of the root folder of the repository. */
  readonly rootDir: string;
  /**
   * A text that identifies the two trees that a judgement would compare now. Throws the errors of `judge` about the
   * trees, such as an unknown commit.
   */
  identify(request: ChangeRequest, signal: AbortSignal): Promise<string>;
  /** Judges the change. Throws the errors of `judgeRevisions`. */
  judge(request: ChangeRequest, operation: Operation): Promise<Judgement>;
}

/** The answer about a change: its judgement, or the statement that the judgement continues. */
export interface JudgedChange {
  /** Null if the caller's time to wait ended before the judgement. */
  readonly judgement: Judgement | null;
  /**
   * The time at which the judgement began, in milliseconds since the epoch. The judgement describes the working tree as
   * it was then.
   */
  readonly startedAt: number;
}

/** Holds the running judgement, or the last one until a caller has received its answer. */
export interface Judgements {
  /**
   * Starts a judgement, or waits for the judgement that an equal request about the same trees has started. If an equal
   * request has started a judgement about other trees, that judgement is ended first, unless a caller waits for it. If
   * a caller cancels its wait, the judgement ends. Throws `conflict` if another change is being judged, and the errors
   * of the judgement.
   */
  ask(request: ChangeRequest, judge: ChangeJudge, options: WaitOptions): Promise<JudgedChange>;
  /** Cancels the running judgement, and waits until it has removed its folders. */
  close(): Promise<void>;
}

/** A judgement that was started. */
interface RunningJudgement {
  /** Identifies the repository, the base and the head. */
  readonly change: string;
  /** The result of `ChangeJudge.identify` at its start. */
  readonly trees: string;
  /** Time limit in seconds; infinite if there is none. */
  readonly seconds: number;
  /** The time at which the judgement began, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly completion: Promise<Judgement>;
  readonly abort: AbortController;
  /** Receive the progress of the judgement, one for each caller that waits. */
  readonly listeners: Set<(progress: Progress) => void>;
  isDone: boolean;
  /** Number of callers that wait. */
  waitingCallers: number;
}

/** Creates the holder of judgements. No judgement runs at first. */
export function createJudgements(): Judgements {
  let current: RunningJudgement | null = null;

  return {
    async ask(request, judge, { seconds, signal, report }) {
      const entry = joinOrStart(request, judge, await judge.identify(request, signal));
      const onAbort = (): void => entry.abort.abort();
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      if (report) entry.listeners.add(report);
      entry.waitingCallers += 1;
      try {
        const judgement = await withinSeconds(entry.completion, seconds);
        if (judgement !== null) forgetIfDone(entry);
        return { judgement, startedAt: entry.startedAt };
      } catch (error) {
        forgetIfDone(entry);
        throw signal.aborted ? new SelfwareError('cancelled', 'Cancelled.', { cause: error }) : error;
      } finally {
        entry.waitingCallers -= 1;
        signal.removeEventListener('abort', onAbort);
        if (report) entry.listeners.delete(report);
      }
    },
    async close() {
      current?.abort.abort();
      await current?.completion.catch(() => {});
    },
  };

  /**
   * The judgement of the same trees that an equal request has started; if there is none, a new one. Throws `conflict`
   * if another change is being judged.
   */
  function joinOrStart(request: ChangeRequest, judge: ChangeJudge, trees: string): RunningJudgement {
    const change = JSON.stringify([judge.rootDir, request.base, request.head]);
    const seconds = request.seconds ?? Number.POSITIVE_INFINITY;
    const runningEntry = current?.isDone ? null : current;
    if (current?.change === change && current.trees === trees && !current.abort.signal.aborted) {
      // A finished judgement that had a shorter time limit may lack results that it would have found in more time.
      if (runningEntry || current.seconds >= seconds) return current;
    }
    if (runningEntry?.change === change && runningEntry.waitingCallers === 0) runningEntry.abort.abort();
    if (runningEntry && !runningEntry.abort.signal.aborted)
      throw new SelfwareError('conflict', 'Another change is being judged.', {
        action: 'Ask again when it has ended, or cancel its call.',
      });
    const abort = new AbortController();
    const listeners = new Set<(progress: Progress) => void>();
    const report = (progress: Progress): void => {
      for (const listener of listeners) listener(progress);
    };
    const begin = (): Promise<Judgement> => judge.judge(request, { signal: abort.signal, report });
    // An earlier judgement that was cancelled removes its folders before this one begins.
    const completion = runningEntry ? runningEntry.completion.catch(() => {}).then(begin) : begin();
    const entry: RunningJudgement = {
      ...{ change, trees, seconds, startedAt: Date.now(), completion, abort, listeners },
      ...{ isDone: false, waitingCallers: 0 },
    };
    const markDone = (): void => void (entry.isDone = true);
    completion.then(markDone, () => {
      markDone();
      // A later call must not get an error for which nobody waited.
      if (entry.waitingCallers === 0) forgetIfDone(entry);
    });
    current = entry;
    return entry;
  }

  /** Forgets a finished judgement, so that the next request starts a new one. */
  function forgetIfDone(entry: RunningJudgement): void {
    if (current === entry && entry.isDone) current = null;
  }
}

/** The result of the work; null if it takes longer than this many seconds. */
async function withinSeconds<T>(work: Promise<T>, seconds: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), Math.round(seconds * 1000))));
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
