// What the parts of a session share: the ports, the settings, and the little state that lives in memory.

import type { Settings } from '../../settings/schema.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { Charter } from '../charter/charter.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Measures, Notice, PointPlace, Points } from '../model.ts';
import type { ImportGraph } from '../index/graph/importGraph.ts';
import type { RefreshLimits } from '../index/refreshContext.ts';
import type { Searcher } from '../index/search/searcher.ts';
import type { Ports } from '../ports.ts';
import type { Operations } from '../run/operations.ts';
import type { AnalysisReport, IndexReport, SessionEvent, Status } from '../session.ts';
import type { BaselineCache } from '../verify/verify.ts';
import type { ContextPack } from '../memory/contextPack.ts';
import type { Commit } from '../ports/git.ts';
import type { FileAnalysis, FileRecord } from '../ports/catalogue.ts';

export interface SessionState {
  activity: Status['state'];
  /** The repository as last indexed, by path. */
  records: ReadonlyMap<string, FileRecord>;
  /** As last analysed, by path; what `lastAnalysis` tells of. */
  analyses: ReadonlyMap<string, FileAnalysis>;
  lastAnalysis: AnalysisReport | null;
  /** By file, from the imports: which files it imports, how many import it, its PageRank. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  readonly inDegree: ReadonlyMap<string, number>;
  readonly rank: ReadonlyMap<string, number>;
  /** Makes these three when they are first asked for. */
  importGraph: () => ImportGraph;
  /** The index in memory, and the content hash of what it holds of each file; empty for a provisional one. */
  readonly searcher: Searcher;
  readonly searched: Map<string, string>;
  /** Files that an index under way has not come to: they are searched as they are on disk. */
  readonly unseen: Set<string>;
  /** Too large for memory: searched in the store. */
  inStoreOnly: boolean;
  /** Hash of the tree whose image of the index is kept in memory; null = there is no image, or its tree is gone. */
  imageTree: string | null;
  commits: readonly Commit[];
  /** HEAD when the commits were read; undefined = not yet. */
  commitsAt: string | null | undefined;
  /** Hash of the whole tree as last indexed. */
  treeHash: string | null;
  lastIndex: IndexReport | null;
  layers: ContextPack['layers'] | null;
  points: Points | null;
  /** Where they are lost. */
  places: readonly PointPlace[];
  /** What a report of coverage told when the points were counted: it comes and goes without a file of the tree. */
  coverage: Measures;
  /** Shown until the next index or restart. */
  notices: readonly Notice[];
  stopped: boolean;
  openedAt: number;
  /** Changes in probation that this process has judged already: they stay there until their window ends. */
  readonly inWindow: Set<string>;
}

export interface SessionContext {
  readonly ports: Ports;
  readonly settings: Settings;
  /** False: nothing of the repository is executed and nothing is written to it. */
  readonly trusted: boolean;
  readonly ledger: Ledger;
  readonly charter: Charter;
  readonly operations: Operations;
  readonly baseline: BaselineCache;
  /** Versions of what judges a change, for its receipt. */
  readonly tools: Readonly<Record<string, string>>;
  /** Version of everything that determines what is kept of a file. */
  readonly recordProfile: string;
  /** A repository with more chunks is searched in the store. */
  readonly chunksInMemory: number;
  readonly state: SessionState;
  emit(event: SessionEvent): void;
}

/** Which files are read. */
export function limitsOf({ settings }: SessionContext): RefreshLimits {
  return { maxBytes: settings['index.maxFileKilobytes'] * 1024, exclude: settings['index.exclude'] };
}

/** Sets what the session is doing while `work` runs, and tells the listeners. */
export async function during<T>(
  context: SessionContext,
  activity: Status['state'],
  work: () => Promise<T>,
): Promise<T> {
  const before = context.state.activity;
  context.state.activity = activity;
  context.emit({ type: 'status' });
  try {
    return await work();
  } finally {
    context.state.activity = before;
    context.emit({ type: 'status' });
  }
}

/**
 * What `work` answers, or `fallback` and a notice when the ledger cannot be read or written: index, search and analysis
 * go on.
 */
export async function unlessDamaged<T>(context: SessionContext, fallback: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SelfwareError && error.reason === 'damaged')) throw error;
    notify(context, { severity: 'error', message: error.message, action: error.action });
    return fallback;
  }
}

/** Adds a notice once. */
export function notify(context: SessionContext, notice: Notice): void {
  if (context.state.notices.some((known) => known.message === notice.message)) return;
  context.state.notices = [...context.state.notices, notice];
  context.emit({ type: 'notice', notice });
}
