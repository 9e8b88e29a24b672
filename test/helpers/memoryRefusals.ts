// The sections and functions that the small session in `memorySession.ts` does not support.

import type { Session } from '../../server/src/core/session.ts';
import { SelfwareError } from '../../server/src/util/typedError.ts';

const rejectQuestion = () => Promise.reject(new SelfwareError('unavailable', 'Nobody is asked here.'));
/** Refuses to file edits from outside. */
export const rejectBroughtEdits = () => Promise.reject(new SelfwareError('unavailable', 'Nothing is brought here.'));

/** The sections about questions to models and agents, which ask nobody. */
export const asksNobody = {
  questions: {
    ask: rejectQuestion,
    askNext: rejectQuestion,
    acceptanceTest: rejectQuestion,
    canary: rejectQuestion,
    askPause: async () => null,
    proposers: async () => [],
    spending: async () => ({ tokens: 0, money: 0, questions: 0, unpriced: 0, savedTokens: 0 }),
    runId: () => 'run',
  },
  consents: {
    agree: async () => undefined,
    all: async () => [],
    withdraw: async () => [],
    needed: async () => null,
    sendsReferences: () => false,
    withoutRoles: (proposer) => proposer,
  },
  research: { tool: () => null, allow: () => undefined, answer: () => null },
  failedTasks: {
    interventions: async () => [],
    all: async () => [],
    describe: async ({ task }) => ({ task, attempts: 0, tried: [], learned: [], corrections: [] }),
    drop: async () => {},
  },
} satisfies Partial<Session>;
