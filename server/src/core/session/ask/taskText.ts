// Defines the text of a task in a question, and the files that the question shows. Each kind of task has its own
// function that creates the text.

import { redact } from '../../ledger/redact.ts';
import type { AskedTask } from '../../model/asks.ts';
import type { ClaimKind } from '../../model/claims.ts';
import type { ReplyTarget } from '../../proposers/reply/read.ts';
import { escapeFence, type ShownFile } from '../../proposers/prompt.ts';

/** The text of a task. */
export interface TaskText {
  /** The task as one paragraph. */
  readonly sentence: string;
  /** Further demands, one sentence each. */
  readonly demands: readonly string[];
  /** The files to change, which are shown first and already shortened to fit. */
  readonly targets: readonly ShownFile[];
  /** True if the change may also be in other shown files. */
  readonly elsewhere: boolean;
  /** Paths of files that are shown before search results, best first. */
  readonly firstFiles: readonly string[];
  /** Descriptions of the mistakes that the new tests should notice; absent for other kinds of tasks. */
  readonly addresses?: readonly string[];
  /** The function that the task is about, if `targets` shows it as a whole; absent for other tasks. */
  readonly target?: ReplyTarget | undefined;
  /** The query for related files. */
  readonly search: string;
  /** The online search for the task; undefined if this kind of task is not researched. */
  readonly research?: WantedResearch;
}

/** The online search that a task suggests. */
export interface WantedResearch {
  readonly words: string;
  /**
   * The key under which searches are counted: the id of the task or, for a fix, the failing test, because such a task
   * may be about any failing test.
   */
  readonly subject: string;
}

/** The reason why there is no question for this task, as a sentence for a person. */
export interface TaskRefusal {
  readonly refused: string;
}

/** The claim that a change for a task of this kind makes. For kinds that are absent, the form of the change decides. */
export const CLAIM_BY_KIND: Readonly<Partial<Record<AskedTask['kind'], ClaimKind>>> = {
  request: 'request',
  canary: 'request',
  tests: 'tests',
  fix: 'fix',
  speed: 'speed',
  memory: 'memory',
};

/** The text as a proposer reads it: without secrets, and without the characters of the fence. */
export function prepareTextToSend(text: string): string {
  return redact(escapeFence(text)) as string;
}
