// The request for a judgement.

import type { TreeChange } from '../../model/judgement.ts';
import type { Operation } from '../../operation.ts';

/** When it is aborted, the time that was given is up: what has not been shown by then is unknown. */
export interface Budget {
  readonly signal: AbortSignal;
  /** Null = as long as it takes. */
  readonly seconds: number | null;
}

export interface JudgeRequest extends Operation {
  readonly change: TreeChange;
  readonly budget: Budget;
  /** Both sides as the person named them, for what to do next; `head` null = the working tree. */
  readonly names: { readonly base: string; readonly head: string | null };
}
