// A task that cannot be solved, and how a proposer answered it.

import type { Operation } from '../../operation.ts';

export interface CanaryRequest extends Operation {
  /** The name of the proposer, or several, separated by commas. */
  readonly proposer: string;
  /** Called before the ledger of the session holds the answer, so that an outcome is not lost with the process. */
  onOutcome(outcome: CanaryAnswer): Promise<void>;
}

/**
 * `solved`: all gates passed an answer, although no honest one can. `reason`: why it is not solved, or was not asked.
 */
export type CanaryOutcome =
  | { readonly asked: false; readonly reason: string }
  | ({ readonly asked: true } & CanaryAnswer);

interface CanaryAnswer {
  /** The proposer that answered. */
  readonly proposer: string;
  /** Title and file of the test that contradicts another one. */
  readonly test: string;
  readonly path: string;
  readonly solved: boolean;
  readonly reason: string | null;
}
