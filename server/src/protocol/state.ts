// What the sidebar and the status bar show. The server computes it, and the page renders it unchanged.

import type { StrengthState } from './strength.ts';

export interface PointsState {
  readonly total: number;
  readonly max: number;
  readonly rulerVersion: string;
  readonly categories: readonly CategoryState[];
}

export interface CategoryState {
  readonly name: string;
  readonly label: string;
  /** Null = nothing of it was measured. */
  readonly points: number | null;
  readonly max: number;
  /** What it consists of. `said`: what was counted, or, where it was not measured (points null), what it needs. */
  readonly inputs: readonly {
    readonly name: string;
    readonly points: number | null;
    readonly max: number;
    readonly said: string;
  }[];
  /** Files that cost most of it, dearest first. */
  readonly places: readonly CostState[];
}

/** A file that costs points: where in it to look first, and what can be done about it. */
export interface CostState {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly symbol: string | null;
  readonly points: number;
  readonly input: string;
  readonly said: string;
  readonly improvement: { readonly opportunity: string; readonly message: string } | null;
}

/** A measurement of the points on the ruler of today. */
export interface TrendPoint {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** As measured; from one to the next, it moves by the sum of `moved`. */
  readonly total: number;
  /** What lies between this measurement and the one before, or null for the first. */
  readonly cause: string | null;
  /** By category, where it moved. */
  readonly moved: readonly { readonly label: string; readonly delta: number }[];
}

export interface OpportunityState {
  readonly id: string;
  readonly rule: string;
  readonly message: string;
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly severity: 'hint' | 'information' | 'warning';
  readonly impact: number;
  readonly fixable: boolean;
  /** Why improving leaves it alone unless it is asked for again: turned down before, by whom, since when. */
  readonly turnedDown?: string;
  /** Of a rule that says nothing unless somebody wants it. */
  readonly quiet?: true;
}

export interface ProposalState extends StrengthState {
  readonly id: string;
  readonly title: string;
  /** Why it is proposed. */
  readonly rationale: string;
  readonly status: string;
  /** The first few; `pathCount` says how many there are. */
  readonly paths: readonly string[];
  readonly pathCount: number;
  readonly pointsDelta: number | null;
  /** How many gates said what. */
  readonly gates: { readonly passed: number; readonly failed: number; readonly unknown: number };
  readonly reason: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The way back, once it is applied. */
  readonly checkpoint: string | null;
}

export interface CheckpointState {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly paths: readonly string[];
  readonly pathCount: number;
  readonly rolledBack: boolean;
  /**
   * What became of the change (`undone`: it was kept, and the files no longer hold it); null where nothing is known of
   * it.
   */
  readonly fate: 'probation' | 'conflicted' | 'kept' | 'undone' | 'committed' | 'rolledBack' | null;
  readonly proposal: string | null;
}

export interface NoticeState {
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly action: string | null;
}

/** One line of the ledger, in words. */
export interface EventState {
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly type: string;
  readonly text: string;
}

export interface CharterState {
  readonly approval: string;
  readonly changesUsed: number;
  readonly changesAllowed: number;
  /** Patterns of files that no proposal may touch: the built-in ones, and those of the settings. */
  readonly builtInPaths: number;
  readonly ownPaths: number;
}

/** What can be done here, as every face of the server says it. */
export interface DoableState {
  /** False until the whole repository has been analysed once. */
  readonly analysed: boolean;
  /** Opportunities behind the default filter. */
  readonly quiet: number;
  readonly canImprove: boolean;
  /** What improving would do, or why it would do nothing. */
  readonly improve: string;
  /** In the place of an empty list. */
  readonly empty: string;
  /** How much more there is than is shown; null where that is all. */
  readonly more: string | null;
  /** Said where few rules apply; null where most do. */
  readonly language: string | null;
  readonly barrier: 'untrusted' | 'notARepository' | 'noCommit' | null;
}

/** A folder of the workspace. */
export interface FolderState {
  readonly uri: string;
  readonly name: string;
  /** Decisions that wait for a person in it; null = not known (yet). */
  readonly waiting: number | null;
}

export type Activity = 'idle' | 'indexing' | 'analysing' | 'proposing' | 'verifying' | 'applying' | 'stopped';

/** Bounded, whatever the size of the repository: what is long is asked for page by page (`selfware/opportunities`). */
/** `tokens` are at most `budget`, the layer's share, and what it borrowed beyond it. What it lent, it did not need. */
export interface LayerState {
  readonly layer: 'working' | 'episodic' | 'semantic' | 'reserve';
  readonly tokens: number;
  readonly budget: number;
  readonly borrowed?: number;
  readonly lent?: number;
}

/** `none`: never tried. */
export interface SetupLine {
  readonly outcome: 'good' | 'degraded' | 'none';
  readonly detail: string;
  readonly action: string | null;
}

export interface SidebarState {
  readonly rootName: string;
  /** URI of the workspace folder that all this is about; '' without one. */
  readonly folder: string;
  /** All folders of the workspace where there are several, else none. */
  readonly folders: readonly FolderState[];
  readonly trusted: boolean;
  readonly activity: Activity;
  /** By the person; nothing is indexed until it is resumed. */
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
  /** `finishing`: all files are in the index, and what is left of the work has no count. */
  readonly progress: {
    readonly message: string;
    readonly done: number;
    readonly total: number | null;
    readonly finishing?: true;
  } | null;
  /** Whether the repository's own tests run here, as it was last tried. */
  readonly setup?: SetupLine;
  readonly memory: readonly LayerState[];
  readonly points: PointsState | null;
  /** Oldest first. */
  readonly trend: readonly TrendPoint[];
  readonly opportunityCount: number;
  readonly doable: DoableState;
  /** Another number means another list: pages that were read before are out of date. */
  readonly opportunityRevision: number;
  /** Decisions that wait for a person. */
  readonly waiting: number;
  /** Being made or verified. */
  readonly making: readonly ProposalState[];
  /** Wait for a decision, newest first. */
  readonly pending: readonly ProposalState[];
  /** Applied, not judged yet. */
  readonly probation: readonly ProposalState[];
  /** Failed their probation and could not be rolled back: a person has to say what holds. */
  readonly conflicted: readonly ProposalState[];
  readonly checkpoints: readonly CheckpointState[];
  /** Kept changes that are in no commit yet. */
  readonly uncommitted: number;
  /** Opportunities that were dismissed and can be brought back. */
  readonly dismissed: number;
  readonly charter: CharterState;
  /** Newest first. */
  readonly events: readonly EventState[];
  readonly notices: readonly NoticeState[];
}
