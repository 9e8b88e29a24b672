// Creates the façade's `verification` section, which checks whether changes make the repository better and break
// nothing.

import type { Verification } from '../../session.ts';
import { withActivity, type SessionContext } from '../context.ts';
import type { Freshness } from '../freshness.ts';
import { awaitsVerification, verifyRemaining } from '../propose/remainingPart.ts';
import { askNext } from '../ask/askNext.ts';
import { propose } from '../propose/proposing.ts';
import { checkTogether } from './checkingTogether.ts';
import { judgeInSession } from './judgeChange.ts';
import { previewProposal, needsManyTests } from './previewing.ts';
import { proveAgain } from './provingAgain.ts';
import { verifySideBySide, type ProposalSources } from './sideBySide.ts';
import { tryVariant } from './tryingVariant.ts';
import { verify } from './verifying.ts';

/** Creates the section of one session. */
export function createVerificationSection(
  context: SessionContext,
  { analyseOnce, updateIndex }: Freshness,
): Verification {
  const { operations, ledger, ports } = context;
  return {
    verify: (id, operation, options) =>
      operations.run(async (signal) => {
        await analyseOnce({ ...operation, signal });
        return withActivity(context, 'verifying', () => verify(context, id, { ...operation, signal }, options));
      }, operation.signal),
    preview: (id, operation) =>
      operations.run(async (signal) => {
        await analyseOnce({ ...operation, signal });
        return withActivity(context, 'verifying', () => previewProposal(context, id, { ...operation, signal }));
      }, operation.signal),
    needsManyTests: (proposal) => needsManyTests(context, proposal),
    checkTogether: (proposals, operation) =>
      operations.run(
        (signal) =>
          withActivity(context, 'verifying', () => checkTogether(context, proposals, { ...operation, signal })),
        operation.signal,
      ),
    verifySideBySide: (first, next, operation, options) =>
      operations.run(async (signal) => {
        await analyseOnce({ ...operation, signal });
        await updateIndex({ ...operation, signal });
        // This operation occupies the only slot of the queue, so the proposals that are made meanwhile bypass the
        // queue.
        const proposalSources: ProposalSources = {
          propose: (request) => propose(context, { ...request, signal }),
          // Asking needs the index, which is not built during a verification.
          askNext: async (request) =>
            context.state.lastIndex === null
              ? { proposal: null, tried: [], hasMore: false, stopReason: null }
              : askNext(context, request, signal),
        };
        return withActivity(context, 'verifying', () =>
          verifySideBySide(
            (id, isShared) => verify(context, id, { ...operation, signal }, { ...options, isShared }),
            first,
            () => next(proposalSources),
            { signal },
          ),
        );
      }, operation.signal),
    verifyRemaining: (operation) =>
      operations.inBackground(async (signal) => {
        if (!(await ledger.proposals()).some(awaitsVerification)) return [];
        await analyseOnce({ ...operation, signal });
        return withActivity(context, 'verifying', () => verifyRemaining(context, { ...operation, signal }));
      }, operation.signal),
    verifyChange: (id, exported, operation) =>
      operations.run(
        (signal) =>
          withActivity(context, 'verifying', () => proveAgain(context, id, exported, { ...operation, signal })),
        operation.signal,
      ),
    variants: (edits, { signal }) => ports.jobs.run('planCheats', { edits }, signal),
    tryVariant: (proposal, edits, operation) =>
      operations.run(async (signal) => {
        await analyseOnce({ ...operation, signal });
        return withActivity(context, 'verifying', () => tryVariant(context, proposal, edits, { ...operation, signal }));
      }, operation.signal),
    judge: (request) =>
      operations.run(async (signal) => {
        // The test of the isolation also takes a moment, so it starts now.
        if (context.trusted) ports.sandbox.isolation().catch(() => undefined);
        await analyseOnce({ ...request, signal });
        return withActivity(context, 'verifying', () => judgeInSession(context, { ...request, signal }));
      }, request.signal),
    isConfined: async () => (await ports.sandbox.isolation()).confined,
  };
}
