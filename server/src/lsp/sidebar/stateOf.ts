// Computes the state of a folder for the sidebar, and caches it. If only the progress changes, the state is not
// computed again, because that asks git, the ledger and the ranking, and would slow down indexing.

import type { SidebarState } from '#protocol/state';
import type { Opportunity } from '../../core/model.ts';
import type { Session, Status } from '../../core/session.ts';
import type { ListedOpportunities } from '../../core/session/analyse/analysisTypes.ts';
import { findUndone } from '../../core/session/apply/undoneChanges.ts';
import { findOpenDocuments } from '../openDocuments.ts';
import type { ServerContext, Repository } from '../serverContext.ts';
import { createProgressState, createSidebarState } from '../sidebarState.ts';
import { readLedgerView } from './ledgerView.ts';
import { findUndecidedRuleFiles } from './waitingDecisions.ts';
import { markRunning } from './requests.ts';
import { createNightSummary } from './nightSummary.ts';
import type { SkippedPlace } from '../../core/model/skippedPlaces.ts';
import type { Progress } from '../../core/operation.ts';
import type { Ledger } from '../../core/ledger/ledger.ts';
import { measureHealth } from '../../core/run/health.ts';
import type { WatchedNight } from '../../core/run/live.ts';
import { readWishes } from '../../core/run/wishes.ts';
import {
  createBottleneckReader,
  type BottleneckReader,
} from '../../core/session/learn/performance/bottleneckReader.ts';
import { createHealthReader, type HealthReader } from '../../core/session/ledger/healthReader.ts';
import type { Night } from '../../core/run/nightTypes.ts';
import { createTestsLine } from '../../core/session/setup/testsLine.ts';

/** Maximum age of a cached state in milliseconds. Changes by other processes appear after at most this time. */
const MAX_AGE_MS = 2000;

/** Access to the states of all folders for the sidebar. */
export interface States {
  state(repository: Repository): Promise<SidebarState>;
  /** The opportunities of a folder, with a revision that changes with them. */
  opportunities(repository: Repository): Promise<OpportunityListing>;
  /**
   * True if a kept change of this file was not committed when the state was last computed, even if somebody has undone
   * it in the editor.
   */
  holdsChange(repository: Repository, path: string): boolean;
  /** To be called when something in the state may have changed, and at every step of the progress. */
  statusChanged(repository: Repository): void;
  /** To be called when the opportunities may have changed. */
  opportunitiesChanged(repository: Repository): void;
}

/** The opportunities of a folder, and the revision of the list. */
interface OpportunityListing {
  readonly list: readonly Opportunity[];
  /** Opportunities that the default filter hides. */
  readonly quiet: readonly Opportunity[];
  /** Opportunities that are tried again only on request, by id, each with the reason and the time of its refusal. */
  readonly turnedDown: ReadonlyMap<string, SkippedPlace>;
  readonly revision: number;
}

/** The cached data of a folder. */
interface CachedFolder {
  /** Counts the changes. A state that was computed while the number changed is not cached. */
  version: number;
  /** The progress at the last call of `statusChanged`; null if nothing was running. */
  progress: Progress | null;
  /**
   * The last computed state; null if it is outdated. `madeAt`: the time of its computation in milliseconds, by
   * `performance.now()`.
   */
  state: { readonly generation: number; readonly madeAt: number; readonly value: SidebarState } | null;
  /** Paths of all files of kept changes that are not committed; a state lists only the first few of each change. */
  uncommittedPaths: ReadonlySet<string>;
  list: {
    readonly generation: number;
    revision: number;
    /**
     * Number of places that were turned down, at this revision. If it changes, the pages change, so the list gets a new
     * revision.
     */
    turnedDownCount: number;
    readonly value: Promise<ListedOpportunities>;
  } | null;
}

/** Creates the states of all folders. */
export function createStates(context: Pick<ServerContext, 'documents' | 'nights'>): States {
  const folderByRepository = new WeakMap<Repository, CachedFolder>();
  // Revisions start at the current time, so that they differ from those of an earlier server process.
  let lastRevision = Date.now();
  const findOrCreateEntry = (repository: Repository): CachedFolder => {
    const entry = folderByRepository.get(repository) ?? {
      version: 0,
      progress: null,
      state: null,
      uncommittedPaths: new Set(),
      list: null,
    };
    folderByRepository.set(repository, entry);
    return entry;
  };

  async function opportunities(repository: Repository): Promise<OpportunityListing> {
    const session = await repository.session();
    const entry = findOrCreateEntry(repository);
    if (entry.list?.generation !== repository.generation) {
      const opportunityList = {
        generation: repository.generation,
        revision: ++lastRevision,
        turnedDownCount: 0,
        value: session.opportunities.listWithHidden(),
      };
      entry.list = opportunityList;
      // A failed request is not cached, so that the next call tries again.
      opportunityList.value.catch(() => {
        if (entry.list === opportunityList) entry.list = null;
      });
    }
    const listingEntry = entry.list;
    const listedOpportunities = await listingEntry.value;
    const quiet = listQuietOpportunities(listedOpportunities);
    const rejectedPlaces = await session.opportunities.listTurnedDown([...listedOpportunities.shown, ...quiet]);
    if (listingEntry.turnedDownCount !== rejectedPlaces.size) listingEntry.revision = ++lastRevision;
    listingEntry.turnedDownCount = rejectedPlaces.size;
    return { list: listedOpportunities.shown, quiet, turnedDown: rejectedPlaces, revision: listingEntry.revision };
  }

  /**
   * A status and a list that belong together. If the analysis has continued between the two requests, the list is
   * requested again.
   */
  async function readConsistentState(
    session: Session,
    repository: Repository,
  ): Promise<{ status: Status; listing: OpportunityListing }> {
    const listing = await opportunities(repository);
    const status = await session.status();
    if (listing.list.length === status.doable.shown.length) return { status, listing: listing };
    findOrCreateEntry(repository).list = null;
    return { status, listing: await opportunities(repository) };
  }

  return {
    opportunities,
    async state(repository) {
      const session = await repository.session();
      const entry = findOrCreateEntry(repository);
      const { progress, generation } = repository;
      const { version } = entry;
      if (entry.state?.generation === generation && performance.now() - entry.state.madeAt < MAX_AGE_MS)
        return { ...entry.state.value, progress: createProgressState(progress) };
      const madeAt = performance.now();
      const status = await readConsistentState(session, repository);
      const { value, changed } = await collectState(context, session, repository, status);
      entry.uncommittedPaths = changed;
      if (entry.version === version) entry.state = { generation, madeAt, value };
      return value;
    },
    holdsChange: (repository, path) => folderByRepository.get(repository)?.uncommittedPaths.has(path) ?? false,
    statusChanged(repository) {
      const entry = findOrCreateEntry(repository);
      const { progress } = repository;
      const isOnlyProgress = progress !== null && progress !== entry.progress;
      entry.progress = progress;
      if (!isOnlyProgress) invalidate(entry);
    },
    opportunitiesChanged(repository) {
      const entry = findOrCreateEntry(repository);
      entry.list = null;
      invalidate(entry);
    },
  };
}

const quietLists = new WeakMap<ListedOpportunities, readonly Opportunity[]>();

/**
 * The opportunities that the default filter hides. Returns the same list object for the same argument, because caches
 * use it as a key.
 */
function listQuietOpportunities(listing: ListedOpportunities): readonly Opportunity[] {
  const quiet =
    quietLists.get(listing) ?? listing.hidden.flatMap(({ opportunity, by }) => (by === 'quiet' ? [opportunity] : []));
  quietLists.set(listing, quiet);
  return quiet;
}

/** Marks the cached state as outdated. */
function invalidate(entry: CachedFolder): void {
  entry.version++;
  entry.state = null;
}

/** The readers of figures, which remember what they have already read of the ledger. */
interface FigureReaders {
  readonly health: HealthReader;
  readonly bottleneck: BottleneckReader;
}

const figureReaders = new WeakMap<Session, FigureReaders>();

/**
 * The data about an unattended run in progress that are not part of its own state: its wishes, its health, and its
 * bottleneck.
 */
async function readFigures(
  session: Session,
  night: Night,
  settings: Repository['settings'],
): Promise<Omit<WatchedNight, 'night' | 'live'>> {
  const now = Date.now();
  const readers = figureReaders.get(session) ?? {
    health: createHealthReader(),
    bottleneck: createBottleneckReader(settings?.['performance.targets'] ?? {}),
  };
  figureReaders.set(session, readers);
  const lastRun = night.runs.at(-1);
  const ledger: Pick<Ledger, 'query' | 'proposals'> = {
    query: (query) => session.ledger.query(query ?? {}),
    proposals: () => session.proposals.all(),
  };
  const wishes = (await readWishes(ledger)).map(({ text }) => text);
  return {
    wishes,
    ...(lastRun ? { health: measureHealth(night, await readers.health(ledger, lastRun, now), now) } : {}),
    bottleneck: await readers.bottleneck(ledger, now),
  };
}

/** Reads all data of the state. `uncommittedPaths`: paths of the files of kept changes that are not committed. */
async function collectState(
  context: Pick<ServerContext, 'documents' | 'nights'>,
  session: Session,
  repository: Repository,
  { status, listing: { list, revision } }: { readonly status: Status; readonly listing: OpportunityListing },
): Promise<{ readonly value: SidebarState; readonly changed: ReadonlySet<string> }> {
  const { uri, progress, indexSwitch, settings, notices } = repository;
  const proposals = await session.proposals.all();
  const setup = await session.setup.state();
  const ledgerView = await readLedgerView(session, status.points, proposals, { revision, list });
  // For open documents, the text in the editor counts, even if it is not saved.
  const openDocumentByPath = findOpenDocuments(context, repository);
  const undoneIds = await findUndone(
    proposals.filter(({ id }) => !ledgerView.committedIds.has(id)),
    async (path) => openDocumentByPath.get(path)?.getText() ?? session.memory.text(path),
  );
  const { night } = ledgerView;
  const nights = night === null || night.state === 'stopped' ? null : await context.nights();
  const isRunning = nights !== null && (await nights.isRunning(repository.rootDir));
  const liveState = isRunning ? await nights.doing(repository.rootDir) : null;
  const runFigures = night !== null && isRunning ? await readFigures(session, night, settings) : undefined;
  const statusById = new Map(proposals.map(({ id, status }) => [id, status]));
  const uncommittedProposals = proposals.filter(
    ({ id, status }) => status === 'kept' && !ledgerView.committedIds.has(id),
  );
  const value = createSidebarState({
    folder: uri,
    night: night && createNightSummary(night, isRunning, liveState, statusById, runFigures),
    status,
    progress,
    indexingPaused: indexSwitch.paused,
    opportunities: { count: list.length, revision },
    proposals,
    ledger: ledgerView,
    requestLists: {
      requests: markRunning(repository, ledgerView.requestLists.requests),
      waitingTasks: ledgerView.requestLists.waitingTasks,
      further: ledgerView.requestLists.further,
    },
    undecidedRuleFiles: status.trusted ? await findUndecidedRuleFiles(session) : [],
    undoneChangeIds: undoneIds,
    ownPatternCount: settings?.['charter.protectedPaths'].length ?? 0,
    setup: createTestsLine(setup, proposals),
    notices,
  });
  return { value, changed: new Set(uncommittedProposals.flatMap(({ edits }) => edits.map(({ path }) => path))) };
}
