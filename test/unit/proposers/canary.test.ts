// A task that cannot be solved: what is looked at before it is given, and that its question looks like any other.

import { expect, test } from 'vitest';
import type { Proposer, ProposerRequest } from '../../../server/src/core/ports/proposers.ts';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import { CANARY_ID, sendQuestion, type OutgoingQuestion } from '../../../server/src/core/session/ask/askOnce.ts';
import { taskId } from '../../../server/src/core/session/ask/taskId.ts';
import type { Settings } from '../../../server/src/settings/schema.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { createPart } from '../../helpers/createPart.ts';

const signal = new AbortController().signal;
const ROUND = "import { rate } from '../src/rate.ts';\ntest('rate', () => expect(rate(100)).toBe(1));\n";
const FILES = {
  'src/rate.ts': 'export const rate = (value: number): number => value / 100;\n',
  'test/rate.test.ts': ROUND,
};

/** Asks for one or more tasks that cannot be solved, in one session. Returns why none was given, and the sandboxes. */
async function given(proposer: Partial<Proposer>, settings: Partial<Settings> = {}, times = 1) {
  await using world = await createSessionWorld(FILES);
  const open = (name: string): Proposer => ({
    name,
    destination: null,
    ask: async () => ({ text: 'No idea.', finished: true, model: 'm', usage: null }),
    ...proposer,
  });
  const session = await world.session({ settings, change: () => ({ proposers: { open, list: async () => [] } }) });
  await session.memory.index({ signal });
  const outcomes = [];
  for (let time = 0; time < times; time += 1) {
    const before = world.sandbox.openedCount();
    const outcome = await session.questions.canary({ proposer: 'm', signal, onOutcome: async () => undefined });
    outcomes.push([outcome.asked ? null : outcome.reason, world.sandbox.openedCount() - before]);
  }
  return outcomes;
}

test('whoever answers between two runs is not given one, and no test is run for that', async () => {
  expect(await given({ fileQuestion: async () => 'a file' })).toEqual([['Nobody answers while the run continues.', 0]]);
});

test('no test is run if the question would not be sent anyway', async () => {
  const [[reason, opened] = []] = await given({ maxQuestionTokens: async () => 10 });
  expect(reason).toContain('reads at most 10');
  expect(opened).toBe(0);
});

test('a contradiction that does not fail today is not run again', async () => {
  const none = 'No test was found here that a new one could contradict.';
  expect(await given({}, {}, 2)).toEqual([
    [none, expect.toSatisfy((opened: number) => opened > 0)],
    [none, 0],
  ]);
});

test('the question has the ids of a request in the same words', async () => {
  const words = 'Let the test “rate (2)” pass.';
  const sent: ProposerRequest[] = [];
  const proposer = { name: 'm', ask: async (request: ProposerRequest) => (sent.push(request), { text: '' }) };
  const context = createPart<SessionContext>({
    ports: {
      ids: { next: () => 'ask-1' },
      clock: { now: () => 0 },
      proposers: { open: () => ({ ...proposer, destination: null }) },
    },
    settings: { 'models.answerSeconds': 60 },
    ledger: { record: async () => undefined, query: async () => [] },
  });
  const request = { kind: 'request', id: taskId({ words }), opportunity: null, path: null } as const;
  for (const task of [request, { ...request, kind: 'canary' as const, id: CANARY_ID + request.id }]) {
    const messages = [{ role: 'user', content: words }];
    await sendQuestion(
      context,
      createPart<OutgoingQuestion>({
        ...{ proposer, task, messages, sample: null, maxTokens: 9 },
        ...{ time: { seconds: 60, budget: null }, loads: null, research: [] },
      }),
      {
        signal,
      },
    );
  }
  expect(sent[1]).toEqual(sent[0]);
});
