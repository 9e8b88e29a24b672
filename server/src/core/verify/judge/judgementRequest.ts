// The types of a request for a judgement.

import type { TreeChange } from '../../model/judgement.ts';
import type { Operation } from '../../operation.ts';

/**
 * The time limit of a judgement. An aborted signal means that the time is up, and that everything not shown by then is
 * unknown.
 */
export interface Budget {
  readonly signal: AbortSignal;
  /** Null if unlimited. */
  readonly seconds: number | null;
  /**
   * The remaining seconds, if the time started before the judgement. If absent, `seconds` counts from its beginning.
   */
  secondsLeft?(): number;
}

/** A request to judge one change. */
export interface JudgeRequest extends Operation {
  readonly change: TreeChange;
  /**
   * Names of the trees of both sides, under which results are stored; equal trees have equal names. `head` is null if
   * the sandbox does not contain that whole side.
   */
  readonly trees: { readonly base: string; readonly head: string | null };
  readonly budget: Budget;
  /** True if a policy demands what mutants show, so that they get all the time that the settings allow. */
  readonly thorough: boolean;
  /** True if no calls are compared and no mutants are tried. */
  readonly quick?: boolean;
  /** True if a policy demands that the tests notice mutants, which no comparison of old and new code can show. */
  readonly wantsMutants: boolean;
  /** Both sides as the person named them, for suggested commands. `head` is null for the working tree. */
  readonly names: { readonly base: string; readonly head: string | null };
}
