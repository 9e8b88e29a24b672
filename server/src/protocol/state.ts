// The data of the sidebar and the status bar. The server computes them, and the sidebar shows them unchanged.

import type { NightSummary } from './nights.ts';
import type { FurtherRequests, RequestState, WaitingTask } from './requests.ts';
import type { RuleFileEntry, RuleEntry } from './rules.ts';
import type { StrengthState } from './strength.ts';

/** The points on the current ruler. */
export interface PointsState {
  readonly total: number;
  readonly max: number;
  readonly rulerVersion: string;
  readonly categories: readonly CategoryState[];
}

/** The points of one category. */
export interface CategoryState {
  readonly name: string;
  readonly label: string;
  /** The points; null if none of the inputs was measured. */
  readonly points: number | null;
  readonly max: number;
  /**
   * The inputs of the category. `points`: null if the input was not measured. `said`: the counts or, if it was not
   * measured, what the measurement requires.
   */
  readonly inputs: readonly {
    readonly name: string;
    readonly points: number | null;
    readonly max: number;
    readonly said: string;
  }[];
  /** Files that cost the most points, most expensive first. */
  readonly places: readonly CostState[];
}

/** A file that costs points, with the place to look at first and a possible remedy. */
export interface CostState {
  readonly path: string;
  /** The 1-based line of that place. */
  readonly line: number;
  readonly symbol: string | null;
  readonly points: number;
  readonly input: string;
  /** The counts that cost the points, in words. */
  readonly said: string;
  /** An opportunity whose change would help; null if there is none. */
  readonly improvement: { readonly opportunity: string; readonly message: string } | null;
}

/** One measurement of the points on the current ruler. */
export interface TrendPoint {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The measured total. It differs from the previous total by the sum of `moved`. */
  readonly total: number;
  /** What has happened between this measurement and the previous one; null for the first. */
  readonly cause: string | null;
  /** The differences by category, without zeros. */
  readonly moved: readonly { readonly label: string; readonly delta: number }[];
}

/** An opportunity as a row of a list. */
export interface OpportunityState {
  readonly id: string;
  readonly rule: string;
  readonly message: string;
  readonly path: string;
  /** The 1-based line. */
  readonly line: number;
  /** The 1-based column. */
  readonly column: number;
  readonly severity: 'hint' | 'information' | 'warning';
  readonly impact: number;
  readonly fixable: boolean;
  /**
   * Who turned the change down, why, and when. Such an opportunity is tried again only if it is named. Absent if nobody
   * has.
   */
  readonly turnedDown?: string;
  /** Who turned the change down, in two or three words for a narrow row. */
  readonly turnedDownBriefly?: string;
  /** Set if its rule is quiet. */
  readonly quiet?: true;
}

/** A proposal as an entry of a list. */
export interface ProposalState extends StrengthState {
  readonly id: string;
  readonly title: string;
  /** The reason for the proposal. */
  readonly rationale: string;
  readonly status: string;
  /** The first few paths. `pathCount`: the number of all paths. */
  readonly paths: readonly string[];
  readonly pathCount: number;
  readonly pointsDelta: number | null;
  /** The number of gates by verdict. */
  readonly gates: { readonly passed: number; readonly failed: number; readonly unknown: number };
  readonly reason: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The checkpoint for rolling back; null until the proposal is applied. */
  readonly checkpoint: string | null;
}

/** A checkpoint, and the current state of the change that was applied after it. */
export interface CheckpointState {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly paths: readonly string[];
  readonly pathCount: number;
  readonly rolledBack: boolean;
  /**
   * The state of the change; null if it is unknown. `undone`: the change was kept, and the files no longer contain it.
   */
  readonly fate: 'probation' | 'conflicted' | 'kept' | 'undone' | 'committed' | 'rolledBack' | null;
  readonly proposal: string | null;
}

/** A notice for the person, with advice. */
export interface NoticeState {
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly action: string | null;
  /** The optional component whose installation helps. */
  readonly component?: string;
}

/** One event of the ledger, in words. */
export interface EventState {
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly type: string;
  readonly text: string;
}

/** The permissions in force, and the used part of the budget of changes. */
export interface CharterState {
  readonly approval: string;
  readonly changesUsed: number;
  readonly changesAllowed: number;
  /** The number of built-in patterns for files that no proposal may touch. */
  readonly builtInPaths: number;
  /** The number of such patterns in the settings. */
  readonly ownPaths: number;
}

/** A lesson from decisions or checks. */
export interface LessonState {
  readonly id: string;
  readonly text: string;
  /** Milliseconds since the epoch; null if the lesson comes from comments in the code. */
  readonly last: number | null;
  /** The effects of the lesson, one sentence each. */
  readonly effects: readonly string[];
  /** The source of the lesson, and the newest change or file to look at; absent for rules. */
  readonly origin?: { readonly text: string; readonly proposal?: string; readonly path?: string };
  /** False if it has no effect, so there is nothing to forget. */
  readonly forgettable?: false;
  /** The file of repository rules that the lesson is about. */
  readonly brought?: string;
}

/** A tool, a command, a skill or an order of proposers that is proposed to the person. */
export interface InboxEntry {
  readonly id: string;
  readonly kind: 'tool' | 'command' | 'skill' | 'preference';
  readonly name: string;
  readonly description: string;
  /** The content on which the person decides, one line each. */
  readonly details: readonly string[];
  /** The events that show the need, one sentence each. */
  readonly evidence: readonly string[];
  /** True for a command that is not known to only read. */
  readonly mayWrite: boolean;
}

/** The work that can be done now. All parts of the interface use the same text. */
export interface DoableState {
  /** False until the complete repository has been analysed once. */
  readonly analysed: boolean;
  /** Number of opportunities that the default filter hides. */
  readonly quiet: number;
  readonly canImprove: boolean;
  /** True if exported functions can be searched for missing tests and for calls that break. */
  readonly canSearch: boolean;
  /** A sentence that says what the command to improve would do, or why it can do nothing. */
  readonly improve: string;
  /** The text for an empty list. */
  readonly empty: string;
  /** The number of hidden opportunities, as a sentence; null if all are shown. */
  readonly more: string | null;
  /** A remark if few rules apply to the language; null if most do. */
  readonly language: string | null;
  /**
   * The reason why nothing can be done; null if there is none. `brokenRepository`: git is missing, or cannot read the
   * repository.
   */
  readonly barrier: 'untrusted' | 'notARepository' | 'brokenRepository' | 'noCommit' | null;
}

/** A folder of the workspace. */
export interface FolderState {
  readonly uri: string;
  readonly name: string;
  /** Number of decisions in it that wait for a person; null if unknown. */
  readonly waiting: number | null;
}

/** What Selfware does in the folder now. */
export type Activity =
  | 'idle'
  | 'indexing'
  | 'analysing'
  | 'searching'
  | 'proposing'
  | 'verifying'
  | 'applying'
  | 'stopped';

/**
 * The tokens of one layer of memory. `tokens`: the used tokens, at most `budget` plus `borrowed`. `budget`: the share
 * of the layer. `borrowed`: tokens that it got from other layers. `lent`: tokens of its share that it did not need and
 * other layers got.
 */
export interface LayerState {
  readonly layer: 'working' | 'episodic' | 'semantic' | 'reserve';
  readonly tokens: number;
  readonly budget: number;
  readonly borrowed?: number;
  readonly lent?: number;
}

/**
 * The state of the repository's tests. `none`: nobody has tried them. `ran`: nobody has set them up, but they ran in
 * the checks of a change.
 */
export interface SetupLine {
  readonly outcome: 'good' | 'degraded' | 'ran' | 'none';
  readonly detail: string;
  readonly action: string | null;
}

/**
 * The state of one workspace folder. Its size is limited, even for large repositories: long lists are requested page by
 * page (`selfware/opportunities`).
 */
export interface SidebarState {
  readonly rootName: string;
  /** URI of the workspace folder that this state describes; '' if there is none. */
  readonly folder: string;
  /** All folders of the workspace if there are several, otherwise none. */
  readonly folders: readonly FolderState[];
  readonly trusted: boolean;
  readonly activity: Activity;
  /** True if the person has paused indexing; nothing is indexed until it is resumed. */
  readonly indexingPaused: boolean;
  readonly git: { readonly branch: string | null; readonly head: string | null } | null;
  readonly index: {
    readonly files: number;
    readonly symbols: number;
    readonly chunks: number;
    readonly tokens: number;
    readonly budgetTokens: number;
    readonly store: 'lancedb' | 'lexical';
    readonly embedder: string;
    readonly skipped: number;
    readonly seconds: number;
  } | null;
  /** `finishing`: all files are in the index, and the remaining work has no count. */
  readonly progress: {
    readonly message: string;
    readonly done: number;
    readonly total: number | null;
    readonly finishing?: true;
  } | null;
  /** The state of the repository's own tests, according to the last try. */
  readonly setup?: SetupLine;
  readonly memory: readonly LayerState[];
  readonly points: PointsState | null;
  /** Measurements, oldest first. */
  readonly trend: readonly TrendPoint[];
  readonly opportunityCount: number;
  readonly doable: DoableState;
  /** A number that changes with the list of opportunities; pages that were read with another number are out of date. */
  readonly opportunityRevision: number;
  /** Number of decisions that wait for a person. */
  readonly waiting: number;
  /** Proposals that are being made or verified. */
  readonly making: readonly ProposalState[];
  /** Proposals that wait for a decision, newest first; proposals of the newest unattended run are in its order. */
  readonly pending: readonly ProposalState[];
  /** Applied proposals that were not judged yet. */
  readonly probation: readonly ProposalState[];
  /** Changes that failed their probation and could not be rolled back: a person must decide. */
  readonly conflicted: readonly ProposalState[];
  readonly checkpoints: readonly CheckpointState[];
  /** Number of kept changes that are not committed yet. */
  readonly uncommitted: number;
  /** Number of dismissed opportunities, which can be brought back. */
  readonly dismissed: number;
  /** The newest lessons, and the number of all. */
  readonly learned: { readonly total: number; readonly lessons: readonly LessonState[] };
  /** Tools, commands and skills that are proposed to the person; undefined if there are none. */
  readonly inbox?: readonly InboxEntry[];
  /** Files of rules in the repository that wait for a decision; undefined if there are none. */
  readonly brought?: readonly RuleFileEntry[];
  /** Rules of agents that wait for a decision; undefined if there are none. */
  readonly rules?: readonly RuleEntry[];
  /** The requests of the person in words that wait; undefined if there are none. */
  readonly requests?: readonly RequestState[];
  /** Tasks about which no model or agent is asked until the person acts; undefined if there are none. */
  readonly waitingTasks?: readonly WaitingTask[];
  /** Further requests and tasks, which are in neither list; undefined if there are none. */
  readonly furtherRequests?: FurtherRequests;
  readonly charter: CharterState;
  /** The newest unattended run; undefined if there was none. */
  readonly night?: NightSummary;
  /** Events, newest first. */
  readonly events: readonly EventState[];
  readonly notices: readonly NoticeState[];
}
