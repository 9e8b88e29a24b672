// Derives the context keys for menus, the palette and the walkthrough from the state of the sidebar. Their names lack
// the prefix `selfware.`. Does not use VS Code's API.

import type { SidebarState } from '#protocol/state';
import { isNightRunning } from '../nights/nightText.ts';
import { listEntries } from '../requests/requestText.ts';
import { hasRunningWork } from '../stopText.ts';

/** Names of default branches, on which there is usually no change to judge. */
const DEFAULT_BRANCHES: ReadonlySet<string> = new Set(['main', 'master', 'trunk', 'develop']);

/**
 * The context keys of a state. With several folders, the state describes only one of them, so actions that may be
 * possible in another folder count as possible.
 */
export function computeContextKeys(state: SidebarState): Readonly<Record<string, boolean>> {
  const { activity, checkpoints, folder, folders, git, index, night } = state;
  const indexing = activity === 'indexing' || activity === 'analysing';
  const hasSeveralFolders = folders.length > 1;
  const isOver = night !== undefined && !isNightRunning(night) && night.decided !== 'dropped';
  return {
    nightRuns: isNightRunning(night) && !hasSeveralFolders,
    nightNeedsYou: night?.state === 'needsPerson' || hasSeveralFolders,
    hasNight: night !== undefined || hasSeveralFolders,
    nightToTake: (isOver && (night.open ?? []).some(({ isTaken }) => !isTaken)) || hasSeveralFolders,
    nightToDrop: (isOver && night.changes > 0 && night.decided !== 'accepted') || hasSeveralFolders,
    nightToSquash: (isOver && night.changes > 1 && night.decided === null) || hasSeveralFolders,
    nightToPush: (isOver && night.changes > 0) || hasSeveralFolders,
    hasRequests: listEntries(state).length > 0 || hasSeveralFolders,
    indexing,
    indexingPaused: state.indexingPaused,
    running: hasRunningWork(state) || hasSeveralFolders,
    stopped: activity === 'stopped',
    // Changes cannot be tried out without a commit either. Before the first index, it is unknown whether there is one,
    // and the key is false.
    noGit: (git === null || git.head === null) && index !== null && !hasSeveralFolders,
    repositoryOpen: git !== null && (indexing || index !== null),
    onBranch: (git !== null && !DEFAULT_BRANCHES.has(git.branch ?? '')) || hasSeveralFolders,
    nothingToImprove: !state.doable.canImprove && !hasSeveralFolders,
    hasOpportunities: state.opportunityCount > 0 || hasSeveralFolders,
    hasProposals:
      state.pending.length > 0 || folders.some(({ uri, waiting }) => uri !== folder && waiting !== null && waiting > 0),
    hasUnchecked: state.probation.length > 0 || hasSeveralFolders,
    hasUnsettled: state.probation.length + state.conflicted.length > 0 || hasSeveralFolders,
    hasCheckpoints: checkpoints.some(({ rolledBack, fate }) => !rolledBack && fate !== 'undone') || hasSeveralFolders,
    hasKept: checkpoints.some(({ fate }) => fate === 'kept' || fate === 'committed') || hasSeveralFolders,
    hasUncommitted: state.uncommitted > 0 || hasSeveralFolders,
    hasLearned: state.learned.total > 0,
    hasBrought: (state.brought ?? []).length > 0,
    hasInbox: (state.inbox ?? []).length > 0,
    hasDismissed: state.dismissed > 0 || hasSeveralFolders,
    testsNotSetUp: (state.setup !== undefined && state.setup.outcome !== 'good') || hasSeveralFolders,
    rolledBack: checkpoints.some(({ rolledBack }) => rolledBack),
  };
}
