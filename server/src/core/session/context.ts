// The context that the parts of a session share: the ports, the settings, and a small state in memory.

import type { WindowRun } from './windowRun.ts';
import type { Settings } from '../../settings/schema.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { Charter } from '../charter/charter.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Measures, Millis, Notice, PointPlace, Points } from '../model.ts';
import type { ImportGraph } from '../index/graph/importGraph.ts';
import type { RefreshLimits } from '../index/refreshContext.ts';
import type { Searcher } from '../index/search/searcher.ts';
import type { Ports } from '../ports.ts';
import type { Afterwork } from '../run/afterwork.ts';
import type { Operations } from '../run/operations.ts';
import type { AnalysisReport, IndexReport, SessionEvent, Status } from '../session.ts';
import type { CheckedTree } from '../verify/checkedTogether.ts';
import type { SessionBaselineCache } from '../verify/baseline.ts';
import type { ContextPack } from '../memory/contextPack.ts';
import type { Commit } from '../ports/git.ts';
import type { FileAnalysis, FileRecord } from '../ports/catalogue.ts';

/** The data that a session remembers until it ends. */
export interface SessionState {
  activity: Status['state'];
  /** The files of the repository as last indexed, by path. */
  records: ReadonlyMap<string, FileRecord>;
  /** The files of the repository as last analysed, by path; empty before the first analysis. */
  analyses: ReadonlyMap<string, FileAnalysis>;
  /** Null before the first analysis. */
  lastAnalysis: AnalysisReport | null;
  /**
   * By path of an importing file: the files that it imports. This map and the next two are computed from `importGraph`.
   */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  /** By path of a file: the number of files that import it. */
  readonly inDegree: ReadonlyMap<string, number>;
  /** By path of a file: its PageRank in the graph of imports. */
  readonly rank: ReadonlyMap<string, number>;
  /** Returns the graph of imports, which is computed at the first call. */
  importGraph: () => ImportGraph;
  /** The index in memory. */
  readonly searcher: Searcher;
  /** By path: the content hash of each file in `searcher`; an empty string for a provisional entry. */
  readonly searched: Map<string, string>;
  /** Files that a running index has not reached yet; they are searched as plain text on disk. */
  readonly unseen: Set<string>;
  /** True if the repository is too large for memory, so that the store is searched. */
  inStoreOnly: boolean;
  /** Hash of the tree whose index image is kept; null if there is no image, or if it is outdated. */
  imageTree: string | null;
  commits: readonly Commit[];
  /** HEAD when the commits were read; undefined if they were not read yet. */
  commitsAt: string | null | undefined;
  /** Hash of the whole tree as last indexed; null before the first index, or for an empty tree. */
  treeHash: string | null;
  lastIndex: IndexReport | null;
  layers: ContextPack['layers'] | null;
  /** The points of the analysed tree; null before the first analysis. */
  points: Points | null;
  /** The places where points are lost. */
  places: readonly PointPlace[];
  /**
   * Measures of the coverage when the points were counted. They are compared with newer ones, because a coverage report
   * can change although no file of the tree does.
   */
  coverage: Measures;
  /**
   * Notices that are shown until the session ends. The notice about another process that indexes is removed earlier,
   * when this session indexes.
   */
  notices: readonly Notice[];
  /** True if the kill switch is on. */
  stopped: boolean;
  /** The time at which this session, or its window, was opened. */
  openedAt: number;
  /** The ids of the proposals that this session, or this window, has applied. */
  readonly applied: Set<string>;
  /** Ids of changes that this process has judged and left in probation until their window ends. */
  readonly inWindow: Set<string>;
  /** The trees on which types and tests passed with several proposals at once. */
  checkedTrees: readonly CheckedTree[];
}

/** The data and ports that all parts of a session share. */
export interface SessionContext {
  readonly ports: Ports;
  readonly settings: Settings;
  /**
   * True if the person trusts the workspace. If false, no command of the repository runs, and nothing is written to it.
   */
  readonly trusted: boolean;
  /** True in the tree of an unattended run, whose changes a person has not seen. */
  readonly onBranch: boolean;
  /** True for another repository that is only searched: nothing is recorded in its ledger. */
  readonly isReference: boolean;
  /** The time at which the run that this session continues began; null if it began with this session. */
  readonly runStartedAt: Millis | null;
  /** The editor's window that this session belongs to; null outside an editor. */
  readonly windowRun: WindowRun | null;
  readonly ledger: Ledger;
  /**
   * In an unattended run, the ledger of the repository, with the decisions of people. Null if `ledger` is the ledger of
   * the repository.
   */
  readonly repositoryLedger: Ledger | null;
  readonly charter: Charter;
  readonly operations: Operations;
  /** Work that nobody waits for. The session waits for it before it closes. */
  readonly afterwork: Afterwork;
  /** Results of gates and measurements on trees without the change that is judged, by tree. */
  readonly baseline: SessionBaselineCache;
  /** Versions of the tools that judge a change, for its receipt; `selfware` is the version of this program. */
  readonly tools: Readonly<Record<string, string>>;
  /**
   * Maximum number of chunks for which the index in memory is searched. In a repository with more chunks, the store is
   * searched.
   */
  readonly recordProfile: string;
  /** In a repository with more chunks, the store is searched instead of the index in memory. */
  readonly chunksInMemory: number;
  readonly state: SessionState;
  emit(event: SessionEvent): void;
}

/** The limits on the files that are read. */
export function getRefreshLimits({ settings }: SessionContext): RefreshLimits {
  return { maxBytes: settings['index.maxFileKilobytes'] * 1024, exclude: settings['index.exclude'] };
}

/** Sets the activity of the session while `work` runs, then restores the previous one; emits `status` at both times. */
export async function withActivity<T>(
  context: SessionContext,
  activity: Status['state'],
  work: () => Promise<T>,
): Promise<T> {
  const activityBefore = context.state.activity;
  context.state.activity = activity;
  context.emit({ type: 'status' });
  try {
    return await work();
  } finally {
    context.state.activity = activityBefore;
    context.emit({ type: 'status' });
  }
}

/**
 * Returns the result of `work`. If `work` throws `damaged`, as a damaged ledger does, adds a notice and returns
 * `fallback`, so that index, search and analysis continue. Throws all other errors.
 */
export async function fallBackIfDamaged<T>(context: SessionContext, fallback: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SelfwareError && error.reason === 'damaged')) throw error;
    notify(context, { severity: 'error', message: error.message, action: error.action });
    return fallback;
  }
}

/** Adds a notice and emits it, unless there already is one with the same message. */
export function notify(context: SessionContext, notice: Notice): void {
  if (context.state.notices.some((earlier) => earlier.message === notice.message)) return;
  context.state.notices = [...context.state.notices, notice];
  context.emit({ type: 'notice', notice });
}

/**
 * The running version of Selfware, for measurements of its own performance; `unknown` if the session was created
 * without it.
 */
export function getProgramVersion({ tools }: SessionContext): string {
  return tools['selfware'] ?? 'unknown';
}
