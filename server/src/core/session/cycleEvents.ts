// The input, the events and the result of a run of cycles.

import type { Checkpoint, Points, Proposal, Strength } from '../model.ts';
import type { PassedOver, PassedOverBy } from '../model/passedOver.ts';
import type { Operation } from '../operation.ts';
import type { ApprovalLevel } from '../charter/approvalLevel.ts';

export interface ImproveRequest extends Operation {
  readonly opportunity?: string;
  /** As in ProposeRequest. */
  readonly places?: readonly string[];
  /** As in ProposeRequest. */
  readonly again?: boolean;
  /** Asked for what no recipe can do, once recipes have nothing left. */
  readonly proposer?: string;
  readonly cycles: number;
  readonly dryRun: boolean;
  /**
   * A person waits for the answer: what a busy machine could not show is unknown, instead of putting a proposal off.
   */
  readonly atOnce?: boolean;
  readonly approval: ApprovalLevel;
  readonly maxChanges: number;
  /**
   * Asked for each verified proposal that the charter does not let through by itself; `why` says for what reason. By a
   * person, if nothing else is said.
   */
  readonly decide: (proposal: Proposal, why: string) => Promise<CycleDecision>;
  readonly onEvent?: (event: CycleEvent) => void;
}

export type CycleDecision =
  | {
      readonly verdict: 'approved' | 'rejected' | 'deferred';
      readonly by?: 'person';
      readonly reason: string | null;
      readonly hunks?: readonly number[];
    }
  /** Nobody is there. */
  | { readonly verdict: 'deferred'; readonly by: 'charter'; readonly reason: string };

export type CycleEvent =
  | { readonly type: 'cycleStarted'; readonly cycle: number }
  | {
      readonly type: 'opportunityRefused';
      readonly opportunity: string;
      readonly rule: string;
      readonly path: string;
      readonly reason: string;
    }
  | { readonly type: 'proposed'; readonly proposal: Proposal }
  | { readonly type: 'verified'; readonly proposal: Proposal }
  | { readonly type: 'refused'; readonly proposal: Proposal }
  /** What would show it needs a quieter machine: it is first in line next time. */
  | { readonly type: 'putOff'; readonly proposal: Proposal; readonly reason: string }
  /** Our own trouble, not the proposal's: it waits, and the run goes on with others. */
  | { readonly type: 'brokeDown'; readonly proposal: Proposal; readonly reason: string }
  | {
      readonly type: 'decided';
      readonly proposal: string;
      readonly verdict: 'approved' | 'rejected' | 'deferred';
      readonly by: 'person' | 'charter';
      readonly reason: string | null;
    }
  | { readonly type: 'applied'; readonly proposal: Proposal; readonly checkpoint: Checkpoint }
  /** `passedOver`: the one that was asked for, if nothing came of it. */
  | { readonly type: 'stopped'; readonly reason: string; readonly passedOver?: PassedOver };

export interface ImproveSummary {
  readonly cycles: number;
  readonly proposed: number;
  readonly verified: number;
  /** Of the verified ones, how many are how strong. */
  readonly strengths: Readonly<Record<Strength, number>>;
  readonly refused: number;
  /** Wait for a quieter machine. */
  readonly putOff: number;
  readonly applied: number;
  readonly kept: number;
  readonly rolledBack: number;
  /** Places that a recipe could mend and that were left alone, by why. What each of them was is in the ledger. */
  readonly passedOver: Partial<Record<PassedOverBy, number>>;
  readonly pointsBefore: Points | null;
  readonly pointsAfter: Points | null;
  readonly seconds: number;
}
