// The one façade of the core. Language server and command line know this and the model, nothing deeper.

import type { FunctionExplanation } from './analysis/metrics/explain.ts';
import type { GraphAnswer, GraphRequest } from './graphQuestions.ts';
import type { SelfModel } from './memory/selfModel.ts';
import type { Checkpoint, Dismissal, FunctionMetrics, Notice, Opportunity, Points, Proposal, Skipped, SymbolInfo } from './model.ts';
import type { LedgerVerification, StoredEvent } from './ports.ts';
import type { PriorityExplanation } from './prioritise/explainPriority.ts';
import type { BaselineReport, DismissRequest, SeenOpportunities } from './seen.ts';

/** Counts never go back; `total` null = not known yet. */
export interface Progress {
  readonly stage: 'walking' | 'reading' | 'indexing' | 'storing' | 'learning' | 'analysing' | 'relating' | 'realising' | 'verifying' | 'applying';
  readonly done: number;
  readonly total: number | null;
  readonly message: string;
}

export type Report = (progress: Progress) => void;

/** What every long operation takes. */
export interface Operation {
  readonly signal: AbortSignal;
  readonly report?: Report;
}

export interface IndexReport {
  readonly files: number;
  readonly symbols: number;
  readonly chunks: number;
  /** Tokens that the packed semantic memory takes, at most `budgetTokens`. */
  readonly tokens: number;
  readonly budgetTokens: number;
  readonly embedded: number;
  readonly reused: number;
  readonly skipped: readonly Skipped[];
  readonly seconds: number;
  /** Until everything could be searched, if only as windows of lines. */
  readonly searchableSeconds: number;
  readonly peakRssMb: number;
  /** Of the whole tree as indexed; null for an empty one. */
  readonly treeHash: string | null;
  readonly store: 'lancedb' | 'lexical';
  readonly embedder: string;
  readonly notices: readonly Notice[];
}

export interface AnalysisReport {
  readonly files: number;
  /** Files that were worked on; the others are as they were. */
  readonly analysed: number;
  readonly reused: number;
  readonly skipped: readonly Skipped[];
  readonly seconds: number;
  readonly peakRssMb: number;
  /** Of the whole tree as analysed; null for an empty one. */
  readonly treeHash: string | null;
}

/** Of one text. */
export interface TextAnalysis {
  readonly functions: readonly FunctionMetrics[];
  readonly opportunities: readonly Opportunity[];
}

export interface FixedText {
  readonly text: string;
  /** A title for each fix; empty when there was nothing to do. */
  readonly fixed: readonly string[];
}

export interface SearchHit {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string | null;
  readonly score: number;
  readonly resolution: 'body' | 'signature' | 'name';
}

/** S0.3–4. */
export type TaskType = 'SelfImprovement' | 'CodeAnalysis' | 'Debugging' | 'Conversation' | 'CodeGeneration' | 'Refactoring' | 'Learning';

export interface ContextPack {
  readonly tokens: number;
  readonly budgetTokens: number;
  /** tokens ÷ budgetTokens, 0–1. */
  readonly utilisation: number;
  readonly layers: Readonly<Record<'working' | 'episodic' | 'semantic' | 'reserve', LayerUse>>;
  /** A path that ends with `/` stands for the files below it, in a window too small to name them. */
  readonly items: readonly { readonly path: string; readonly symbol: string | null; readonly resolution: 'body' | 'signature' | 'name'; readonly tokens: number; readonly layer?: 'working' }[];
  /** What was said, the task, and what came back to mind. */
  readonly notes?: readonly { readonly layer: 'working' | 'episodic'; readonly id: string | null; readonly label: string; readonly text: string; readonly tokens: number }[];
  /** How well the room was used: worth of what is shown, and the most that any choice could reach. */
  readonly quality?: { readonly value: number; readonly bound: number };
}

/** Tokens are at most `budget` + `borrowed`; what a layer lent, it did not need. */
export interface LayerUse {
  readonly tokens: number;
  /** Share of the window that the layer is guaranteed. */
  readonly budget: number;
  readonly lent?: number;
  readonly borrowed?: number;
  /** Tokens that the layer would hold with room for everything. */
  readonly wanted?: number;
}

export interface ProposeRequest extends Operation {
  /** Realise this one; without it the best that a recipe can realise and that was not refused before. */
  readonly opportunity?: string;
}

export type ProposeOutcome =
  | { readonly proposal: Proposal; readonly tried: readonly { readonly opportunity: string; readonly refused: string }[] }
  | { readonly proposal: null; readonly tried: readonly { readonly opportunity: string; readonly refused: string }[] };

export type ApprovalLevel = 'strict' | 'moderate' | 'minimal';

export interface ApplyRequest extends Operation {
  readonly proposal: string;
  /** Indices into `hunksOf(proposal)`; without it all. A part is verified again before it is written. */
  readonly hunks?: readonly number[];
  readonly by: 'person' | 'charter';
}

export interface ImproveRequest extends Operation {
  readonly opportunity?: string;
  readonly cycles: number;
  readonly dryRun: boolean;
  readonly approval: ApprovalLevel;
  readonly maxChanges: number;
  /** Asked for each verified proposal that the charter does not let through by itself. */
  readonly decide: (proposal: Proposal) => Promise<{ readonly verdict: 'approved' | 'rejected' | 'deferred'; readonly reason: string | null; readonly hunks?: readonly number[] }>;
  readonly onEvent?: (event: CycleEvent) => void;
}

export type CycleEvent =
  | { readonly type: 'cycleStarted'; readonly cycle: number }
  | { readonly type: 'opportunityRefused'; readonly opportunity: string; readonly reason: string }
  | { readonly type: 'proposed'; readonly proposal: Proposal }
  | { readonly type: 'verified'; readonly proposal: Proposal }
  | { readonly type: 'refused'; readonly proposal: Proposal }
  | { readonly type: 'decided'; readonly proposal: string; readonly verdict: 'approved' | 'rejected' | 'deferred'; readonly by: 'person' | 'charter' }
  | { readonly type: 'applied'; readonly proposal: Proposal; readonly checkpoint: Checkpoint }
  | { readonly type: 'stopped'; readonly reason: string };

export interface ImproveSummary {
  readonly cycles: number;
  readonly proposed: number;
  readonly verified: number;
  readonly refused: number;
  readonly applied: number;
  readonly kept: number;
  readonly rolledBack: number;
  readonly pointsBefore: Points | null;
  readonly pointsAfter: Points | null;
  readonly seconds: number;
}

export interface Status {
  readonly rootDir: string;
  readonly state: 'idle' | 'indexing' | 'analysing' | 'proposing' | 'verifying' | 'applying' | 'stopped';
  readonly trusted: boolean;
  readonly git: { readonly head: string | null; readonly branch: string | null } | null;
  readonly index: IndexReport | null;
  readonly layers: ContextPack['layers'] | null;
  readonly points: Points | null;
  readonly opportunities: Readonly<Record<string, number>>;
  readonly pending: readonly Proposal[];
  readonly checkpoints: readonly Checkpoint[];
  readonly charter: { readonly approval: ApprovalLevel; readonly changesUsed: number; readonly changesAllowed: number; readonly stopped: boolean };
  readonly notices: readonly Notice[];
}

export type SessionEvent =
  /** Something that `status()` shows has changed. */
  | { readonly type: 'status' }
  | { readonly type: 'progress'; readonly progress: Progress }
  /** Paths whose opportunities changed; null = any. */
  | { readonly type: 'opportunities'; readonly paths: readonly string[] | null }
  | { readonly type: 'notice'; readonly notice: Notice };

export interface Finding {
  readonly name: string;
  readonly outcome: 'good' | 'degraded' | 'bad';
  readonly detail: string;
  readonly action: string | null;
}

/** One repository, one session. Long operations queue; each is cancellable; all reject with SelfwareError. */
export interface Session {
  /** Recovers the journal, sweeps sandboxes, opens the stores. Call once, first. */
  open(operation: Operation): Promise<readonly Notice[]>;
  subscribe(listener: (event: SessionEvent) => void): () => void;

  index(operation: Operation): Promise<IndexReport>;
  /** Files that were saved or deleted, by path: can be searched a moment later. Indexes everything where that is needed. */
  update(paths: readonly string[], operation: Operation): Promise<IndexReport>;
  search(query: string, top: number, signal: AbortSignal): Promise<readonly SearchHit[]>;
  /** Compacts what is stored; for when nothing else is going on. */
  tidyUp(operation: Operation): Promise<void>;
  /** Definitions by name, as a person types them; best first. */
  symbols(query: string, limit: number): Promise<readonly { readonly path: string; readonly symbol: SymbolInfo }[]>;
  context(request: { readonly task: string; readonly taskType: TaskType; readonly budget?: number; readonly activeFiles?: readonly string[] }, signal: AbortSignal): Promise<ContextPack>;

  /** Who depends on what, as the tree was when the session last looked; `index` is not needed. */
  graph(request: GraphRequest, signal: AbortSignal): Promise<GraphAnswer>;
  /** A file was opened or saved by the person: it belongs to what is being worked on. Unknown paths are passed over. */
  lookAt(path: string): void;
  /** Writes into the ledger what a person or an agent wants recalled when it has to do with a task. Throws `usage` for an empty text. */
  remember(note: { readonly text: string; readonly tier: 'critical' | 'high' | 'normal' | 'low' }): Promise<void>;
  /** A pack as the text that goes to a model; never more tokens than the pack says. */
  render(pack: ContextPack, signal: AbortSignal): Promise<string>;
  /** The repository as it is, for whoever comes new to it. Uses the index. */
  model(signal: AbortSignal): Promise<SelfModel>;

  /** Brings the analysis up to date, of these files or of everything; `index` is not needed. */
  analyse(operation: Operation, paths?: readonly string[]): Promise<AnalysisReport>;
  /** All, or of these paths; best first. As last analysed; `analyse` first when it is stale. */
  opportunities(paths?: readonly string[]): Promise<readonly Opportunity[]>;
  /** The same with what is hidden, and by what. */
  seenOpportunities(paths?: readonly string[]): Promise<SeenOpportunities>;
  /** Why each has its rank: the factors and a sentence. */
  explainRanks(opportunities: readonly Opportunity[]): Promise<readonly PriorityExplanation[]>;
  /** Not shown and not proposed any more; teaches how sure the rule is. Throws `notFound`, `usage` for `other` without a reason. */
  dismiss(request: DismissRequest): Promise<Dismissal>;
  /** Takes a dismissal back, and what it taught. Throws `notFound`. */
  undismiss(opportunity: string): Promise<void>;
  /** Those in force, oldest first. */
  dismissals(): Promise<readonly Dismissal[]>;
  /** The file of opportunities that a team has accepted. Writes it, except for `show`. Throws `notFound`, `illegalStep`, `damaged`, `untrusted`. */
  baseline(action: 'create' | 'update' | 'remove' | 'show', options?: { readonly force?: boolean }): Promise<BaselineReport | null>;
  /** Of an unsaved text. */
  analyseText(path: string, text: string, signal: AbortSignal): Promise<TextAnalysis>;
  /** Of a text that is being typed: in milliseconds, without what only the checker tells (`CHECKED_RULES`). */
  glance(path: string, text: string, signal: AbortSignal): Promise<TextAnalysis>;
  /** The function at a place (1-based) of an unsaved text, with where each point of its complexity comes from. Null where nothing tells. */
  explainFunction(path: string, text: string, at: { readonly line: number; readonly column: number }, signal: AbortSignal): Promise<FunctionExplanation | null>;
  /** All that a recipe may do to a text alone; nothing is written. Throws `untrusted`, `forbidden`, `illegalStep`. */
  fixText(path: string, text: string, signal: AbortSignal): Promise<FixedText>;
  /** Files that differ from the last commit, new ones included. */
  changedPaths(): Promise<readonly string[]>;
  metrics(paths?: readonly string[]): Promise<readonly FunctionMetrics[]>;
  score(): Promise<Points>;

  propose(request: ProposeRequest): Promise<ProposeOutcome>;
  /** Runs the gates; the proposal ends verified or refused. */
  verify(proposal: string, operation: Operation): Promise<Proposal>;
  proposals(): Promise<readonly Proposal[]>;
  proposal(id: string): Promise<Proposal>;
  decide(decision: { readonly proposal: string; readonly verdict: 'approved' | 'rejected' | 'deferred'; readonly by: 'person' | 'charter'; readonly reason: string | null }): Promise<Proposal>;
  apply(request: ApplyRequest): Promise<{ readonly proposal: Proposal; readonly checkpoint: Checkpoint }>;
  improve(request: ImproveRequest): Promise<ImproveSummary>;

  checkpoints(): Promise<readonly Checkpoint[]>;
  rollback(checkpoint: string, operation: Operation): Promise<Checkpoint>;
  /** Forgets checkpoints beyond the newest `keep`; returns their ids. */
  pruneCheckpoints(keep: number): Promise<readonly string[]>;

  ledger(query: { readonly types?: readonly string[]; readonly limit?: number; readonly newestFirst?: boolean }): Promise<readonly StoredEvent[]>;
  verifyLedger(): Promise<LedgerVerification>;

  status(): Promise<Status>;
  /** Kill switch: cancels what runs and refuses to apply until `resume`. Survives a restart. */
  stop(): Promise<void>;
  resume(): Promise<void>;
  doctor(signal: AbortSignal): Promise<readonly Finding[]>;
  close(): Promise<void>;
}

