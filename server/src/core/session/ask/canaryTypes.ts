// A task that cannot be solved, and how a proposer answered it.

import type { Operation } from '../../operation.ts';

export interface CanaryRequest extends Operation {
  /** The name of the proposer, or several, separated by commas. */
  readonly proposer: string;
  /**
   * Called before the answer is written to the ledger of the session, so that an outcome is not lost if the process
   * dies.
   */
  onOutcome(outcome: CanaryAnswer): Promise<void>;
}

/**
 * `solved`: true if all gates passed an answer, although no honest one can pass. `reason`: the reason why it is not
 * solved, or was not asked.
 */
export type CanaryOutcome =
  | { readonly asked: false; readonly reason: string }
  | ({ readonly asked: true } & CanaryAnswer);

interface CanaryAnswer {
  /** The proposer that answered. */
  readonly proposer: string;
  /** Title and file of the test that contradicts another test. */
  readonly test: string;
  readonly path: string;
  readonly solved: boolean;
  readonly reason: string | null;
}
