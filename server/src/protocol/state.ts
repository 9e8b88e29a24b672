// What the sidebar and the status bar show. Computed by the server, rendered as it comes.

export interface PointsState {
  readonly total: number;
  readonly max: number;
  readonly rulerVersion: string;
  /** points null = unknown. */
  readonly categories: readonly { readonly name: string; readonly label: string; readonly points: number | null; readonly max: number }[];
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
}

export interface ProposalState {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly paths: readonly string[];
  readonly pointsDelta: number | null;
  readonly reason: string | null;
}

export interface CheckpointState {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly paths: readonly string[];
  readonly rolledBack: boolean;
}

export interface NoticeState {
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly action: string | null;
}

export type Activity = 'idle' | 'indexing' | 'analysing' | 'proposing' | 'verifying' | 'applying' | 'stopped';

export interface SidebarState {
  readonly rootName: string;
  readonly trusted: boolean;
  readonly activity: Activity;
  readonly git: { readonly branch: string | null; readonly head: string | null } | null;
  readonly index: { readonly files: number; readonly symbols: number; readonly chunks: number; readonly tokens: number; readonly budgetTokens: number; readonly store: 'lancedb' | 'lexical'; readonly embedder: string; readonly skipped: number; readonly seconds: number } | null;
  readonly progress: { readonly message: string; readonly done: number; readonly total: number | null } | null;
  readonly memory: readonly { readonly layer: 'working' | 'episodic' | 'semantic' | 'reserve'; readonly tokens: number; readonly budget: number }[];
  readonly points: PointsState | null;
  readonly opportunityCount: number;
  /** The best ones, at most 200. */
  readonly opportunities: readonly OpportunityState[];
  readonly pending: readonly ProposalState[];
  readonly checkpoints: readonly CheckpointState[];
  readonly changesUsed: number;
  readonly changesAllowed: number;
  readonly approval: string;
  readonly notices: readonly NoticeState[];
}
