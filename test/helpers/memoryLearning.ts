// The sections about learning and training of the small session in `memorySession.ts`, which learns nothing.

import type { Session } from '../../server/src/core/session.ts';
import { SelfwareError } from '../../server/src/util/typedError.ts';

/** The sections `learned`, `inbox`, `performance` and `training`. Records of feedback are added to `calls`. */
export function createMemoryLearning(calls: string[]): Pick<Session, 'learned' | 'inbox' | 'performance' | 'training'> {
  const rejectUnavailable = () => Promise.reject(new SelfwareError('unavailable', 'Nothing is learned here.'));
  return {
    learned: {
      lessons: async () => [],
      trace: () => Promise.reject(new SelfwareError('notFound', 'Nothing was learned here.')),
      forget: () => Promise.reject(new SelfwareError('notFound', 'Nothing was learned here.')),
      strategies: async () => [],
      orders: async () => [],
      record: async ({ kind, dimension }) => void calls.push(`feedback ${kind} ${dimension}`),
      analyseFeedback: rejectUnavailable,
      lookAtFeedback: async () => null,
      rules: async () => [],
      readRules: rejectUnavailable,
      writeRule: rejectUnavailable,
      switchRule: rejectUnavailable,
      seedRules: rejectUnavailable,
      repositoryRules: async () => [],
      acceptRepositoryRules: rejectUnavailable,
      refuseRepositoryRules: rejectUnavailable,
      tryRule: rejectUnavailable,
    },
    inbox: {
      list: async () => ({ open: [], decided: [] }),
      commands: async () => [],
      propose: rejectUnavailable,
      decide: rejectUnavailable,
      run: rejectUnavailable,
    },
    performance: {
      report: async () => ({ figures: [], bottlenecks: [], outcomes: [] }),
      task: rejectUnavailable,
      asked: rejectUnavailable,
    },
    training: {
      dataset: rejectUnavailable,
      state: rejectUnavailable,
      record: async ({ type }) => void calls.push(type),
      throwIfStopped: async () => undefined,
      newId: () => 'run-1',
      ask: async () => [],
      judge: async () => [],
      consented: async () => false,
      consent: async () => undefined,
    },
  };
}
