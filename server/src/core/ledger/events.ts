// Everything that can happen and be recorded: a closed union. A new kind of event is a new line here and in the folds.

import type { AnsweredData, AskedData } from '../model/asks.ts';
import type { Claim } from '../model/claims.ts';
import type { PassedOver } from '../model/passedOver.ts';
import type {
  Checkpoint,
  DismissalKind,
  Millis,
  Notice,
  Points,
  Proposal,
  ProposalStatus,
  Strength,
  Verdict,
} from '../model.ts';

export type By = 'person' | 'charter';

interface DecisionData {
  readonly proposal: string;
  readonly by: By;
  readonly reason: string | null;
}

interface VerificationData {
  readonly proposal: string;
  readonly verdicts: readonly Verdict[];
  /** Absent in records of older versions. */
  readonly strength?: Strength | null;
  /** Absent in records of older versions. */
  readonly claim?: Claim | null;
  readonly pointsBefore: Points | null;
  readonly pointsAfter: Points | null;
}

export type LedgerEvent =
  | {
      readonly type: 'indexed';
      readonly data: {
        readonly files: number;
        readonly symbols: number;
        readonly chunks: number;
        readonly tokens: number;
        readonly embedded: number;
        readonly reused: number;
        readonly seconds: number;
      };
    }
  /** `until` null = for good. */
  | {
      readonly type: 'opportunityDismissed';
      readonly data: {
        readonly opportunity: string;
        readonly reason: string | null;
        readonly kind?: DismissalKind;
        readonly rule?: string;
        readonly path?: string;
        readonly until?: Millis | null;
      };
    }
  /** A dismissal is undone. */
  | { readonly type: 'opportunityRestored'; readonly data: { readonly opportunity: string } }
  /** Every try of a recipe on an opportunity. `content` = key of what came out of it, see `contentKey`. */
  | {
      readonly type: 'attempt';
      readonly data: {
        readonly opportunity: string;
        readonly recipe: string;
        readonly outcome: 'proposed' | 'refused';
        readonly reason: string | null;
        readonly content?: string | null;
      };
    }
  /**
   * Places that a recipe could mend and that were left alone, each with its reason; only what was not recorded before.
   */
  | { readonly type: 'passedOver'; readonly data: { readonly places: readonly Omit<PassedOver, 'since'>[] } }
  /** A language model or an agent is asked; recorded before it is. */
  | { readonly type: 'asked'; readonly data: AskedData }
  /** What came of it. */
  | { readonly type: 'answered'; readonly data: AnsweredData }
  /** A person agreed that code goes to this host. */
  | { readonly type: 'consented'; readonly data: { readonly destination: string } }
  | { readonly type: 'proposed'; readonly data: { readonly proposal: Proposal } }
  | { readonly type: 'verifying'; readonly data: { readonly proposal: string } }
  /** The process that verified it is dead: it is what it was before. */
  | { readonly type: 'interrupted'; readonly data: { readonly proposal: string } }
  | { readonly type: 'verified'; readonly data: VerificationData & { readonly tree?: string | null } }
  /** By the gates; or, after it was verified, because the files have changed since. */
  | { readonly type: 'refused'; readonly data: VerificationData & { readonly reason: string | null } }
  | { readonly type: 'approved'; readonly data: DecisionData }
  /**
   * `replacedBy`: the proposal that a person made of it, by leaving hunks out or (`correction`) by editing it. Says
   * nothing against its rule.
   */
  | {
      readonly type: 'rejected';
      readonly data: DecisionData & { readonly replacedBy?: string; readonly correction?: boolean };
    }
  /**
   * `busy`: nobody is asked; it is verified again first of all, since the machine had too much to do for what depends
   * on time.
   */
  | { readonly type: 'deferred'; readonly data: DecisionData & { readonly busy?: true } }
  /** Probation begins. `base` = hash of the text that says what the tree held right before. */
  | {
      readonly type: 'applied';
      readonly data: { readonly proposal: string; readonly checkpoint: Checkpoint; readonly base?: string | null };
    }
  /**
   * Probation has ended well, or a person has ended it. `verdicts` are those of the probation, `receipt` the hash of
   * what proves it all.
   */
  | {
      readonly type: 'kept';
      readonly data: {
        readonly proposal: string;
        readonly points: Points | null;
        readonly by?: By;
        readonly reason?: string | null;
        readonly verdicts?: readonly Verdict[];
        readonly receipt?: string | null;
      };
    }
  /** It failed its probation, and cannot be rolled back automatically. */
  | {
      readonly type: 'conflicted';
      readonly data: { readonly proposal: string; readonly checkpoint: string; readonly reason: string };
    }
  /** Written into the user's history, at the user's request. */
  | {
      readonly type: 'committed';
      readonly data: { readonly proposal: string; readonly commit: string; readonly branch: string };
    }
  | {
      readonly type: 'rolledBack';
      readonly data: {
        readonly proposal: string | null;
        readonly checkpoint: string;
        readonly by: By;
        readonly reason: string | null;
      };
    }
  /** Checkpoints that were pruned: there is no way back to them any longer. Proposals whose texts and receipts were. */
  | {
      readonly type: 'forgotten';
      readonly data: { readonly checkpoints: readonly string[]; readonly proposals?: readonly string[] };
    }
  | { readonly type: 'points'; readonly data: { readonly points: Points | null } }
  /** `rootDir`: of which repository, for whoever reads all ledgers of a machine. */
  | { readonly type: 'stopped'; readonly data: { readonly reason?: string; readonly rootDir?: string } }
  | { readonly type: 'resumed'; readonly data: { readonly reason?: string } }
  | { readonly type: 'notice'; readonly data: Notice }
  /** What a person or an agent wants remembered. `importance` is 0–1. */
  | {
      readonly type: 'remembered';
      readonly data: {
        readonly text: string;
        readonly importance: number;
        readonly tier: 'critical' | 'high' | 'normal' | 'low';
      };
    }
  /** What a context pack used of each layer, and the episodes that it recalled. */
  | {
      readonly type: 'packed';
      readonly data: {
        readonly taskType: string;
        readonly budgetTokens: number;
        readonly layers: Readonly<
          Record<string, { readonly tokens: number; readonly budget: number; readonly wanted?: number }>
        >;
        readonly recalled: readonly string[];
      };
    };

export type LedgerEventType = LedgerEvent['type'];

/** An edit as it lies in the ledger: the texts by their hash. */
export interface StoredEdit {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A proposal as it lies in the ledger. `content` names what it would do, whatever it is called. */
export interface StoredProposal extends Omit<Proposal, 'edits'> {
  readonly edits: readonly StoredEdit[];
  readonly content: string;
  /** What it was before it was verified; while it is. */
  readonly before?: ProposalStatus;
}

type AsStored<E extends LedgerEvent> = E extends { readonly type: 'proposed' }
  ? { readonly type: 'proposed'; readonly data: { readonly proposal: StoredProposal } }
  : E;
/** An event as read back, with its place and time. */
export type RecordedEvent = AsStored<LedgerEvent> & { readonly sequence: number; readonly at: Millis };

/** What a fold relies on. Whatever lacks it is not understood. */
const NEEDED: Readonly<Record<LedgerEventType, readonly string[]>> = {
  indexed: [],
  opportunityDismissed: ['opportunity'],
  opportunityRestored: ['opportunity'],
  attempt: ['opportunity', 'outcome'],
  passedOver: ['places'],
  asked: ['ask', 'run', 'task', 'proposer', 'promptTokens', 'budget'],
  answered: ['ask', 'task', 'outcome'],
  consented: ['destination'],
  proposed: ['proposal'],
  verifying: ['proposal'],
  interrupted: ['proposal'],
  verified: ['proposal', 'verdicts'],
  refused: ['proposal', 'verdicts'],
  approved: ['proposal'],
  rejected: ['proposal'],
  deferred: ['proposal'],
  applied: ['proposal', 'checkpoint'],
  kept: ['proposal'],
  conflicted: ['proposal', 'checkpoint', 'reason'],
  committed: ['proposal', 'commit', 'branch'],
  rolledBack: ['checkpoint'],
  forgotten: ['checkpoints'],
  points: ['points'],
  stopped: [],
  resumed: [],
  notice: ['message'],
  remembered: ['text', 'importance', 'tier'],
  packed: ['taskType', 'layers', 'recalled'],
};

/** All types of events that can be queried. */
export const EVENT_TYPES: readonly string[] = Object.keys(NEEDED);

/** Null for an event of a kind that this version does not know, `malformed` for a known kind without what it needs. */
export function recordedEvent(stored: {
  readonly sequence: number;
  readonly at: Millis;
  readonly type: string;
  readonly data: unknown;
}): RecordedEvent | null | 'malformed' {
  if (!Object.hasOwn(NEEDED, stored.type)) return null;
  const { data } = stored;
  if (typeof data !== 'object' || data === null) return 'malformed';
  const complete = NEEDED[stored.type as LedgerEventType].every((key) => Object.hasOwn(data, key));
  // The chain vouches that the data is what `record` wrote.
  return complete
    ? ({ sequence: stored.sequence, at: stored.at, type: stored.type, data } as RecordedEvent)
    : 'malformed';
}
