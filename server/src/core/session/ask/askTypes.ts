// A question to a language model or an agent, and what came of it.

import type { Usage } from '../../model/asks.ts';
import type { Proposal } from '../../model.ts';
import type { Operation } from '../../operation.ts';
import type { Tried } from '../propose/requests.ts';

/**
 * An opportunity by id; what a person wants, in their words; tests that notice mistakes in this file which none notices
 * today; a fix for the first test that fails, or for one whose name has this part.
 */
export type TaskRequest =
  | { readonly opportunity: string }
  | { readonly words: string }
  | { readonly tests: string }
  | { readonly fix: string };

export interface AskRequest extends Operation {
  readonly task: TaskRequest;
  /** Whom, such as `ollama:qwen2.5-coder` or `mailbox:DIR`. */
  readonly proposer: string;
  /** Earlier attempts at this task count no longer. */
  readonly fresh?: boolean;
}

export interface AskOutcome {
  readonly proposal: Proposal | null;
  /** Why there is no proposal. */
  readonly refused: string | null;
  /** Asking again is no use until a person has done something: about this task, or about anything. */
  readonly final: false | 'task' | 'all';
  readonly model: string | null;
  readonly usage: Usage | null;
}

/** The next task that is worth asking for, in these files or folders. */
export interface AskNextRequest extends Operation {
  readonly proposer: string;
  /** Relative to the root; left out: everywhere. */
  readonly places?: readonly string[];
}

export interface AskNextOutcome {
  readonly proposal: Proposal | null;
  /** What gave no proposal, with the reason. */
  readonly tried: readonly Tried[];
  /** Other tasks are left. */
  readonly more: boolean;
  /** Why nobody can be asked for anything any longer, such as a budget that is used up. */
  readonly ended: string | null;
}
