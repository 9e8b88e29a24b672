// Computes the overview that the interfaces show.

import { isSettled } from '../../ledger/proposalLife.ts';
import type { Proposal } from '../../model.ts';
import type { Status } from '../../session.ts';
import { listCheckpoints } from '../apply/applyAndRollBack.ts';
import { fallBackIfDamaged, type SessionContext } from '../context.ts';
import { findPossibleWork } from './possibleWork.ts';

/**
 * Counts opportunities by rule, and lists open proposals and checkpoints, newest first. Reads the kill switch again.
 */
export async function readStatus(context: SessionContext): Promise<Status> {
  const { ports, state, ledger, settings } = context;
  const opportunities: Record<string, number> = {};
  const git = await ports.git.state();
  const possibleWork = await findPossibleWork(context, git);
  for (const opportunity of possibleWork.shown)
    opportunities[opportunity.rule] = (opportunities[opportunity.rule] ?? 0) + 1;
  const proposals = await fallBackIfDamaged(context, [], () => ledger.proposals());
  // Another process may have used or released the kill switch. If it cannot be read, it counts as on, because then
  // nothing can be applied either.
  state.stopped = await fallBackIfDamaged(context, true, () => ledger.isStopped());
  const checkpoints = await listCheckpoints(context);
  return {
    rootDir: ports.files.rootDir,
    state: state.stopped ? 'stopped' : state.activity,
    trusted: context.trusted,
    git,
    index: state.lastIndex,
    layers: state.layers,
    points: state.points && { ...state.points, places: state.places },
    opportunities,
    doable: possibleWork,
    pending: removeReplacements(proposals)
      .filter(
        (proposal) =>
          proposal.status === 'verified' ||
          proposal.status === 'approved' ||
          proposal.status === 'verifying' ||
          proposal.status === 'proposed' ||
          // A proposal that was deferred before its score was measured needs no decision yet.
          (proposal.status === 'deferred' && proposal.pointsAfter !== null),
      )
      .toReversed(),
    checkpoints: checkpoints.toReversed(),
    charter: {
      approval: settings['charter.approval'],
      changesUsed: await fallBackIfDamaged(context, 0, () => ledger.countChanges(state.applied)),
      changesAllowed: settings['charter.maxChanges'],
      stopped: state.stopped,
    },
    notices: state.notices,
  };
}

/** Removes the proposals that are to replace another open proposal. */
function removeReplacements(proposals: readonly Proposal[]): readonly Proposal[] {
  const open = new Set(proposals.filter(({ status }) => !isSettled(status)).map(({ id }) => id));
  return proposals.filter(({ replaces }) => replaces === undefined || !open.has(replaces));
}
