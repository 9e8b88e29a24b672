// Converts the state of a session to the state that the sidebar and the status bar show. Long lists are cut: the result
// has their first entries, and most lists have their length, too.

import { basename } from 'node:path';
import { plainReason } from '#protocol/plainWords';
import type { NightSummary } from '#protocol/nights';
import type { RuleFileEntry } from '#protocol/rules';
import type {
  CheckpointState,
  DoableState,
  LayerState,
  NoticeState,
  ProposalState,
  SetupLine,
  SidebarState,
} from '#protocol/state';
import { builtInProtectedPaths } from '../core/charter/protectedPaths.ts';
import { awaitsPerson } from '../core/ledger/proposalLife.ts';
import type { Checkpoint, Proposal, ProposalStatus } from '../core/model.ts';
import type { Status } from '../core/session.ts';
import {
  canImprove,
  canSearch,
  emptySentence,
  improveSentence,
  languageSentence,
  hiddenOpportunitiesSentence,
} from '../core/session/analyse/possibleWorkText.ts';
import type { PossibleWork } from '../core/session/analyse/analysisTypes.ts';
import type { LedgerView } from './sidebar/ledgerView.ts';
import { repeatsEntry, type RequestLists } from './sidebar/requests.ts';
import { sortByNight } from './sidebar/nightSummary.ts';
import { createPointsState } from './sidebar/pointsState.ts';
import { computePointsDelta, createStrengthState } from './toProtocol.ts';
import type { Progress } from '../core/operation.ts';
import { toShownOutcome } from '../core/verify/shownOutcome.ts';

/** Maximum number of proposals in each list of the state. */
const MAX_PROPOSALS = 50;
/** Maximum number of checkpoints in the state. */
const MAX_CHECKPOINTS = 50;
/** Maximum number of proposals that are being made or verified. */
const MAX_MAKING = 5;
/** Maximum number of paths of one proposal or checkpoint. */
const MAX_PATHS = 5;

/** The data from which the state of a folder is made. */
export interface SidebarParts {
  readonly folder: string;
  readonly status: Status;
  readonly progress: Progress | null;
  readonly indexingPaused: boolean;
  readonly opportunities: { readonly count: number; readonly revision: number };
  readonly proposals: readonly Proposal[];
  readonly ledger: LedgerView;
  /** The requests in words, and the tasks that wait for a person. */
  readonly requestLists: RequestLists;
  /** Files of repository rules that wait for a decision. */
  readonly undecidedRuleFiles: readonly RuleFileEntry[];
  /** The newest unattended run; null if there was none. */
  readonly night: NightSummary | null;
  /** Ids of kept changes that somebody has undone: they are no longer in the files or open documents. */
  readonly undoneChangeIds: ReadonlySet<string>;
  /** Number of protected patterns in the settings, in addition to the built-in ones. */
  readonly ownPatternCount: number;
  /** The line about the set-up of the tests; absent if the set-up is unknown. */
  readonly setup?: SetupLine;
  /** Notices of the folder, shown before the notices of the session. */
  readonly notices: readonly NoticeState[];
}

/** The state of the sidebar for one folder. The caller fills in `folders`. */
export function createSidebarState({
  folder,
  status,
  progress,
  indexingPaused,
  opportunities,
  proposals,
  ledger,
  requestLists: { requests, waitingTasks, further },
  undecidedRuleFiles,
  night,
  undoneChangeIds,
  ownPatternCount,
  setup,
  notices,
}: SidebarParts): SidebarState {
  const { index, charter, layers } = status;
  const newestFirst = proposals.toReversed();
  const filterByStatus = (...statuses: readonly ProposalStatus[]) =>
    newestFirst.filter(({ status: currentStatus }) => statuses.includes(currentStatus));
  const pendingProposals = sortByNight(newestFirst.filter(awaitsPerson), ledger.night);
  const conflictedProposals = filterByStatus('conflicted');
  // A proposal that is being applied no longer waits for a decision.
  const undecidedProposals = pendingProposals.filter(
    (proposal) => status.state !== 'applying' || proposal.status !== 'approved',
  );
  return {
    rootName: basename(status.rootDir),
    folder,
    folders: [],
    trusted: status.trusted,
    activity: status.state,
    indexingPaused,
    git: status.git && { branch: status.git.branch, head: status.git.head },
    index: index && {
      files: index.files,
      symbols: index.symbols,
      chunks: index.chunks,
      tokens: index.tokens,
      budgetTokens: index.budgetTokens,
      store: index.store,
      embedder: index.embedder,
      skipped: index.skipped.length,
      seconds: index.seconds,
    },
    progress: createProgressState(progress),
    ...(setup === undefined ? {} : { setup }),
    memory: layers ? createLayerStates(layers) : [],
    points: status.points && createPointsState(status.points, status.doable.improvable),
    trend: ledger.trend,
    opportunityCount: opportunities.count,
    doable: createDoableState(status.doable),
    opportunityRevision: opportunities.revision,
    waiting: undecidedProposals.length + conflictedProposals.length,
    making: filterByStatus('proposed', 'verifying').slice(0, MAX_MAKING).map(createProposalState),
    pending: pendingProposals.slice(0, MAX_PROPOSALS).map(createProposalState),
    probation: filterByStatus('applied').slice(0, MAX_PROPOSALS).map(createProposalState),
    conflicted: conflictedProposals.slice(0, MAX_PROPOSALS).map(createProposalState),
    checkpoints: createCheckpointStates(
      status.checkpoints.slice(0, MAX_CHECKPOINTS),
      proposals,
      ledger.committedIds,
      undoneChangeIds,
    ),
    uncommitted: proposals.filter(
      ({ id, status: currentStatus }) =>
        currentStatus === 'kept' && !ledger.committedIds.has(id) && !undoneChangeIds.has(id),
    ).length,
    dismissed: ledger.dismissedCount,
    learned: ledger.learned,
    ...(status.trusted ? selectUndecided(ledger, undecidedRuleFiles) : {}),
    ...(status.trusted && requests.length > 0 ? { requests } : {}),
    ...(status.trusted && waitingTasks.length > 0 ? { waitingTasks } : {}),
    ...(status.trusted && further.count > 0 ? { furtherRequests: further } : {}),
    charter: {
      approval: charter.approval,
      changesUsed: charter.changesUsed,
      changesAllowed: charter.changesAllowed,
      builtInPaths: builtInProtectedPaths.length,
      ownPaths: ownPatternCount,
    },
    ...(night === null ? {} : { night }),
    events: ledger.events,
    notices: [...notices, ...status.notices.filter((notice) => !repeatsEntry(notice, { requests, waitingTasks }))],
  };
}

/** The entries, other than proposals, that wait for a decision. Empty lists are omitted. */
function selectUndecided(
  { inbox, rules }: LedgerView,
  brought: readonly RuleFileEntry[],
): Pick<SidebarState, 'inbox' | 'rules' | 'brought'> {
  return {
    ...(inbox.length === 0 ? {} : { inbox }),
    ...(rules.length === 0 ? {} : { rules }),
    ...(brought.length === 0 ? {} : { brought }),
  };
}

/** Number of proposals that wait for a person: those without a decision, and conflicted ones. */
export function countWaiting(proposals: readonly Proposal[]): number {
  return proposals.filter((proposal) => awaitsPerson(proposal) || proposal.status === 'conflicted').length;
}

/** The state of a window without a folder, or of a folder that could not be opened. */
export function createEmptyState(
  { name, uri }: { readonly name: string; readonly uri: string },
  trusted: boolean,
  notices: readonly NoticeState[],
): SidebarState {
  return {
    rootName: name,
    folder: uri,
    folders: [],
    trusted,
    activity: 'idle',
    indexingPaused: false,
    git: null,
    index: null,
    progress: null,
    memory: [],
    points: null,
    trend: [],
    opportunityCount: 0,
    doable: {
      analysed: false,
      quiet: 0,
      canImprove: false,
      canSearch: false,
      improve: '',
      empty: '',
      more: null,
      language: null,
      barrier: null,
    },
    opportunityRevision: 0,
    waiting: 0,
    making: [],
    pending: [],
    probation: [],
    conflicted: [],
    checkpoints: [],
    uncommitted: 0,
    dismissed: 0,
    learned: { total: 0, lessons: [] },
    charter: {
      approval: '',
      changesUsed: 0,
      changesAllowed: 0,
      builtInPaths: builtInProtectedPaths.length,
      ownPaths: 0,
    },
    events: [],
    notices,
  };
}

/** What Improve and the searches can do in the folder, as sentences and flags. */
function createDoableState(possibleWork: PossibleWork): DoableState {
  const { analysed, quiet, barrier } = possibleWork;
  return {
    analysed,
    quiet: quiet.length,
    canImprove: canImprove(possibleWork),
    canSearch: canSearch(possibleWork),
    improve: improveSentence(possibleWork),
    empty: emptySentence(possibleWork),
    more: hiddenOpportunitiesSentence(possibleWork),
    language: languageSentence(possibleWork),
    barrier: barrier?.broken ? 'brokenRepository' : (barrier?.reason ?? null),
  };
}

/** The progress for the sidebar; null if nothing is running. `finishing` is true in the last stage of indexing. */
export function createProgressState(progress: Progress | null): SidebarState['progress'] {
  const finishing = progress?.stage === 'storing';
  return (
    progress && {
      message: progress.message,
      done: progress.done,
      total: progress.total,
      ...(finishing ? { finishing } : {}),
    }
  );
}

/** A proposal as an entry of a list. */
function createProposalState(proposal: Proposal): ProposalState {
  const { id, title, rationale, status, edits, verdicts, reason, createdAt, checkpoint } = proposal;
  const countOutcome = (outcome: 'passed' | 'failed' | 'unknown') =>
    verdicts.filter((verdict) => toShownOutcome(verdict, proposal) === outcome).length;
  const gates = { passed: countOutcome('passed'), failed: countOutcome('failed'), unknown: countOutcome('unknown') };
  const reasonText = reason === null ? null : plainReason(reason);
  const details = {
    ...createStrengthState(proposal),
    ...createPathList(edits),
    pointsDelta: computePointsDelta(proposal),
    gates,
  };
  return { id, title, rationale, status, ...details, reason: reasonText, createdAt, checkpoint };
}

/** The checkpoints as entries of a list, each with the status of its change. */
function createCheckpointStates(
  checkpoints: readonly Checkpoint[],
  proposals: readonly Proposal[],
  committedIds: ReadonlySet<string>,
  undoneIds: ReadonlySet<string>,
): readonly CheckpointState[] {
  const proposalByCheckpoint = new Map(
    proposals.flatMap((proposal) => (proposal.checkpoint === null ? [] : [[proposal.checkpoint, proposal]])),
  );
  return checkpoints.map(({ id, title, createdAt, files, rolledBackAt }) => {
    const proposal = proposalByCheckpoint.get(id);
    const rolledBack = rolledBackAt !== null;
    return {
      id,
      title,
      createdAt,
      ...createPathList(files),
      rolledBack,
      fate: rolledBack ? 'rolledBack' : determineFate(proposal, committedIds, undoneIds),
      proposal: proposal?.id ?? null,
    };
  });
}

function determineFate(
  proposal: Proposal | undefined,
  committedIds: ReadonlySet<string>,
  undoneIds: ReadonlySet<string>,
): CheckpointState['fate'] {
  switch (proposal?.status) {
    case 'applied':
      return 'probation';
    case 'kept':
      return committedIds.has(proposal.id) ? 'committed' : undoneIds.has(proposal.id) ? 'undone' : 'kept';
    case 'conflicted':
    case 'rolledBack':
      return proposal.status;
    default:
      return null;
  }
}

function createPathList(files: readonly { readonly path: string }[]): {
  readonly paths: readonly string[];
  readonly pathCount: number;
} {
  return { paths: files.slice(0, MAX_PATHS).map(({ path }) => path), pathCount: files.length };
}

/** The tokens of each layer of the memory: used, budgeted, borrowed from other layers, and lent to them. */
function createLayerStates(layers: NonNullable<Status['layers']>): readonly LayerState[] {
  return (['working', 'episodic', 'semantic', 'reserve'] as const).map((layer) => {
    const { tokens, budget, borrowed, lent } = layers[layer];
    return { layer, tokens, budget, ...(borrowed ? { borrowed } : {}), ...(lent ? { lent } : {}) };
  });
}
