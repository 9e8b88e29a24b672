// Creates the façade's `proposals` section: making proposals, listing them, and deciding on them.

import type { Proposals } from '../../session.ts';
import { withActivity, type SessionContext } from '../context.ts';
import type { Freshness } from '../freshness.ts';
import { fileCorrectionRule } from '../learn/inbox/filing.ts';
import { NO_ISOLATION } from '../verify/isolation.ts';
import { requireProposal } from '../verify/verifying.ts';
import { findShownCode } from '../ask/shown/shownCode.ts';
import { computeProposalCost } from '../ask/costOfProposal.ts';
import { listDeferredAsBusy, propose } from './proposing.ts';
import { proposeEdits, proposeTransform } from './proposingEdits.ts';

/** Creates the section of one session. */
export function createProposalSection(context: SessionContext, { analyseOnce }: Freshness): Proposals {
  const { operations, ledger, ports } = context;
  return {
    propose: (request) =>
      operations.run(async (signal) => {
        await analyseOnce({ ...request, signal });
        return withActivity(context, 'proposing', () => propose(context, { ...request, signal }));
      }, request.signal),
    deferredAsBusy: (request) => listDeferredAsBusy(context, request),
    proposeEdits: (edits, operation) =>
      operations.run(
        (signal) => withActivity(context, 'proposing', () => proposeEdits(context, edits, signal)),
        operation.signal,
      ),
    proposeTransform: (request, operation, author = 'agent') =>
      operations.run(
        (signal) => withActivity(context, 'proposing', () => proposeTransform(context, request, signal, author)),
        operation.signal,
      ),
    cost: (id) => computeProposalCost(context, id),
    shownCode: (id) => findShownCode(context, id),
    all: () => ledger.proposals(),
    get: (id) => requireProposal(context, id),
    async decide({ proposal, verdict, by, reason }) {
      await requireProposal(context, proposal);
      await ledger.record({ type: verdict, data: { proposal, by, reason } });
      if (by === 'person' && verdict === 'rejected' && reason !== null)
        context.afterwork.start((signal) => fileCorrectionRule(context, signal));
      context.emit({ type: 'status' });
      return requireProposal(context, proposal);
    },
    explainNeedToAsk: async (id) =>
      context.charter.reasonToAsk(await requireProposal(context, id)) ??
      ((await ports.sandbox.isolation()).confined ? null : NO_ISOLATION),
  };
}
