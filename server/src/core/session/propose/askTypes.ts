// A question to a language model or an agent, and what came of it.

import type { Usage } from '../../model/asks.ts';
import type { Proposal } from '../../model.ts';
import type { Operation } from '../../operation.ts';

export interface AskRequest extends Operation {
  /** An opportunity by id, or what a person wants, in their words. */
  readonly task: { readonly opportunity: string } | { readonly words: string };
  /** Whom, such as `ollama:qwen2.5-coder` or `mailbox:DIR`. */
  readonly proposer: string;
  /** Earlier attempts at this task count no longer. */
  readonly fresh?: boolean;
}

export interface AskOutcome {
  readonly proposal: Proposal | null;
  /** Why there is no proposal. */
  readonly refused: string | null;
  /** True: asking again is no use until a person has done something. */
  readonly final: boolean;
  readonly model: string | null;
  readonly usage: Usage | null;
}
