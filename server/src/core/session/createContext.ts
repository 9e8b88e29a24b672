// Creates the context of a new session, with its initial state.

import type { Settings } from '../../settings/schema.ts';
import { createCharter } from '../charter/charter.ts';
import type { ImportGraph } from '../index/graph/importGraph.ts';
import { createSearcher } from '../index/search/createSearcher.ts';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import type { Millis, Notice } from '../model.ts';
import type { Ports } from '../ports.ts';
import type { ContentStore } from '../ports/ledger.ts';
import type { TermTable } from '../ports/search.ts';
import { findRecipeFacts } from '../propose/recipeTable.ts';
import { createAfterwork } from '../run/afterwork.ts';
import { createOperations } from '../run/operations.ts';
import type { SessionEvent } from '../session.ts';
import { createBaselineCache } from '../verify/baseline.ts';
import { determineStrength } from '../verify/strength.ts';
import type { SessionContext, SessionState } from './context.ts';
import type { DoctorInput } from './analyse/doctor.ts';
import type { WindowRun } from './windowRun.ts';

/** The default of `chunksInMemory`: an index in memory of this size takes about 0.7 GB, and a search in it 20 ms. */
const CHUNKS_IN_MEMORY = 300_000;
const NO_IMPORTS: ImportGraph = { edges: new Map(), inDegree: new Map(), rank: new Map() };

/** Options for creating a session, apart from the ports. */
export interface SessionOptions {
  /** The settings that apply: the person's, tightened by the team's. */
  readonly settings: Settings;
  /** False in a workspace that is not trusted, in which nothing of the repository runs. */
  readonly trusted: boolean;
  /**
   * Patterns of protected paths in addition to the built-in ones: patterns of the settings, and Selfware's own safety
   * code in its own repository.
   */
  readonly protectedPaths: readonly string[];
  /** Files with which programs of the repository start; they are protected as well. */
  readonly entryPoints: readonly string[];
  /** The texts of files that events of the ledger name by their hash. */
  readonly contents: ContentStore & { close(): Promise<void> };
  /** The shipped term vectors; null if there are none. */
  readonly termTable: TermTable | null;
  /**
   * Maximum number of chunks for which the index in memory is searched; in a repository with more, the store is
   * searched. If absent, `CHUNKS_IN_MEMORY`.
   */
  readonly chunksInMemory?: number;
  /** Version of everything that determines the stored data of a file. */
  readonly recordProfile: string;
  /** Problems that occurred while the adapters were created; they are shown with the other notices. */
  readonly notices: readonly Notice[];
  /** Notices that the opening of the chunk store adds; the session shows them once it is open. */
  readonly lateNotices?: readonly Notice[];
  /** Facts about the machine, for `doctor`. */
  readonly doctorInput: DoctorInput;
  /** True for the tree of an unattended run, whose changes are committed to a branch that a person reviews. */
  readonly onBranch?: boolean;
  /** The ledger of the repository, if the session has the ledger of a copy. It is only read. */
  readonly repositoryLedger?: Ledger;
  /** True for another repository that is only searched. */
  readonly isReference?: boolean;
  /** The time at which the run that this session continues began; if absent, it began with this session. */
  readonly runStartedAt?: Millis;
  /** The editor's window whose budgets this session continues. */
  readonly windowRun?: WindowRun;
}

/** The context of a new session. `emit` receives its events. */
export function createContext(
  ports: Ports,
  options: SessionOptions,
  emit: (event: SessionEvent) => void,
): SessionContext {
  return {
    ports,
    settings: options.settings,
    trusted: options.trusted,
    onBranch: options.onBranch ?? false,
    repositoryLedger: options.repositoryLedger ?? null,
    isReference: options.isReference ?? false,
    runStartedAt: options.runStartedAt ?? null,
    windowRun: options.windowRun ?? null,
    ledger: createLedger(ports.ledger, ports.clock, ports.ids, options.contents, determineStrength),
    charter: createCharter({
      files: ports.files,
      protectedPaths: options.protectedPaths,
      entryPoints: options.entryPoints,
      approval: options.onBranch ? 'branch' : options.settings['charter.approval'],
      maxChanges: options.settings['charter.maxChanges'],
      strengthOf: determineStrength,
      isOurs: (recipe) => findRecipeFacts(recipe) !== null,
    }),
    operations: createOperations(),
    afterwork: createAfterwork((error) => ports.log.write('error', 'Work after an answer failed.', error)),
    baseline: createBaselineCache(ports.documents, (message, cause) => ports.log.write('warn', message, cause)),
    tools: options.doctorInput.tools ?? {},
    recordProfile: options.recordProfile,
    chunksInMemory: options.chunksInMemory ?? CHUNKS_IN_MEMORY,
    state: createEmptyState(ports, options),
    emit,
  };
}

function createEmptyState(ports: Ports, { termTable, notices, windowRun }: SessionOptions): SessionState {
  return {
    activity: 'idle',
    records: new Map(),
    analyses: new Map(),
    lastAnalysis: null,
    importGraph: () => NO_IMPORTS,
    get imports() {
      return this.importGraph().edges;
    },
    get inDegree() {
      return this.importGraph().inDegree;
    },
    get rank() {
      return this.importGraph().rank;
    },
    searcher: createSearcher({ table: termTable }),
    searched: new Map(),
    unseen: new Set(),
    inStoreOnly: false,
    imageTree: null,
    commits: [],
    commitsAt: undefined,
    treeHash: null,
    lastIndex: null,
    layers: null,
    points: null,
    places: [],
    coverage: {},
    notices,
    stopped: false,
    openedAt: windowRun?.startedAt ?? ports.clock.now(),
    applied: windowRun?.changes ?? new Set(),
    inWindow: new Set(),
    checkedTrees: [],
  };
}
