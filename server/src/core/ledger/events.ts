// All events that can be recorded, as a closed union. A new kind of event needs a new member here and in the folds.

import type { AnsweredData, AskedData, CodeConsent } from '../model/asks.ts';
import type { Claim } from '../model/claims.ts';
import type { FeedbackData, FeedbackLookData, RuleEvent } from '../model/feedback.ts';
import type { BottleneckData, ProcessUse, StateMeasurement } from '../model/bottlenecks.ts';
import type { InboxEvent } from '../model/inbox.ts';
import type { RecipeEvent } from '../model/learnedRecipes.ts';
import type { NightEvent, NightMergeEvent, WishEvent } from '../model/nights.ts';
import type { ResearchEvent } from '../model/research.ts';
import type { TrainingEvent } from '../model/trainings.ts';
import type { SkippedPlace } from '../model/skippedPlaces.ts';
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

/** Who decided: a person, or the charter without a person. */
export type Decider = 'person' | 'charter';

interface DecisionData {
  readonly proposal: string;
  readonly by: Decider;
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

/** An event that can be recorded. */
export type LedgerEvent =
  | NightEvent
  | NightMergeEvent
  | WishEvent
  | RuleEvent
  | InboxEvent
  | RecipeEvent
  | TrainingEvent
  | ResearchEvent
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
        /** Set if nothing was stored before. */
        readonly scratch?: true;
        /** The version of Selfware. Absent in records of older versions. */
        readonly program?: string;
      } & ProcessUse;
    }
  | { readonly type: 'stateMeasured'; readonly data: StateMeasurement }
  /** A person dismissed an opportunity. `until`: null if the dismissal does not expire. */
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
  /** A dismissal was undone. */
  | { readonly type: 'opportunityRestored'; readonly data: { readonly opportunity: string } }
  /**
   * A recipe declined an opportunity, or the sandbox could not take the edits of its proposal (`refused`). The outcome
   * `proposed` and `content`, the key of the edits, occur only in records of older versions.
   */
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
   * Places that a recipe could improve and that were skipped, each with its reason. Places that were recorded before
   * are omitted.
   */
  | { readonly type: 'passedOver'; readonly data: { readonly places: readonly Omit<SkippedPlace, 'since'>[] } }
  /** Recorded before a language model or an agent is asked. */
  | { readonly type: 'asked'; readonly data: AskedData }
  /** The outcome of a question to a language model or an agent. */
  | { readonly type: 'answered'; readonly data: AnsweredData }
  /** A person agreed that code is sent to this host, or to this configured command. Without `sends`: only excerpts. */
  | {
      readonly type: 'consented';
      readonly data: Pick<CodeConsent, 'destination'> & Partial<CodeConsent>;
    }
  /** A person withdrew all consents for this destination. */
  | { readonly type: 'consentWithdrawn'; readonly data: Pick<CodeConsent, 'destination'> }
  /** A person no longer wants a task of a proposer that waits for them. */
  | { readonly type: 'taskDropped'; readonly data: { readonly task: string; readonly by: 'person' } }
  | { readonly type: 'proposed'; readonly data: { readonly proposal: Proposal } }
  | { readonly type: 'verifying'; readonly data: { readonly proposal: string } }
  /**
   * A verification ended without a result, so the proposal returns to its earlier state. `alive`: a cancel or an error
   * ended it; otherwise its process died.
   */
  | { readonly type: 'interrupted'; readonly data: { readonly proposal: string; readonly alive?: true } }
  /** `tree`: hash of the tree on which it was verified; null if there was none. */
  | { readonly type: 'verified'; readonly data: VerificationData & { readonly tree?: string | null } }
  /** A proposal was refused by the gates; or, after it was verified, because the files have changed since. */
  | { readonly type: 'refused'; readonly data: VerificationData & { readonly reason: string | null } }
  | { readonly type: 'approved'; readonly data: DecisionData }
  /**
   * `replacedBy`: the proposal that a person made from it, by omitting hunks or (`correction`) by editing it. Such a
   * rejection does not count against the rule.
   */
  | {
      readonly type: 'rejected';
      readonly data: DecisionData & { readonly replacedBy?: string; readonly correction?: boolean };
    }
  /**
   * `busy`: its proof depends on time, and the machine was busy. Nobody is asked, and the next run verifies it again
   * before anything else.
   */
  | { readonly type: 'deferred'; readonly data: DecisionData & { readonly busy?: true } }
  /**
   * A change was written, and its probation begins. `base`: hash of the text that describes the tree immediately
   * before.
   */
  | {
      readonly type: 'applied';
      readonly data: { readonly proposal: string; readonly checkpoint: Checkpoint; readonly base?: string | null };
    }
  /**
   * Probation has passed, or a person has ended it. `verdicts`: the verdicts of the probation. `receipt`: hash of the
   * receipt that proves the change.
   */
  | {
      readonly type: 'kept';
      readonly data: {
        readonly proposal: string;
        readonly points: Points | null;
        readonly by?: Decider;
        readonly reason?: string | null;
        readonly verdicts?: readonly Verdict[];
        readonly receipt?: string | null;
      };
    }
  /** A change failed its probation and cannot be rolled back automatically. */
  | {
      readonly type: 'conflicted';
      readonly data: { readonly proposal: string; readonly checkpoint: string; readonly reason: string };
    }
  /** A change was committed to the user's history, at the user's request. */
  | {
      readonly type: 'committed';
      readonly data: { readonly proposal: string; readonly commit: string; readonly branch: string };
    }
  | {
      readonly type: 'rolledBack';
      readonly data: {
        readonly proposal: string | null;
        readonly checkpoint: string;
        readonly by: Decider;
        readonly reason: string | null;
      };
    }
  /**
   * A commit by a person has undone a kept change (`undone`), or rewritten its lines. `diff`: the edited lines, without
   * a header.
   */
  | {
      readonly type: 'reworked';
      readonly data: {
        readonly proposal: string;
        readonly commit: string;
        readonly subject: string;
        readonly undone: boolean;
        readonly diff: string;
      };
    }
  /** `proposal` was undone, so the kept changes that were checked together with it were checked again without it. */
  | {
      readonly type: 'checkedAgain';
      readonly data: {
        readonly proposal: string;
        readonly rest: readonly string[];
        readonly verdicts: readonly Verdict[];
      };
    }
  /**
   * Checkpoints that were pruned, so that rolling back to them is no longer possible; or proposals whose texts and
   * receipts were removed.
   */
  | {
      readonly type: 'forgotten';
      readonly data: { readonly checkpoints: readonly string[]; readonly proposals?: readonly string[] };
    }
  | { readonly type: 'points'; readonly data: { readonly points: Points | null } }
  /** `rootDir`: the repository, for readers of all ledgers on a machine. */
  | { readonly type: 'stopped'; readonly data: { readonly reason?: string; readonly rootDir?: string } }
  | { readonly type: 'resumed'; readonly data: { readonly reason?: string } }
  | { readonly type: 'notice'; readonly data: Notice }
  /** A note of a person or an agent. `importance` is 0–1. */
  | {
      readonly type: 'remembered';
      readonly data: {
        readonly text: string;
        readonly importance: number;
        readonly tier: 'critical' | 'high' | 'normal' | 'low';
      };
    }
  /** Selfware has analysed the feedback without being asked. */
  | { readonly type: 'feedbackLooked'; readonly data: FeedbackLookData }
  /**
   * A proposer was asked to improve a figure of Selfware's own performance. `expected` is the value that the change
   * should reach, and not a measurement. `proposal`: null if none was filed.
   */
  | { readonly type: 'bottleneckAsked'; readonly data: BottleneckData }
  /** Feedback: something went well or badly, as reported by whoever did the work. */
  | { readonly type: 'feedbackRecorded'; readonly data: FeedbackData }
  /**
   * A person has forgotten a lesson: these proposals and opportunities no longer count for it. `text`: the lesson as
   * it was shown. `finding`: the rule of the linter, if only the lesson about it no longer counts. `stillTeaching`:
   * the proposals among these from which another lesson was learned, which still counts.
   */
  | {
      readonly type: 'lessonForgotten';
      readonly data: {
        readonly lesson: string;
        readonly text: string;
        readonly proposals: readonly string[];
        readonly opportunities: readonly string[];
        readonly finding?: string;
        readonly stillTeaching?: readonly string[];
      };
    }
  /** The tokens that a context pack used of each layer, and the episodes that it recalled. */
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

/** The type of an event that can be recorded. */
export type LedgerEventType = LedgerEvent['type'];

/**
 * An edit as stored in the ledger: the hashes of both texts. `before` is null for a new file, `after` for a deleted
 * one.
 */
export interface StoredEdit {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A proposal as stored in the ledger. `content`: a key that depends only on the edits, and not on the title. */
export interface StoredProposal extends Omit<Proposal, 'edits'> {
  readonly edits: readonly StoredEdit[];
  readonly content: string;
  /** The status before the newest verification; absent before the first one. */
  readonly before?: ProposalStatus;
}

type AsStored<E extends LedgerEvent> = E extends { readonly type: 'proposed' }
  ? { readonly type: 'proposed'; readonly data: { readonly proposal: StoredProposal } }
  : E;
/** A recorded event, with its sequence and time. */
export type RecordedEvent = AsStored<LedgerEvent> & { readonly sequence: number; readonly at: Millis };

/** The fields that folds rely on, by the type of the event. An event without them is malformed. */
const REQUIRED_FIELDS: Readonly<Record<LedgerEventType, readonly string[]>> = {
  indexed: [],
  stateMeasured: ['ledgerMs'],
  opportunityDismissed: ['opportunity'],
  opportunityRestored: ['opportunity'],
  attempt: ['opportunity', 'outcome'],
  passedOver: ['places'],
  asked: ['ask', 'run', 'task', 'proposer', 'promptTokens', 'budget'],
  answered: ['ask', 'task', 'outcome'],
  consented: ['destination'],
  consentWithdrawn: ['destination'],
  taskDropped: ['task'],
  researched: ['research', 'task', 'tool', 'query'],
  researchEnded: ['research', 'task', 'outcome'],
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
  reworked: ['proposal', 'commit', 'subject', 'undone', 'diff'],
  checkedAgain: ['proposal', 'rest', 'verdicts'],
  forgotten: ['checkpoints'],
  points: ['points'],
  stopped: [],
  resumed: [],
  notice: ['message'],
  remembered: ['text', 'importance', 'tier'],
  lessonForgotten: ['lesson', 'proposals', 'opportunities'],
  feedbackRecorded: ['session', 'kind', 'dimension'],
  bottleneckAsked: ['metric', 'strategy', 'before', 'expected', 'proposal'],
  feedbackLooked: ['digest', 'findings'],
  ruleWritten: ['file', 'rule', 'text', 'by', 'version', 'events'],
  ruleSwitched: ['rule', 'state'],
  inboxFiled: ['item'],
  inboxDecided: ['item', 'verdict'],
  ruleTried: ['rule', 'proposer', 'outcome', 'reason'],
  broughtRules: ['path', 'hash'],
  packed: ['taskType', 'layers', 'recalled'],
  nightStarted: ['night', 'run', 'base', 'plan'],
  nightResumed: ['night', 'run'],
  nightCommitted: ['night', 'run', 'commit', 'change'],
  nightMissed: ['night', 'run', 'miss'],
  nightTurn: ['night', 'run', 'stages'],
  nightWish: ['night', 'run', 'wish', 'text', 'outcome'],
  wishAdded: ['wish', 'text'],
  wishTested: ['wish', 'tests'],
  wishDropped: ['wish'],
  wishFirst: ['wish'],
  wishMoved: ['wish', 'before'],
  nightWaiting: ['night', 'run', 'until', 'reason'],
  nightCanary: ['night', 'run', 'proposer', 'test', 'path', 'solved'],
  nightSearched: ['night', 'run', 'search', 'files', 'undone', 'found'],
  nightVariant: ['night', 'run', 'proposal', 'title', 'kind', 'path', 'outcome'],
  nightPaused: ['night', 'run', 'kind', 'reason'],
  nightAnswered: ['night', 'run'],
  nightAskedToEnd: ['night', 'run'],
  nightMoved: ['night', 'base', 'commits', 'left'],
  nightEnded: ['night', 'run', 'reason', 'passedOver'],
  nightUpgrade: ['night', 'run', 'step', 'version', 'hash', 'reason'],
  nightTold: ['night', 'run', 'event', 'by', 'failure'],
  nightDecided: ['night', 'verdict', 'changes'],
  nightMerged: ['night', 'proposal', 'commit'],
  recipeAccepted: ['recipe'],
  recipeForgotten: ['id'],
  trainingChecked: ['due'],
  trainingStarted: ['training', 'dataset', 'base', 'current'],
  trainingEnded: ['training', 'outcome', 'reason', 'current', 'candidate', 'comparison'],
  modelDeployed: ['training', 'model', 'previous'],
  modelRolledBack: ['model', 'to'],
};

/** All types of events that can be queried. */
export const EVENT_TYPES: readonly string[] = Object.keys(REQUIRED_FIELDS);

/** Reads a stored event. Null for an unknown type; `malformed` for a known type whose required fields are missing. */
export function readRecordedEvent(stored: {
  readonly sequence: number;
  readonly at: Millis;
  readonly type: string;
  readonly data: unknown;
}): RecordedEvent | null | 'malformed' {
  if (!Object.hasOwn(REQUIRED_FIELDS, stored.type)) return null;
  const { data } = stored;
  if (typeof data !== 'object' || data === null) return 'malformed';
  const isComplete = REQUIRED_FIELDS[stored.type as LedgerEventType].every((key) => Object.hasOwn(data, key));
  // The chain guarantees that the data is exactly what `record` wrote.
  return isComplete
    ? ({ sequence: stored.sequence, at: stored.at, type: stored.type, data } as RecordedEvent)
    : 'malformed';
}

/** The proposal that an event is about; null if there is none. */
export function proposalIdOf({ data }: Pick<RecordedEvent, 'data'>): string | null {
  if (!('proposal' in data) || data.proposal === null || data.proposal === undefined) return null;
  return typeof data.proposal === 'string' ? data.proposal : data.proposal.id;
}
