// The types of a request for a judgement.

import type { TreeChange } from '../../model/judgement.ts';
import type { Operation } from '../../operation.ts';

/**
 * The time of a judgement. An aborted signal means that the time is up, and everything that is not shown by then is
 * unknown.
 */
export interface Budget {
  readonly signal: AbortSignal;
  /** Null if unlimited. */
  readonly seconds: number | null;
  /** The seconds that are left, if the time began before the judgement; otherwise `seconds` from its beginning. */
  secondsLeft?(): number;
}

/** A request to judge one change. */
export interface JudgeRequest extends Operation {
  readonly change: TreeChange;
  /**
   * Names of the trees of both sides, under which results are kept; equal trees have equal names. `head` is null if the
   * sandbox does not contain all of that side.
   */
  readonly trees: { readonly base: string; readonly head: string | null };
  readonly budget: Budget;
  /** True if a policy demands what mutants show, so they get all the time that the settings allow. */
  readonly thorough: boolean;
  /** True if calls are not compared and no mutants are tried. */
  readonly quick?: boolean;
  /** True if a policy demands that the tests notice mutants, which no comparison of old and new code can show. */
  readonly wantsMutants: boolean;
  /** Both sides as the person named them, which the next suggested command repeats. `head` null: the working tree. */
  readonly names: { readonly base: string; readonly head: string | null };
}
