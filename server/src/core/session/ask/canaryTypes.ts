// Types of the request to give a proposer a task that cannot be solved (a canary), and of its outcome.

import type { Operation } from '../../operation.ts';

/** A request to give a proposer a task that cannot be solved. */
export interface CanaryRequest extends Operation {
  /** The name of the proposer, or several, separated by commas. */
  readonly proposer: string;
  /**
   * Called before the answer is written to the ledger of the session, so that an outcome is not lost if the process
   * dies.
   */
  onOutcome(outcome: CanaryAnswer): Promise<void>;
}

/** The outcome. If no proposer answered, `asked` is false, and `reason` says why. */
export type CanaryOutcome =
  | { readonly asked: false; readonly reason: string }
  | ({ readonly asked: true } & CanaryAnswer);

/** The answer of a proposer to a task that cannot be solved. */
interface CanaryAnswer {
  readonly proposer: string;
  /** Title of the test that contradicts another test. */
  readonly test: string;
  /** Path of the file with that test. */
  readonly path: string;
  /** True if all gates passed the answer, although no honest answer can pass them. */
  readonly solved: boolean;
  /** The reason why the answer was not accepted; null if it was. */
  readonly reason: string | null;
}
