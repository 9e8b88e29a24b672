// Creates the façade's `proposals` section: changes before they are applied.

import type { Proposals } from '../../session.ts';
import { findApplyPause } from '../apply/applyPause.ts';
import { findAskPause } from '../apply/askPause.ts';
import { withActivity, type SessionContext } from '../context.ts';
import type { Freshness } from '../freshness.ts';
import { fileCorrectionRule } from '../learn/inbox/filing.ts';
import { NO_ISOLATION } from '../verify/isolation.ts';
import { requireProposal } from '../verify/verifying.ts';
import { findAcceptanceTest } from '../ask/acceptance.ts';
import { askQuestion } from '../ask/asking.ts';
import { computeSpending } from '../../proposers/accounts.ts';
import { describeFailedTask, findInterventions, listFailedTasks } from '../ask/interventions.ts';
import { findShownCode } from '../ask/shown/shownCode.ts';
import { computeProposalCost } from '../ask/costOfProposal.ts';
import { readAskEvents } from '../ask/pastAttempts.ts';
import { allowResearch, researchAnswer } from '../ask/researching.ts';
import { askCanary } from '../ask/canary.ts';
import { askNext } from '../ask/askNext.ts';
import { getRunId } from '../ask/attemptRunId.ts';
import { createConsents } from './consents.ts';
import { listDeferredAsBusy, propose } from './proposing.ts';
import { proposeEdits, proposeTransform } from './proposingEdits.ts';

/** Creates the section of one session. */
export function createProposalSection(context: SessionContext, { analyseOnce, index }: Freshness): Proposals {
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
    ask: (request) =>
      operations.run(async (signal) => {
        await analyseOnce({ ...request, signal });
        return withActivity(context, 'proposing', () => askQuestion(context, request, signal));
      }, request.signal),
    askNext: (request) =>
      operations.run(async (signal) => {
        await analyseOnce({ ...request, signal });
        if (context.state.lastIndex === null) await index({ ...request, signal });
        return withActivity(context, 'proposing', () => askNext(context, request, signal));
      }, request.signal),
    acceptanceTest: (request) =>
      operations.run(async (signal) => {
        await analyseOnce({ ...request, signal });
        return withActivity(context, 'proposing', () => findAcceptanceTest(context, { ...request, signal }));
      }, request.signal),
    canary: (request) =>
      operations.run(async (signal) => {
        await analyseOnce({ ...request, signal });
        if (context.state.lastIndex === null) await index({ ...request, signal });
        return withActivity(context, 'proposing', () => askCanary(context, { ...request, signal }));
      }, request.signal),
    applyPause: (proposer) => findApplyPause(context, proposer),
    askPause: (proposer, kind) => findAskPause(context, proposer, kind),
    runId: () => getRunId(context),
    interventions: (id) => findInterventions(context, id),
    failedTasks: () => listFailedTasks(context),
    describeFailed: (task) => describeFailedTask(context, task),
    dropTask: async (task) => {
      await ledger.record({ type: 'taskDropped', data: { task, by: 'person' } });
      context.emit({ type: 'status' });
    },
    spending: async () => computeSpending(await readAskEvents(context), ports.clock.now()),
    cost: (id) => computeProposalCost(context, id),
    shownCode: (id) => findShownCode(context, id),
    ...createConsents(context),
    researchTool: () => ports.research ?? null,
    allowResearch: (when) => allowResearch(context, when),
    researchAnswer: () => researchAnswer(context),
    proposers: (signal) => ports.proposers.list(signal),
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
    reasonToAsk: async (id) =>
      context.charter.reasonToAsk(await requireProposal(context, id)) ??
      ((await ports.sandbox.isolation()).confined ? null : NO_ISOLATION),
  };
}
