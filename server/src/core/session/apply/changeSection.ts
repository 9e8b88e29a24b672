// Creates the façade's `changes` section: applying, judging, keeping, committing and rolling back changes.

import type { Changes } from '../../session.ts';
import { withActivity, type SessionContext } from '../context.ts';
import type { Freshness } from '../freshness.ts';
import { listCheckpoints, pruneCheckpoints, rollback } from './applyAndRollBack.ts';
import { applyAndJudge, applyTogether, judgeChanges } from './applyAndJudge.ts';
import { findApplyPause } from './applyPause.ts';
import { checkRemaining } from './checkRemainingChanges.ts';
import { commitChanges } from './commitChanges.ts';
import { keepByPerson } from './probation.ts';

/** Creates the section of one session. */
export function createChangeSection(context: SessionContext, { reanalyse }: Freshness): Changes {
  const { operations, state } = context;
  return {
    apply: (request) =>
      operations.run((signal) => applyAndJudge(context, { ...request, signal }, reanalyse), request.signal),
    applyTogether: (requests, operation) =>
      operations.run(
        (signal) => applyTogether(context, requests, { ...operation, signal }, reanalyse),
        operation.signal,
      ),
    judge: (operation) =>
      operations.run(async (signal) => {
        const judgedProposals = await judgeChanges(context, { ...operation, signal }, reanalyse);
        await checkRemaining(context, { ...operation, signal });
        return judgedProposals;
      }, operation.signal),
    checkRemaining: (operation) =>
      operations.run((signal) => checkRemaining(context, { ...operation, signal }), operation.signal),
    keep: (id, reason) => keepByPerson(context, id, reason),
    commit: (request) => operations.run((signal) => commitChanges(context, { ...request, signal }), request.signal),
    applyPause: (proposer) => findApplyPause(context, proposer),
    checkpoints: () => listCheckpoints(context),
    rollback: (id, operation) =>
      operations.run(async (signal) => {
        const restored = await withActivity(context, 'applying', () => rollback(context, id, { ...operation, signal }));
        if (state.lastIndex || state.lastAnalysis) await reanalyse({ ...operation, signal });
        return restored;
      }, operation.signal),
    pruneCheckpoints: (keep) => operations.run(() => pruneCheckpoints(context, keep), new AbortController().signal),
  };
}
