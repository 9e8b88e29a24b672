// The one façade of the core. Language server and command line know this and the model, nothing deeper.

import type { Setup } from './setup/setup.ts';
import type { ContextPack, TaskType } from './memory/contextPack.ts';
import type { ImproveRequest, ImproveSummary } from './session/cycleEvents.ts';
import type { FunctionExplanation } from './analysis/metrics/explain.ts';
import type { AskNextOutcome, AskNextRequest, AskOutcome, AskRequest } from './session/ask/askTypes.ts';
import type { BroughtEdits, ProposeOutcome, ProposeRequest } from './session/propose/requests.ts';
import type { ChangeProof, CommitReport, CommitRequest } from './session/apply/keptChanges.ts';
import type { GraphAnswer, GraphRequest } from './index/graph/questions.ts';
import type { SelfModel } from './memory/selfModel.ts';
import type {
  Checkpoint,
  Dismissal,
  FunctionMetrics,
  Notice,
  Opportunity,
  Points,
  Proposal,
  Skipped,
  SymbolInfo,
} from './model.ts';
import type { Author } from './model/authors.ts';
import type { Judged } from './model/judgement.ts';
import type { Cost } from './proposers/cost.ts';
import type { AvailableProposer } from './ports/proposers.ts';
import type { PassedOver } from './model/passedOver.ts';
import type { PriorityExplanation } from './prioritise/explainPriority.ts';
import type {
  BaselineReport,
  DismissRequest,
  Doable,
  FoundByRules,
  LintReport,
  SeenOpportunities,
} from './session/look/seen.ts';
import type { Progress, Operation } from './operation.ts';
import type { SearchHit } from './index/search/hit.ts';
import type { ApprovalLevel } from './charter/approvalLevel.ts';
import type { JudgeRequest } from './verify/judge/request.ts';
import type { LedgerVerification, StoredEvent } from './ports/ledger.ts';

export interface IndexReport {
  readonly files: number;
  readonly symbols: number;
  readonly chunks: number;
  /** Tokens that the packed semantic memory takes, at most `budgetTokens`. */
  readonly tokens: number;
  readonly budgetTokens: number;
  /** Of `budgetTokens`: what other layers lend to semantic memory, beyond its own share. */
  readonly borrowedTokens: number;
  readonly embedded: number;
  readonly reused: number;
  readonly skipped: readonly Skipped[];
  readonly seconds: number;
  /** Until everything could be searched, if only as it is on disk. */
  readonly searchableSeconds: number;
  readonly peakRssMb: number;
  /** Of the whole tree as indexed; null for an empty one. */
  readonly treeHash: string | null;
  readonly store: 'lancedb' | 'lexical';
  readonly embedder: string;
  /** Another process was writing: what stood there at that moment was read. */
  readonly otherWrites?: true;
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

export interface ApplyRequest extends Operation {
  readonly proposal: string;
  /**
   * Indices into `hunksOf(proposal)`; without it all. A part is verified again before it is written, and so are whole
   * `texts` of its files that a person has corrected.
   */
  readonly hunks?: readonly number[];
  readonly texts?: readonly { readonly path: string; readonly after: string }[];
  readonly by: 'person' | 'charter';
}

export interface Status {
  readonly rootDir: string;
  readonly state: 'idle' | 'indexing' | 'analysing' | 'proposing' | 'verifying' | 'applying' | 'stopped';
  readonly trusted: boolean;
  readonly git: { readonly head: string | null; readonly branch: string | null } | null;
  readonly index: IndexReport | null;
  readonly layers: ContextPack['layers'] | null;
  /** With the places that cost most. */
  readonly points: Points | null;
  /** Those shown, by rule. */
  readonly opportunities: Readonly<Record<string, number>>;
  readonly doable: Doable;
  readonly pending: readonly Proposal[];
  readonly checkpoints: readonly Checkpoint[];
  readonly charter: {
    readonly approval: ApprovalLevel;
    readonly changesUsed: number;
    readonly changesAllowed: number;
    readonly stopped: boolean;
  };
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

/** What can be found in the repository. */
export interface Memory {
  index(operation: Operation): Promise<IndexReport>;
  /**
   * Files that were saved or deleted, by path: can be searched a moment later. Indexes everything where that is needed.
   */
  update(paths: readonly string[], operation: Operation): Promise<IndexReport>;
  search(query: string, top: number, signal: AbortSignal): Promise<readonly SearchHit[]>;
  /** Compacts what is stored; for when nothing else is going on. */
  tidyUp(operation: Operation): Promise<void>;
  /** Definitions by name, as a person types them; best first. */
  symbols(query: string, limit: number): Promise<readonly { readonly path: string; readonly symbol: SymbolInfo }[]>;
  /** Who depends on what, as the tree was when the session last looked; `index` is not needed. */
  graph(request: GraphRequest, signal: AbortSignal): Promise<GraphAnswer>;
  /** What an indexed file holds now; null for any other. */
  text(path: string): Promise<string | null>;
  /** The repository as it is, for whoever comes new to it. Uses the index. */
  model(signal: AbortSignal): Promise<SelfModel>;
}

/** What somebody who works on a task is given, and leaves behind. */
export interface Tasks {
  context(
    request: {
      readonly task: string;
      readonly taskType: TaskType;
      readonly budget?: number;
      readonly activeFiles?: readonly string[];
    },
    signal: AbortSignal,
  ): Promise<ContextPack>;
  /** A pack as the text that goes to a model; never more tokens than the pack says. */
  render(pack: ContextPack, signal: AbortSignal): Promise<string>;
  /** A file was opened or saved by the person: it belongs to what is being worked on. Unknown paths are passed over. */
  lookAt(path: string): void;
  /**
   * Writes into the ledger what a person or an agent wants recalled when it has to do with a task. Throws `usage` for
   * an empty text.
   */
  remember(note: { readonly text: string; readonly tier: 'critical' | 'high' | 'normal' | 'low' }): Promise<void>;
}

/** The repository as a whole, measured. */
export interface Analysis {
  /** Brings the analysis up to date, of these files or of everything; `index` is not needed. */
  analyse(operation: Operation, paths?: readonly string[]): Promise<AnalysisReport>;
  /**
   * What these rules find, all of them about single files (`foundAlone`): no more is done than they need, and the
   * session knows nothing of it afterwards.
   */
  findByRules(rules: readonly string[], operation: Operation): Promise<FoundByRules>;
  /**
   * Runs the repository's linters in a sandbox, on what has changed since they last ran. Throws `untrusted`,
   * `notARepository`, `noCommit`.
   */
  lint(operation: Operation): Promise<LintReport>;
  /** Files that differ from the last commit, new ones included. */
  changedPaths(): Promise<readonly string[]>;
  metrics(paths?: readonly string[]): Promise<readonly FunctionMetrics[]>;
  score(): Promise<Points>;
}

/** Places where the repository could be better. */
export interface Opportunities {
  /** All, or of these paths; best first. As last analysed; `analyse` first when it is stale. */
  shown(paths?: readonly string[]): Promise<readonly Opportunity[]>;
  /** The same with what is hidden, and by what. */
  seen(paths?: readonly string[]): Promise<SeenOpportunities>;
  /** Why each has its rank: the factors and a sentence. */
  explainRanks(opportunities: readonly Opportunity[]): Promise<readonly PriorityExplanation[]>;
  /**
   * Not shown and not proposed any longer; teaches how sure the rule is. Throws `notFound`, `usage` for `other` without
   * a reason.
   */
  dismiss(request: DismissRequest): Promise<Dismissal>;
  /** Takes a dismissal back, and what it taught. Throws `notFound`. */
  undismiss(opportunity: string): Promise<void>;
  /** Of these what a person or a check turned down before, by id: it is not tried unless asked for by itself. */
  turnedDown(opportunities: readonly Opportunity[]): Promise<ReadonlyMap<string, PassedOver>>;
  /** Those in force, oldest first. */
  dismissals(): Promise<readonly Dismissal[]>;
  /**
   * The file of opportunities that a team has accepted. Writes it, except for `show`. Throws `notFound`, `illegalStep`,
   * `damaged`, `untrusted`.
   */
  baseline(
    action: 'create' | 'update' | 'remove' | 'show',
    options?: { readonly force?: boolean },
  ): Promise<BaselineReport | null>;
}

/** One text as it is in an editor, saved or not. */
export interface Texts {
  /** Of an unsaved text. */
  analyse(path: string, text: string, signal: AbortSignal): Promise<TextAnalysis>;
  /** Of a text that is being typed: in milliseconds, without what only the checker tells (`CHECKED_RULES`). */
  glance(path: string, text: string, signal: AbortSignal): Promise<TextAnalysis>;
  /**
   * The function at a place (1-based) of an unsaved text, with where each point of its complexity comes from. Null
   * where nothing tells.
   */
  explain(
    path: string,
    text: string,
    at: { readonly line: number; readonly column: number },
    signal: AbortSignal,
  ): Promise<FunctionExplanation | null>;
  /** All that a recipe may do to a text alone; nothing is written. Throws `untrusted`, `forbidden`, `illegalStep`. */
  fix(path: string, text: string, signal: AbortSignal): Promise<FixedText>;
}

/** Changes before they are made. */
export interface Proposals {
  propose(request: ProposeRequest): Promise<ProposeOutcome>;
  /**
   * Files edits from outside as a proposal, to be verified like all others. Throws `usage`, `stale`, `forbidden`,
   * `conflict`, `untrusted`.
   */
  proposeEdits(edits: BroughtEdits, operation: Operation): Promise<Proposal>;
  /**
   * The same for a change by name or by search and replace (TransformRequest), unchecked as it came. Throws `usage`
   * with the reason where it cannot be made.
   */
  proposeTransform(request: unknown, operation: Operation, author?: Author): Promise<Proposal>;
  /** Asks a proposer once and files what it answers; nothing is verified. Throws `untrusted`, `usage`, `notFound`. */
  ask(request: AskRequest): Promise<AskOutcome>;
  /** Asks it for the task that is worth most, until a proposal is filed. Throws what `ask` throws. */
  askNext(request: AskNextRequest): Promise<AskNextOutcome>;
  /** What it cost to ask for a proposal; null = nobody was asked. */
  cost(proposal: string): Promise<Cost | null>;
  /** A person has agreed that code goes to this host; it is recorded. */
  consent(destination: string): Promise<void>;
  /** The host that code would go to and that nobody has agreed to yet; null = one may ask. Throws `usage`. */
  consentNeeded(proposer: string): Promise<string | null>;
  /** Proposers that are there. Contacts servers on this machine; only for a person who asks. */
  proposers(signal: AbortSignal): Promise<readonly AvailableProposer[]>;
  all(): Promise<readonly Proposal[]>;
  get(id: string): Promise<Proposal>;
  decide(decision: {
    readonly proposal: string;
    readonly verdict: 'approved' | 'rejected' | 'deferred';
    readonly by: 'person' | 'charter';
    readonly reason: string | null;
  }): Promise<Proposal>;
  /**
   * Why `apply` by the charter alone would be refused, for this proposal or for want of isolation, in a sentence for a
   * person; null if it would not. Throws `notFound`.
   */
  reasonToAsk(proposal: string): Promise<string | null>;
}

/** Proof that a change makes the repository better and breaks nothing. */
export interface Verification {
  /**
   * Runs the gates; the proposal ends verified or refused, or, unless a person waits for it (`atOnce`), deferred on a
   * busy machine.
   */
  verify(proposal: string, operation: Operation, how?: { readonly atOnce?: boolean }): Promise<Proposal>;
  /**
   * Verifies what is left of proposals of which some hunks were applied, and gives way to whatever else is asked for
   * meanwhile.
   */
  verifyRemaining(operation: Operation): Promise<readonly Proposal[]>;
  /**
   * Runs the gates of a kept change again, from its receipt or an exported one, which may come from another clone
   * (`change` null). Throws `notFound`, `untrusted`.
   */
  verifyChange(change: string | null, exported: string | null, operation: Operation): Promise<ChangeProof>;
  /** Judges a change that anybody has made to the tree of this session; writes nothing. Throws `untrusted`. */
  judge(request: JudgeRequest): Promise<Judged>;
  /** Whether what runs in the sandbox is kept from this machine. */
  confined(): Promise<boolean>;
}

/** Changes that are made, and the way back. */
export interface Changes {
  /** `rest`: what is left of a proposal of which some hunks were applied; `verifyRemaining` verifies it. */
  apply(
    request: ApplyRequest,
  ): Promise<{ readonly proposal: Proposal; readonly checkpoint: Checkpoint; readonly rest: Proposal | null }>;
  /**
   * Judges changes that a killed or cancelled process has left in probation, oldest first: types and tests may take
   * minutes. Throws `locked`.
   */
  judge(operation: Operation): Promise<readonly Proposal[]>;
  /**
   * Keeps a change in probation, or one that failed it and could not be rolled back. Throws `notFound`, `illegalStep`.
   */
  keep(proposal: string, reason: string | null): Promise<Proposal>;
  /**
   * Kept changes as commits on a branch, one each; never pushed. Throws `untrusted`, `usage`, `notFound`,
   * `illegalStep`, `forbidden`, `stale`.
   */
  commit(request: CommitRequest): Promise<CommitReport>;
  checkpoints(): Promise<readonly Checkpoint[]>;
  rollback(checkpoint: string, operation: Operation): Promise<Checkpoint>;
  /** Forgets checkpoints beyond the newest `keep`; returns their ids. */
  pruneCheckpoints(keep: number): Promise<readonly string[]>;
}

/** What has happened. */
export interface LedgerSection {
  query(query: {
    readonly types?: readonly string[];
    readonly limit?: number;
    readonly newestFirst?: boolean;
  }): Promise<readonly StoredEvent[]>;
  verify(): Promise<LedgerVerification>;
  /** The receipt of a kept change with all that it names, as one JSON text. Throws `notFound`, `damaged`. */
  receipt(change: string): Promise<string>;
}

/** One repository, one session. Long operations queue; each is cancellable; all reject with SelfwareError. */
export interface Session {
  /** Recovers the journal, sweeps sandboxes, opens the stores. Call once, first. */
  open(operation: Operation): Promise<readonly Notice[]>;
  subscribe(listener: (event: SessionEvent) => void): () => void;

  readonly memory: Memory;
  readonly tasks: Tasks;
  readonly analysis: Analysis;
  readonly opportunities: Opportunities;
  readonly texts: Texts;
  readonly proposals: Proposals;
  readonly setup: Setup;
  readonly verification: Verification;
  readonly changes: Changes;
  readonly ledger: LedgerSection;

  improve(request: ImproveRequest): Promise<ImproveSummary>;
  status(): Promise<Status>;
  /** Kill switch: cancels what runs and refuses to apply until `resume`. Survives a restart. */
  stop(): Promise<void>;
  resume(): Promise<void>;
  doctor(signal: AbortSignal): Promise<readonly Finding[]>;
  close(): Promise<void>;
}
