// Context keys of a state for menus, palette and walkthrough, by name without the `selfware.` prefix. Plain data in and
// out.

import type { SidebarState } from '#protocol/state';
import { nightRuns } from '../nights/nightText.ts';
import { runs } from '../stopText.ts';

/** Branches on which there is usually no change to judge. */
const DEFAULT_BRANCHES: ReadonlySet<string> = new Set(['main', 'master', 'trunk', 'develop']);

/**
 * Keys for a person's past actions stay true in the window. With several folders, the state describes only one of them,
 * so actions that may be possible in another folder count as possible.
 */
export function contextKeysOf(state: SidebarState): Readonly<Record<string, boolean>> {
  const { activity, checkpoints, folder, folders, git, index, night } = state;
  const indexing = activity === 'indexing' || activity === 'analysing';
  const several = folders.length > 1;
  const isOver = night !== undefined && !nightRuns(night) && night.decided !== 'dropped';
  return {
    nightRuns: nightRuns(night) && !several,
    hasNight: night !== undefined || several,
    nightToTake: (isOver && night.untaken > 0) || several,
    nightToDrop: (isOver && night.changes > 0 && night.decided !== 'accepted') || several,
    indexing,
    indexingPaused: state.indexingPaused,
    running: runs(state) || several,
    stopped: activity === 'stopped',
    // Unknown before the first index.
    noGit: git === null && index !== null && !several,
    repositoryOpen: git !== null && (indexing || index !== null),
    onBranch: (git !== null && !DEFAULT_BRANCHES.has(git.branch ?? '')) || several,
    nothingToImprove: !state.doable.canImprove && !several,
    hasOpportunities: state.opportunityCount > 0 || several,
    hasProposals:
      state.pending.length > 0 || folders.some(({ uri, waiting }) => uri !== folder && waiting !== null && waiting > 0),
    hasUnchecked: state.probation.length > 0 || several,
    hasUnsettled: state.probation.length + state.conflicted.length > 0 || several,
    hasCheckpoints: checkpoints.some(({ rolledBack, fate }) => !rolledBack && fate !== 'undone') || several,
    hasKept: checkpoints.some(({ fate }) => fate === 'kept' || fate === 'committed') || several,
    hasUncommitted: state.uncommitted > 0 || several,
    hasDismissed: state.dismissed > 0 || several,
    testsNotSetUp: (state.setup !== undefined && state.setup.outcome !== 'good') || several,
    rolledBack: checkpoints.some(({ rolledBack }) => rolledBack),
  };
}
