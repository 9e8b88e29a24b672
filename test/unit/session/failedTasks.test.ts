// The tasks that wait for a person, in a ledger with many of them: each event is read a few times, and no text is loaded.

import { expect, test } from 'vitest';
import { describeFailedTask, listFailedTasks } from '../../../server/src/core/session/ask/interventions.ts';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import { createPart } from '../../helpers/createPart.ts';

const TASKS = 200;

function contextOf(reads: { tasks: number; texts: number }): SessionContext {
  const counting = <Data extends object>(data: Data, task: object) =>
    Object.defineProperty(data, 'task', { enumerable: true, get: () => ((reads.tasks += 1), task) });
  const events = Array.from({ length: TASKS }, (_, index) => {
    const task = { kind: 'request', id: `t-${index}`, opportunity: null, path: null };
    const ask = `ask-${index}`;
    const budget = { replyTokens: 1, seconds: 1 };
    const question = { ask, run: 'earlier', proposer: 'm', promptTokens: 1, budget };
    const answer = { ask, outcome: 'refused', reason: 'No.', proposal: `p-${index}`, usage: null };
    return [
      { sequence: 2 * index + 1, at: index, type: 'asked', data: counting(question, task) },
      { sequence: 2 * index + 2, at: index, type: 'answered', data: counting(answer, task) },
    ];
  }).flat();
  const proposals = [
    { id: 'p-0', status: 'kept' },
    { id: 'p-1', status: 'refused' },
  ];
  const ledger = {
    query: async ({ types }: { readonly types: readonly string[] }) =>
      events.filter(({ type }) => types.includes(type)),
    proposals: async () => proposals,
    histories: async () => proposals,
    proposal: async () => ((reads.texts += 1), { reason: 'tests: No.' }),
  };
  return createPart<SessionContext>({ ledger, ports: { clock: { now: () => TASKS }, ids: { next: () => 'run' } } });
}

test('many failed tasks are listed in linear work; their texts are loaded one by one', async () => {
  const reads = { tasks: 0, texts: 0 };
  const context = contextOf(reads);
  const failedTasks = await listFailedTasks(context);
  // The first one led to a change that was kept.
  expect(failedTasks).toHaveLength(TASKS - 1);
  expect(failedTasks[0]).toMatchObject({ task: { id: 't-1' }, askedAt: 1, rounds: 1, waits: false });
  expect(reads.tasks).toBeLessThan(20 * TASKS);
  expect(reads.texts).toBe(0);
  expect(await describeFailedTask(context, failedTasks[0]!)).toMatchObject({ attempts: 1, tried: ['Tests: No.'] });
  expect(reads.texts).toBe(1);
});
