// Creates the façade's `questions` section: questions to language models and coding agents, and their costs.

import { computeSpending } from '../../../proposers/accounts.ts';
import type { Questions } from './sectionTypes.ts';
import { findAskPause } from '../../apply/askPause.ts';
import { withActivity, type SessionContext } from '../../context.ts';
import type { Freshness } from '../../freshness.ts';
import { findAcceptanceTest } from '../acceptance.ts';
import { askQuestion } from '../asking.ts';
import { askNext } from '../askNext.ts';
import { getOrCreateRunId } from '../attemptRunId.ts';
import { askCanary } from '../canary.ts';
import { readAskEvents } from '../pastAttempts.ts';

/** Creates the section of one session. */
export function createQuestionSection(context: SessionContext, { analyseOnce, index }: Freshness): Questions {
  const { operations, ports } = context;
  return {
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
    askPause: (proposer, kind) => findAskPause(context, proposer, kind),
    proposers: (signal) => ports.proposers.list(signal),
    spending: async () => computeSpending(await readAskEvents(context), ports.clock.now()),
    runId: () => getOrCreateRunId(context),
  };
}
