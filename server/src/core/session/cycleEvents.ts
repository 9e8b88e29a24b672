// Types of a run of cycles: its request, the decisions that it asks for, the events that it reports, and its summary.

import type { Checkpoint, Points, Proposal, Strength } from '../model.ts';
import type { ClaimKind } from '../model/claims.ts';
import type { SkippedPlace, SkipCause } from '../model/skippedPlaces.ts';
import type { WorkScope } from '../model/workScope.ts';
import type { Operation } from '../operation.ts';
import type { StageTimes } from './cycle/stageTimes.ts';
import type { ApprovalLevel } from '../charter/approvalLevel.ts';

/**
 * The request for a run of cycles. `opportunity`: the id of the only place to improve. `cycles`: maximum number of
 * proposals. `dryRun`: true if nothing is applied.
 */
export interface ImproveRequest extends Operation, WorkScope {
  readonly opportunity?: string;
  /** Restricts the search to the findings of these rules. */
  readonly rules?: readonly string[];
  /** True to skip places in tests. */
  readonly exceptTests?: boolean;
  /** True to include places that were refused, rejected or rolled back before. */
  readonly again?: boolean;
  /** Ids of proposals that wait for a quieter machine and are not verified again here. Absent: none. */
  readonly excludedProposals?: ReadonlySet<string>;
  /** The proposer that is asked when recipes have nothing left to propose. */
  readonly proposer?: string;
  readonly cycles: number;
  /** True if cycles whose proposals were all refused, and cycles without a proposal, do not count towards `cycles`. */
  readonly ignoresFruitlessCycles?: boolean;
  readonly dryRun: boolean;
  /**
   * True if a person waits for the answer. Then no proposal is deferred on a busy machine; a check that needs a quiet
   * machine answers “unknown”.
   */
  readonly personWaits?: boolean;
  readonly approval: ApprovalLevel;
  readonly maxChanges: number;
  /**
   * Maximum number of proposals by recipes that are checked together. If absent: 1 if `personWaits`, otherwise the setting
   * `verify.together`.
   */
  readonly maxCheckedTogether?: number;
  /** The kinds of claim whose proposals may be checked together; if absent, all kinds for which this is possible. */
  readonly joinableClaims?: readonly ClaimKind[];
  /**
   * Maximum number of proposals that are verified in parallel, each in separate sandboxes. They are settled in the
   * order in which they were made; after `maxChanges` were applied, those that pass keep waiting. If absent, 1.
   */
  readonly maxParallel?: number;
  /** The reason to end the run before its next cycle; null if it may continue. If absent, it may always continue. */
  readonly findStopReason?: () => Promise<string | null>;
  /**
   * Aborted when the run is asked to end. Then an analysis is ended, but the proposal in progress is still judged.
   */
  readonly stopSignal?: AbortSignal;
  /** Ids of proposals that are verified without anything in parallel. */
  readonly proposalsVerifiedAlone?: ReadonlySet<string>;
  /**
   * Called for each verified proposal that the charter does not allow to be applied unasked; `reasonToAsk` is the
   * reason. The decision counts as a person's, unless it names another author.
   */
  readonly decide: (proposal: Proposal, reasonToAsk: string) => Promise<CycleDecision>;
  readonly onEvent?: (event: CycleEvent) => void;
  /** Collects the durations and outcomes of the stages. */
  readonly times?: StageTimes;
}

/** The decision about a proposal. `hunks`: indexes of the hunks to apply; if absent, all are applied. */
export type CycleDecision =
  | {
      readonly verdict: 'approved' | 'rejected' | 'deferred';
      readonly by?: 'person';
      readonly reason: string | null;
      readonly hunks?: readonly number[];
    }
  /** Nobody was available to decide. */
  | { readonly verdict: 'deferred'; readonly by: 'charter'; readonly reason: string };

/** An event that a run reports while it is in progress. */
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
  /** Deferred: the proof needs a quieter machine, so the proposal comes first in the next run. */
  | { readonly type: 'putOff'; readonly proposal: Proposal; readonly reason: string }
  /** Selfware failed, not the proposal: the proposal waits, and the run continues with others. */
  | { readonly type: 'brokeDown'; readonly proposal: Proposal; readonly reason: string }
  | {
      readonly type: 'decided';
      readonly proposal: string;
      readonly verdict: 'approved' | 'rejected' | 'deferred';
      readonly by: 'person' | 'charter';
      readonly reason: string | null;
    }
  | { readonly type: 'applied'; readonly proposal: Proposal; readonly checkpoint: Checkpoint }
  /** `passedOver`: the requested place, if it gave no proposal. */
  | { readonly type: 'stopped'; readonly reason: string; readonly passedOver?: SkippedPlace };

/** Counts of the outcomes of a run. */
export interface ImproveSummary {
  readonly cycles: number;
  readonly proposed: number;
  readonly verified: number;
  /** The number of verified proposals of each strength. */
  readonly strengths: Readonly<Record<Strength, number>>;
  readonly refused: number;
  /** Number of proposals that were deferred until the machine is quieter. */
  readonly putOff: number;
  readonly applied: number;
  readonly kept: number;
  readonly rolledBack: number;
  /** Number of places that a recipe could improve and that were skipped, by reason. The ledger has the details. */
  readonly passedOver: Partial<Record<SkipCause, number>>;
  readonly pointsBefore: Points | null;
  readonly pointsAfter: Points | null;
  readonly seconds: number;
}
