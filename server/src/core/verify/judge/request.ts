// The types of a request for a judgement.

import type { TreeChange } from '../../model/judgement.ts';
import type { Operation } from '../../operation.ts';

/** An aborted signal means that the time is up: what has not been shown by then is unknown. */
export interface Budget {
  readonly signal: AbortSignal;
  /** Null = unlimited. */
  readonly seconds: number | null;
}

export interface JudgeRequest extends Operation {
  readonly change: TreeChange;
  readonly budget: Budget;
  /** Both sides as the person named them, for suggesting the next command; `head` null = the working tree. */
  readonly names: { readonly base: string; readonly head: string | null };
}
