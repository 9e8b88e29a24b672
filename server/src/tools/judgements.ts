// Judgements that continue without a waiting caller, one at a time, because each runs the tests of a repository twice.

import type { Judgement } from '../core/model/judgement.ts';
import type { Operation, Progress } from '../core/operation.ts';
import { SelfwareError } from '../util/typedError.ts';
import type { WaitOptions } from './verifications.ts';

/** A change that a caller wants to be judged. */
export interface ChangeRequest {
  readonly base: string;
  /** Null for the working tree, including uncommitted work. */
  readonly head: string | null;
  /** Time limit of the judgement itself; null if there is none. */
  readonly seconds: number | null;
}

/** Judges a change. Throws the errors of `judgeRevisions`. */
export type JudgeChange = (request: ChangeRequest, operation: Operation) => Promise<Judgement>;

/** The judgement of a change, or the news that it continues. */
export interface JudgedChange {
  /** Null if the time to wait is over first. */
  readonly judgement: Judgement | null;
  /** Time of the system at which the judgement began. It describes the working tree as it was then. */
  readonly startedAt: number;
}

/** The running judgement, or the last one until its caller has got the answer. */
export interface Judgements {
  /**
   * Starts a judgement, or waits for the one that an equal request has started. Cancelling the wait ends the judgement.
   * Throws `conflict` if another change is being judged, and the errors of the judgement.
   */
  ask(request: ChangeRequest, judge: JudgeChange, options: WaitOptions): Promise<JudgedChange>;
  /** Cancels the running judgement, and waits until it has removed its folders. */
  close(): Promise<void>;
}

interface RunningJudgement {
  readonly key: string;
  readonly startedAt: number;
  readonly completion: Promise<Judgement>;
  readonly abort: AbortController;
  readonly listeners: Set<(progress: Progress) => void>;
  isDone: boolean;
}

/** Creates the place for one judgement, which is empty at first. */
export function createJudgements(): Judgements {
  let current: RunningJudgement | null = null;

  return {
    async ask(request, judge, { seconds, signal, report }) {
      const entry = join(request, judge);
      const onAbort = (): void => entry.abort.abort();
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      if (report) entry.listeners.add(report);
      try {
        const judgement = await withinSeconds(entry.completion, seconds);
        if (judgement !== null) forget(entry);
        return { judgement, startedAt: entry.startedAt };
      } catch (error) {
        forget(entry);
        throw signal.aborted ? new SelfwareError('cancelled', 'Cancelled.', { cause: error }) : error;
      } finally {
        signal.removeEventListener('abort', onAbort);
        if (report) entry.listeners.delete(report);
      }
    },
    async close() {
      current?.abort.abort();
      await current?.completion.catch(() => {});
    },
  };

  /** The judgement that an equal request has started, or a new one. */
  function join(request: ChangeRequest, judge: JudgeChange): RunningJudgement {
    const key = JSON.stringify([request.base, request.head]);
    if (current?.key === key && !current.abort.signal.aborted) return current;
    if (current && !current.isDone)
      throw new SelfwareError('conflict', 'Another change is being judged.', {
        action: 'Ask again when it has ended, or cancel its call.',
      });
    const abort = new AbortController();
    const listeners = new Set<(progress: Progress) => void>();
    const report = (progress: Progress): void => {
      for (const listener of listeners) listener(progress);
    };
    const completion = judge(request, { signal: abort.signal, report });
    const entry: RunningJudgement = { key, startedAt: Date.now(), completion, abort, listeners, isDone: false };
    const end = (): void => void (entry.isDone = true);
    completion.then(end, end);
    current = entry;
    return entry;
  }

  function forget(entry: RunningJudgement): void {
    if (current === entry && entry.isDone) current = null;
  }
}

/** The result of the work; null if it takes longer. */
async function withinSeconds<T>(work: Promise<T>, seconds: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), Math.round(seconds * 1000))));
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
