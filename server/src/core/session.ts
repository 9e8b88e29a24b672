// The façade of the core: operations of an open repository. Types and pure functions are imported directly.

import type { Dependencies, Setup } from './setup/setup.ts';
import type { ContextPack } from './memory/contextPack.ts';
import type { ImproveRequest, ImproveSummary } from './session/cycleEvents.ts';
import type { Consents, Research } from './session/ask/askTypes.ts';
import type { FailedTasks, Questions } from './session/ask/sections/sectionTypes.ts';
import type { DeferredRequest, ExternalEdits, ProposeOutcome, ProposeRequest } from './session/propose/requests.ts';
import type { RatePause } from './model/capabilities.ts';
import type { AppliedProposal, AppliedOrNot, CheckedRemaining } from './session/apply/applyResults.ts';
import type { ChangeProof, CommitReport, CommitRequest } from './session/apply/keptChanges.ts';
import type { LearnedRecipes } from './session/recipes/recipeTypes.ts';
import type { GraphResult, GraphQuery } from './index/graph/queryTypes.ts';
import type { SelfModel } from './memory/selfModel.ts';
import type {
  Checkpoint,
  Dismissal,
  FileEdit,
  FunctionMetrics,
  Notice,
  Opportunity,
  Points,
  Proposal,
  SymbolInfo,
} from './model.ts';
import type { Author } from './model/authors.ts';
import type { Texts } from './session/propose/texts.ts';
import type { JudgementBeforePolicy } from './model/judgement.ts';
import type { Cost, ShownCode } from './model/asks.ts';
import type { SkippedPlace } from './model/skippedPlaces.ts';
import type { PriorityExplanation } from './prioritise/explainPriority.ts';
import type {
  BaselineReport,
  DismissRequest,
  PossibleWork,
  FoundByRules,
  CounterexampleReport,
  ExampleReport,
  ExamplesRequest,
  HotReport,
  CoverageReport,
  MeasuringRequest,
  UnguardedReport,
  UnguardedRequest,
  LintReport,
  ListedOpportunities,
} from './session/analyse/analysisTypes.ts';
import type { Inbox } from './session/learn/inbox/inboxTypes.ts';
import type { Performance } from './session/learn/performance/performanceTypes.ts';
import type { LearnedSection } from './session/learn/learnTypes.ts';
import type { Training } from './session/training/trainingTypes.ts';
import type { AnalysisReport, IndexReport } from './session/reports.ts';
import type { Progress, Operation } from './operation.ts';
import type { SearchHit } from './index/search/hit.ts';
import type { ApprovalLevel } from './charter/approvalLevel.ts';
import type { CheckedTogether, VerifyOptions } from './verify/checkedTogether.ts';
import type { VerifySideBySide } from './session/verify/sideBySide.ts';
import type { TriedVariant } from './verify/cheats/judgeVariant.ts';
import type { Variant } from './verify/cheats/planCheats.ts';
import type { JudgeRequest } from './verify/judge/judgementRequest.ts';
import type { OtherRepositories } from './session/search/otherRepositories.ts';
import type { Tasks } from './session/search/taskTypes.ts';
import type { LedgerStore, LedgerVerification, StoredEvent } from './ports/ledger.ts';

export type { AnalysisReport, IndexReport };

/** A request to apply a proposal, or a part of it. */
export interface ApplyRequest extends Operation {
  readonly proposal: string;
  /**
   * The hunks to apply, as indices into the hunks that `createHunks` returns for its edits; if absent, all. The result
   * is verified again before it is written if only some hunks are chosen, or if `texts` contains files that a person
   * has corrected.
   */
  readonly hunks?: readonly number[];
  readonly texts?: readonly { readonly path: string; readonly after: string }[];
  readonly by: 'person' | 'charter';
}

/** The state of a session, as the interfaces show it. */
export interface Status {
  readonly rootDir: string;
  readonly state: 'idle' | 'indexing' | 'analysing' | 'searching' | 'proposing' | 'verifying' | 'applying' | 'stopped';
  readonly trusted: boolean;
  readonly git: { readonly head: string | null; readonly branch: string | null } | null;
  readonly index: IndexReport | null;
  readonly layers: ContextPack['layers'] | null;
  /** The points, with the places that cost most; null before the first analysis. */
  readonly points: Points | null;
  /** Shown opportunities, counted by rule. */
  readonly opportunities: Readonly<Record<string, number>>;
  readonly doable: PossibleWork;
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

/** An event that a session sends to its subscribers. */
export type SessionEvent =
  /** Something that `status()` returns has changed. */
  | { readonly type: 'status' }
  | { readonly type: 'progress'; readonly progress: Progress }
  /** Paths of files whose opportunities have changed; null if any file may be affected. */
  | { readonly type: 'opportunities'; readonly paths: readonly string[] | null }
  | { readonly type: 'notice'; readonly notice: Notice };

/**
 * The result of one check of `doctor`: a sentence (`detail`), and the next step for a person (`action`); null if there
 * is none.
 */
export interface DoctorFinding {
  readonly name: string;
  readonly outcome: 'good' | 'degraded' | 'bad';
  readonly detail: string;
  readonly action: string | null;
}

/** Section `memory`: search in the repository, and its structure. */
export interface Memory extends OtherRepositories {
  index(operation: Operation): Promise<IndexReport>;
  /**
   * Updates the index for files that were saved or deleted, so that searches find their current text. Indexes the whole
   * repository if necessary.
   */
  update(paths: readonly string[], operation: Operation): Promise<IndexReport>;
  search(query: string, top: number, signal: AbortSignal): Promise<readonly SearchHit[]>;
  /** Compacts the store; meant for idle time. */
  compact(operation: Operation): Promise<void>;
  /** Definitions by name, as a person types it; best first. */
  symbols(query: string, limit: number): Promise<readonly { readonly path: string; readonly symbol: SymbolInfo }[]>;
  /** Answers queries on dependencies, for the tree as the session last read it. Does not need `index`. */
  graph(request: GraphQuery, signal: AbortSignal): Promise<GraphResult>;
  /** The current text of an indexed file; null for a file that is not indexed. */
  text(path: string): Promise<string | null>;
  /** A description of the repository for newcomers. Uses the index. */
  model(signal: AbortSignal): Promise<SelfModel>;
}

/** Section `analysis`: figures and findings of the whole repository. */
export interface Analysis {
  /** Updates the analysis of these files; if `paths` is absent, of all. Does not need `index`. */
  analyse(operation: Operation, paths?: readonly string[]): Promise<AnalysisReport>;
  /**
   * Finds opportunities by these rules only, which must be about single files (`areSingleFileRules`). Does no more
   * work than they need, and changes nothing in the session.
   */
  findByRules(rules: readonly string[], operation: Operation): Promise<FoundByRules>;
  /**
   * Runs the repository's linters in a sandbox on the files that have changed since their last run. `unasked`: true to
   * run only linters that run no code of the repository, and only for seconds. Throws `untrusted`, `notARepository`,
   * `noCommit`.
   */
  lint(operation: Operation & { readonly unasked?: boolean }): Promise<LintReport>;
  /**
   * Calls exported functions in a sandbox, to find calls that break them. The counterexamples stay opportunities as
   * long as the code is the same. Analyses the repository first. Throws `untrusted`, `notARepository`, `noCommit`, and
   * `forbidden` on a machine without isolation.
   */
  counterexamples(
    request: Operation & { readonly paths: readonly string[]; readonly seconds: number; readonly quick?: boolean },
  ): Promise<CounterexampleReport>;
  /**
   * Runs the examples of the documentation in a sandbox, to find stated results that are wrong. They are opportunities
   * as long as documents and code are the same. Throws the errors of `counterexamples`.
   */
  examples(request: ExamplesRequest): Promise<ExampleReport>;
  /**
   * Finds mistakes in exported functions that no test notices, by mutants and by calls, in a sandbox. They are
   * opportunities while code and tests are the same. `all`: true to also search files in which enough mistakes were
   * already tried, as long as some are untried. Throws the errors of `counterexamples`, and `unavailable` if no test
   * runs.
   */
  unguarded(request: UnguardedRequest): Promise<UnguardedReport>;
  /**
   * Runs the tests or the benchmark in a sandbox under V8's profiler. Findings about speed in functions that take much
   * of the time then contain the measured share. Throws `untrusted`, `notARepository`, `noCommit`, and `unavailable` if
   * nothing runs long enough.
   */
  hot(request: Operation & Pick<HotReport, 'of'>): Promise<HotReport>;
  /**
   * Runs the tests in a sandbox and counts the lines that run, once for each tree. The points and the findings about
   * tests then use the figures. Throws `untrusted`, `notARepository`, `noCommit`, and `unavailable` if coverage cannot
   * be measured.
   */
  coverage(request: MeasuringRequest): Promise<CoverageReport>;
  /** Files that differ from the last commit, including new ones. */
  changedPaths(): Promise<readonly string[]>;
  metrics(paths?: readonly string[]): Promise<readonly FunctionMetrics[]>;
  score(): Promise<Points>;
}

/** Section `opportunities`: places where the repository could be better. */
export interface Opportunities {
  /**
   * The opportunities of the whole repository or of these paths, best first. They come from the last analysis, so
   * `analyse` has to run first if files have changed since.
   */
  shown(paths?: readonly string[]): Promise<readonly Opportunity[]>;
  /** The opportunities that `shown` returns and the hidden ones, with the reason why each of them is hidden. */
  listWithHidden(paths?: readonly string[]): Promise<ListedOpportunities>;
  /** Explains the rank of each opportunity: the factors and a sentence. */
  explainRanks(opportunities: readonly Opportunity[]): Promise<readonly PriorityExplanation[]>;
  /**
   * Hides an opportunity and lowers the confidence in its rule. Throws `notFound`, and `usage` for the kind `other`
   * without a reason.
   */
  dismiss(request: DismissRequest): Promise<Dismissal>;
  /** Undoes a dismissal and its effect on the confidence. Throws `notFound`. */
  undismiss(opportunity: string): Promise<void>;
  /**
   * The opportunities whose change was rejected, refused or rolled back before, by id, with the reason. They are tried
   * again only if somebody names them.
   */
  listTurnedDown(opportunities: readonly Opportunity[]): Promise<ReadonlyMap<string, SkippedPlace>>;
  /** The dismissals in force, oldest first. */
  dismissals(): Promise<readonly Dismissal[]>;
  /**
   * Manages the file of opportunities that a team has accepted. Writes it, except for `show`. Throws `notFound`,
   * `illegalStep`, `damaged`, `untrusted`.
   */
  baseline(
    action: 'create' | 'update' | 'remove' | 'show',
    options?: { readonly force?: boolean },
  ): Promise<BaselineReport | null>;
}

/** Section `proposals`: changes before they are applied. */
export interface Proposals {
  propose(request: ProposeRequest): Promise<ProposeOutcome>;
  /** The proposals that `propose` would verify again because they were deferred on a busy machine. */
  deferredAsBusy(request: DeferredRequest): Promise<readonly Proposal[]>;
  /**
   * Files edits from outside as a proposal, which is verified like any other. Throws `usage`, `stale`, `forbidden`,
   * `conflict`, `untrusted`.
   */
  proposeEdits(edits: ExternalEdits, operation: Operation): Promise<Proposal>;
  /**
   * Files a change that is requested by name or by search and replace (`TransformRequest`). The request is validated
   * here. Throws `usage` with the reason if the change cannot be made.
   */
  proposeTransform(request: unknown, operation: Operation, author?: Author): Promise<Proposal>;
  /** The cost of asking for a proposal; null if no model was asked. */
  cost(proposal: string): Promise<Cost | null>;
  /** The code in the question whose answer became the proposal; null if no question is recorded. */
  shownCode(proposal: string): Promise<ShownCode | null>;
  all(): Promise<readonly Proposal[]>;
  get(id: string): Promise<Proposal>;
  decide(decision: {
    readonly proposal: string;
    readonly verdict: 'approved' | 'rejected' | 'deferred';
    readonly by: 'person' | 'charter';
    readonly reason: string | null;
  }): Promise<Proposal>;
  /**
   * The reason why the charter or missing isolation would prevent applying this proposal without a person, as a
   * sentence; null if nothing would. Throws `notFound`.
   */
  explainNeedToAsk(proposal: string): Promise<string | null>;
}

/** Section `verification`: evidence that a change makes the repository better and breaks nothing. */
export interface Verification {
  /**
   * Runs the gates. Then the proposal is verified or refused, or deferred if the machine is busy and no person waits
   * for the result (`atOnce`).
   */
  verify(proposal: string, operation: Operation, how?: VerifyOptions): Promise<Proposal>;
  /** Runs the gates, for a person who reads the verdicts. A proposal for which only some tests ran stays unverified. */
  preview(proposal: string, operation: Operation): Promise<Proposal>;
  /** True if a preview of the proposal runs many test files. */
  needsManyTests(proposal: Proposal): boolean;
  /**
   * Runs types and tests once on the tree with all proposals. Returns the sets that passed, for `verify` of each
   * member.
   */
  checkTogether(proposals: readonly Proposal[], operation: Operation): Promise<readonly CheckedTogether[]>;
  readonly verifySideBySide: VerifySideBySide;
  /** Verifies the remaining parts of proposals of which some hunks were applied. Other operations take precedence. */
  verifyRemaining(operation: Operation): Promise<readonly Proposal[]>;
  /**
   * Runs the gates of a kept change again, from its receipt, or if `change` is null, from an exported receipt, which
   * may come from another clone. Throws `notFound`, `untrusted`.
   */
  verifyChange(change: string | null, exported: string | null, operation: Operation): Promise<ChangeProof>;
  /**
   * Plans variants of a change, each with one deliberate mistake, at most one of each kind. Runs no code of the
   * repository.
   */
  variants(edits: readonly FileEdit[], operation: Operation): Promise<readonly Variant[]>;
  /**
   * Runs the gates on other edits of a proposal, and files nothing. `escaped`: they pass, and the charter would apply
   * them without a person. Throws `untrusted`, `stale`, `cancelled`.
   */
  tryVariant(proposal: Proposal, edits: readonly FileEdit[], operation: Operation): Promise<TriedVariant>;
  /** Judges a change of any author to the tree of this session; writes nothing. Throws `untrusted`. */
  judge(request: JudgeRequest): Promise<JudgementBeforePolicy>;
  /** True if commands in the sandbox are isolated from this machine. */
  isConfined(): Promise<boolean>;
}

/** Section `changes`: applied changes, and rolling them back. */
export interface Changes {
  /** Applies a proposal. `rest`: the remaining part if only some hunks were applied; `verifyRemaining` verifies it. */
  apply(request: ApplyRequest): Promise<AppliedProposal>;
  /**
   * The exhausted rate limit that now prevents applying a change of a proposer; null if there is none. `proposer` is
   * null for a recipe.
   */
  applyPause(proposer: string | null): Promise<RatePause | null>;
  /**
   * Applies proposals one by one, then judges each in the tree with all of them. Null, and nothing is applied, if
   * types and tests do not pass on that tree. After an error the remaining ones are not tried.
   */
  applyTogether(
    requests: readonly Pick<ApplyRequest, 'proposal' | 'by'>[],
    operation: Operation,
  ): Promise<readonly AppliedOrNot[] | null>;
  /**
   * Judges changes that a killed or cancelled process has left in probation, oldest first. This runs types and tests,
   * which may take minutes. Throws `locked`.
   */
  judge(operation: Operation): Promise<readonly Proposal[]>;
  /**
   * Checks kept changes again if another change that was checked together with them was undone. A failure becomes a
   * notice. `judge` does the same. Throws `cancelled`.
   */
  checkRemaining(operation: Operation): Promise<readonly CheckedRemaining[]>;
  /**
   * Keeps a change in probation, or one that failed probation and could not be rolled back. Throws `notFound`,
   * `illegalStep`.
   */
  keep(proposal: string, reason: string | null): Promise<Proposal>;
  /**
   * Commits kept changes to a branch, one commit each; never pushes. Throws `untrusted`, `usage`, `notFound`,
   * `illegalStep`, `forbidden`, `stale`.
   */
  commit(request: CommitRequest): Promise<CommitReport>;
  checkpoints(): Promise<readonly Checkpoint[]>;
  rollback(checkpoint: string, operation: Operation): Promise<Checkpoint>;
  /** Deletes all checkpoints except the newest `keep`; returns their ids. */
  pruneCheckpoints(keep: number): Promise<readonly string[]>;
}

/** Section `ledger`: the recorded events. */
export interface LedgerSection {
  query(query: Parameters<LedgerStore['read']>[0]): Promise<readonly StoredEvent[]>;
  verify(): Promise<LedgerVerification>;
  /** The receipt of a kept change with all texts that it names, as JSON. Throws `notFound`, `damaged`. */
  receipt(change: string): Promise<string>;
}

/**
 * One session for one repository. Long operations run one after the other, and each can be cancelled. All reject with a
 * `SelfwareError`.
 */
export interface Session {
  /**
   * Recovers the journal, removes old sandboxes and opens the stores. It has to be called once, before any other
   * function. Returns the notices.
   */
  open(operation: Operation): Promise<readonly Notice[]>;
  subscribe(listener: (event: SessionEvent) => void): () => void;

  readonly memory: Memory;
  readonly tasks: Tasks;
  readonly analysis: Analysis;
  readonly opportunities: Opportunities;
  readonly texts: Texts;
  readonly proposals: Proposals;
  readonly questions: Questions;
  readonly consents: Consents;
  readonly research: Research;
  readonly failedTasks: FailedTasks;
  readonly setup: Setup;
  readonly dependencies: Dependencies;
  readonly verification: Verification;
  readonly changes: Changes;
  readonly learned: LearnedSection;
  readonly inbox: Inbox;
  readonly performance: Performance;
  readonly training: Training;
  readonly ledger: LedgerSection;
  readonly recipes: LearnedRecipes;

  improve(request: ImproveRequest): Promise<ImproveSummary>;
  status(): Promise<Status>;
  /** The kill switch: cancels running operations, and refuses to apply until `resume`. It stays on after a restart. */
  stop(): Promise<void>;
  resume(): Promise<void>;
  doctor(signal: AbortSignal): Promise<readonly DoctorFinding[]>;
  close(): Promise<void>;
}
