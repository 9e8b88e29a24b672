// Messages about tasks of language models and agents that wait for a person, and about the requests of a person in
// words.

import type { WaitingWish } from './nights.ts';

/** The failed attempts at a task, and what they show. */
export interface FailedAttempts {
  /** The id of the task. */
  readonly task: string;
  readonly attempts: number;
  /** The reason why each attempt failed, oldest first, shortened. */
  readonly tried: readonly string[];
  /** The causes of the failures, most frequent first, one sentence each. */
  readonly learned: readonly string[];
  /** Corrections that a person could make, one sentence each. */
  readonly corrections: readonly string[];
}

/** A task that waits: no model or agent is asked about it until a person acts. */
export interface WaitingTask extends FailedAttempts {
  /** The task, as the subject of a sentence. */
  readonly name: string;
  /** The parameters of `improveWithModel` that ask for the same task again; null if that command cannot ask for it. */
  readonly retry: { readonly opportunity: string } | { readonly words: string } | { readonly tests: string } | null;
}

/** A request in words: a wish that waits in the queue. */
export interface RequestState extends WaitingWish {
  /** The reason why no acceptance test could be made; null if there is a test, or if none was requested. */
  readonly noTest: string | null;
  /** The failed attempts at the change; null if there are none. */
  readonly failed: FailedAttempts | null;
  /** True while a model or agent is asked about it, in this window. */
  readonly isRunning: boolean;
}

/** The requests and tasks that wait and are not listed. */
export interface FurtherRequests {
  readonly count: number;
  /** The number of these that continue only after a person has acted. */
  readonly needing: number;
}

/** Argument of the command `dropTask`. */
export interface DropTaskParams {
  readonly task: string;
}

/** Argument of the command `writeRule`. The rule applies immediately, because a person has written it. */
export interface WriteRuleParams {
  readonly text: string;
}

/** True if a person has to act before the request continues. */
export function requestNeedsPerson({ noTest, failed, isRunning }: RequestState): boolean {
  return !isRunning && (noTest !== null || failed !== null);
}
