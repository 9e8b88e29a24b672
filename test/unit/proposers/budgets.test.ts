// Every budget of questions: each stops a question when it is used up, names itself, its value and its setting, and holds
// when another process continues.

import { once } from 'node:events';
import { expect, test } from 'vitest';
import { watchAnswer } from '../../../server/src/adapters/models/answerLimits.ts';
import { computeAccount, type AskEvent } from '../../../server/src/core/proposers/accounts.ts';
import { BUDGETS } from '../../../server/src/core/proposers/budgets.ts';
import type { Proposer, ProposerRequest } from '../../../server/src/core/ports/proposers.ts';
import type { Settings } from '../../../server/src/settings/schema.ts';
import { createSessionWorld, type SessionWorld } from '../../helpers/memorySessionPorts.ts';

const FILES = { 'src/rate.ts': 'export function rate(value: number): number {\n  return value / 100;\n}\n' };
const DAY_MS = 24 * 3_600_000;
const SECONDS = 30;
const task = { words: 'Make rate in src/rate.ts exact' };
const operation = () => ({ signal: new AbortController().signal });

/**
 * A session, as of a process that works on the run of this night; what it asks, and an answer that is no change.
 * `onLoads`: called when the server is asked whether the model is in memory.
 */
async function processOf(
  world: SessionWorld,
  night: number,
  settings: Partial<Settings> = {},
  onLoads = async (): Promise<unknown> => undefined,
) {
  const asked: ProposerRequest[] = [];
  const open = (name: string): Proposer => ({
    name,
    destination: null,
    loadsModel: () => onLoads().then(() => true),
    async ask(request) {
      asked.push(request);
      world.clock.advance(SECONDS * 1000);
      const usage = { input: 100, output: 10, cached: 0, estimated: false };
      return { text: `I do not know, for the ${asked.length}. time.`, finished: true, model: 'm', usage };
    },
  });
  const session = await world.session({
    runStartedAt: night,
    settings: { 'models.prices': { p: { input: 1_000_000, output: 0 } }, ...settings },
    change: () => ({ proposers: { open, list: async () => [] } }),
  });
  const ask = () => session.questions.ask({ task, proposer: 'p', ...operation() });
  return { session, asked, ask };
}

/** What two questions use, and how a message writes it. */
const USED = { tokens: 220, money: 200, seconds: 2 * SECONDS, attempts: 2 } as const;
const WRITTEN = {
  tokens: '220 of 220 tokens',
  money: '200.00 of 200.00',
  seconds: '60 of 60 seconds for questions',
  attempts: '2 of 2 attempts',
} as const;

test.each(BUDGETS)('$setting holds after a restart of the process', async ({ scope, kind, setting }) => {
  await using world = await createSessionWorld(FILES);
  const first = await processOf(world, 1);
  expect([await first.ask(), await first.ask()]).toMatchObject([{ final: false }, { final: false }]);
  expect(first.asked).toHaveLength(2);
  await first.session.close();
  const later = await processOf(world, 1, { [setting]: USED[kind] } as Partial<Settings>);
  const refused = await later.ask();
  expect(refused).toMatchObject({ unasked: true, final: scope === 'task' ? 'task' : 'all' });
  expect(refused.refused).toContain(WRITTEN[kind]);
  expect(refused.refused).toMatch(/ Done until then: .*(?:2 attempts|220 tokens)/);
  expect(refused.refused).toMatch(new RegExp(`Raise .*${setting}\\b`));
  expect(later.asked).toEqual([]);
  // What a run has used ends no other run.
  const other = await processOf(world, 2, { [setting]: USED[kind] } as Partial<Settings>);
  expect((await other.ask()).refused?.includes(WRITTEN[kind])).toBe(scope !== 'run');
  const raised = await processOf(world, 1, { [setting]: 1_000_000 } as Partial<Settings>);
  await raised.ask();
  expect(raised.asked).toHaveLength(1);
  if (scope !== 'day') return;
  world.clock.advance(DAY_MS);
  const tomorrow = await processOf(world, 1, { [setting]: USED[kind] } as Partial<Settings>);
  const outcome = await tomorrow.ask();
  // Nothing of yesterday counts, but the limits of tokens and money are smaller than one question here.
  expect(outcome.refused).not.toContain(WRITTEN[kind]);
});

test('without these settings, nothing but the tokens of a task and a day is limited', async () => {
  await using world = await createSessionWorld(FILES);
  const { ask, asked, session } = await processOf(world, 1);
  for (let count = 0; count < 9; count += 1) await ask();
  expect(asked).toHaveLength(9);
  const [question] = await session.ledger.query({ types: ['asked'] });
  expect(question!.data).toMatchObject({ budget: { seconds: 600 } });
});

test('the time of a question ends with the budget, and is recorded so; nobody is asked without a useful time', async () => {
  await using world = await createSessionWorld(FILES);
  const { ask, asked, session } = await processOf(world, 1, {
    'models.secondsPerRun': 119,
    'models.secondsPerDay': 500,
  });
  const before = world.clock.now();
  await ask();
  await ask();
  expect(asked.map(({ deadline }) => (deadline - before) / 1000)).toEqual([119, SECONDS + 89]);
  expect(asked.map(({ deadlineBudget }) => deadlineBudget)).toEqual(Array(2).fill('models.secondsPerRun'));
  const events = await session.ledger.query({ types: ['asked'] });
  expect(events.map(({ data }) => (data as { budget: { seconds: number } }).budget.seconds)).toEqual([119, 89]);
  // 59 seconds are left.
  expect(await ask()).toMatchObject({ unasked: true, refused: expect.stringMatching(/60 of 119 .* too few are left/) });
  expect(asked).toHaveLength(2);
  // A short answer needs less, and so does a budget that is shorter than that.
  for (const [number, settings] of [
    { 'models.secondsPerRun': 119, 'models.answerSeconds': 59 },
    { 'models.secondsPerRun': 20 },
  ].entries()) {
    const other = await processOf(world, number === 0 ? 1 : 2, settings);
    await other.ask();
    expect(other.asked).toHaveLength(1);
  }
});

test('an answer that a budget of time has cut off names that budget, is no outage, and ends the task alone', async () => {
  await using world = await createSessionWorld(FILES);
  const open = (name: string): Proposer => ({
    name,
    destination: null,
    ask: async ({ messages, maxTokens, deadline, deadlineBudget }, signal, onText) => {
      const request = { messages, maxTokens, ...(deadlineBudget === undefined ? {} : { deadlineBudget }) };
      world.clock.advance(deadline - world.clock.now());
      return watchAnswer({ name, isLocal: true }, { ...request, deadline: 0 }, signal, onText, ({ signal: ended }) =>
        ended.aborted ? Promise.reject(new Error()) : once(ended, 'abort').then(() => Promise.reject(new Error())),
      );
    },
  });
  const session = await world.session({
    settings: { 'models.secondsPerTask': 70 },
    change: () => ({ proposers: { open, list: async () => [] } }),
  });
  const outcome = await session.questions.ask({ task, proposer: 'p', ...operation() });
  expect(outcome).toMatchObject({ final: 'task', refused: expect.stringContaining('Raise models.secondsPerTask') });
  expect(outcome).not.toHaveProperty('postponed');
  const [answer] = await session.ledger.query({ types: ['answered'] });
  expect(answer!.data).toMatchObject({ outcome: 'failed', usage: { estimated: true } });
  expect(answer!.data).not.toHaveProperty('outage');
});

test('all answers to one question are one attempt', async () => {
  await using world = await createSessionWorld(FILES);
  const { ask, asked } = await processOf(world, 1, { 'models.samples': 3, 'models.attemptsPerDay': 1 });
  await ask();
  expect(asked).toHaveLength(3);
  expect((await ask()).refused).toContain('1 of 1 attempts');
});

test('the server is asked once for each question what is in memory, before the budgets are checked', async () => {
  await using world = await createSessionWorld(FILES);
  const other = await processOf(world, 2);
  const settings = { 'models.samples': 2, 'models.attemptsPerDay': 2 };
  let calls = 0;
  const { ask, asked, session } = await processOf(world, 1, settings, async () => {
    calls += 1;
    if (calls > 1) await other.ask();
  });
  await ask();
  expect([asked.length, calls]).toEqual([2, 1]);
  const events = await session.ledger.query({ types: ['asked'] });
  expect(events.map(({ data }) => (data as { loads?: boolean }).loads)).toEqual([true, undefined]);
  // Another process takes the last attempt of the day meanwhile.
  expect((await ask()).refused).toContain('2 of 2 attempts');
  expect(asked).toHaveLength(2);
});

test('a question in progress reserves its time; one whose process died counts a minute of it', () => {
  const about = { kind: 'request', id: 'k', opportunity: null, path: null } as const;
  const budget = { replyTokens: 500, seconds: 400 };
  const asked: AskEvent = {
    at: 0,
    asked: { ask: 'a', run: 'r', task: about, proposer: 'p', promptTokens: 100, budget },
  };
  expect(computeAccount([asked], 'k', 'other', 10_000)).toMatchObject({
    daySeconds: 400,
    runSeconds: 0,
    dayAttempts: 1,
  });
  expect(computeAccount([asked], 'k', 'r', 500_000)).toMatchObject({ taskSeconds: 60, runSeconds: 60, runAttempts: 1 });
  const none = { reason: null, proposal: null, model: null, usage: null, format: null, rung: null };
  const cancelled: AskEvent = {
    at: 0,
    answered: { ask: 'a', task: about, outcome: 'cancelled', ...none, millis: 2000 },
  };
  expect(computeAccount([asked, cancelled], 'k', 'r', 10_000)).toMatchObject({ daySeconds: 2, dayAttempts: 0 });
  // The clock was set back during the question.
  const early = { ...cancelled, answered: { ...cancelled.answered!, millis: -3_600_000 } };
  expect(computeAccount([asked, early], 'k', 'r', 10_000)).toMatchObject({ daySeconds: 0 });
});
