// A rule is tried on recorded tasks: one that makes a model worse is switched off, another one stays.

import { expect, test } from 'vitest';
import type { RuleFile } from '../../../server/src/core/model/feedback.ts';
import type { Proposer } from '../../../server/src/core/ports/proposers.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createDecidedChanges, recordDecided } from '../../helpers/learnedLedger.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';

const operation = { signal: new AbortController().signal };
const HARMFUL = 'Explain every change in prose instead.';
const HARMLESS = 'Name constants after what they hold.';

/** Answers each recorded task as it was kept, unless it is told to explain. */
const scripted: Proposer = {
  name: 'scripted',
  destination: null,
  async ask({ messages }) {
    const question = messages.map(({ content }) => content).join('\n');
    const [, name] = /let (total\d+) = 0;/.exec(question) ?? [];
    const part = /src\/part\d+\.ts/.exec(question)?.[0];
    const edits = [{ file: part, search: `let ${name} = 0;`, replace: `const ${name} = 0;` }];
    const text = question.includes(HARMFUL)
      ? 'The variable is never written again, so it could be a constant.'
      : JSON.stringify({ description: 'Use const', edits });
    return { text, finished: true, model: 'm', usage: { input: 100, output: 10, cached: 0, estimated: false } };
  },
};
const change = () => ({ proposers: { open: () => scripted, list: async () => [] } });
const limits = { proposer: 'scripted', tasks: 12, tokens: 1_000_000 };

async function write(session: Session, text: string, file: RuleFile = 'CODE', place?: string): Promise<string> {
  const { version } = await session.learned.readRules(file);
  const about = place === undefined ? {} : { place };
  await session.learned.writeRule({ file, version, text, by: 'person', events: [], ...about });
  return (await session.learned.rules()).find((rule) => rule.text === text)!.id;
}
const stateOf = async (session: Session, id: string) =>
  (await session.learned.rules()).find((rule) => rule.id === id)!.state;

test('a rule that makes answers worse is switched off and kept, another one stays on', async () => {
  await using world = await createSessionWorld({ 'src/a.ts': 'export const a = 1;\n' });
  await recordDecided(world.stateDir, createDecidedChanges(16));
  const session = await world.session({ change });
  const [harmless, harmful] = [await write(session, HARMLESS), await write(session, HARMFUL)];
  // The harmful rule is told beside it, so the other one is tried without it.
  await session.learned.switchRule(harmful, 'off');
  const kept = await session.learned.tryRule({ ...operation, ...limits, rule: harmless });
  expect(kept).toMatchObject({ outcome: 'notWorse', tasks: 12, with: 12, without: 12, tokens: 24 * 110 });
  expect(await stateOf(session, harmless)).toBe('on');

  await session.learned.switchRule(harmful, 'on');
  const worse = await session.learned.tryRule({ ...operation, ...limits, rule: harmful });
  expect(worse).toMatchObject({ outcome: 'harmful', with: 0, without: 12, gain: -1 });
  expect(worse.high).toBeLessThan(0);
  expect(await stateOf(session, harmful)).toBe('off');
  // It is listed with its trial, and only a person removes it.
  const lesson = (await session.learned.lessons()).find(({ id }) => id === harmful);
  expect(lesson?.effects.join(' ')).toContain('Tried with scripted: Of 12 tasks, 0 were right with it and 12 without');
  expect((await session.questions.spending()).tokens).toBe(48 * 110);
  expect(await session.ledger.verify()).toMatchObject({ intact: true });
  // A trial is no attempt at a task, so it says nothing about the proposer's success.
  expect((await session.learned.strategies()).filter(({ by }) => by === 'scripted')).toEqual([]);
});

test('with too few recorded tasks nothing is asked, and the answer is unknown', async () => {
  await using world = await createSessionWorld({ 'src/a.ts': 'export const a = 1;\n' });
  await recordDecided(world.stateDir, createDecidedChanges(5));
  const session = await world.session({ change });
  const rule = await write(session, HARMFUL);
  const trial = await session.learned.tryRule({ ...operation, ...limits, rule });
  expect(trial).toMatchObject({ outcome: 'unknown', tasks: 5, tokens: 0 });
  expect(trial.reason).toContain('it takes 10');
  expect(await stateOf(session, rule)).toBe('on');
  expect((await session.questions.spending()).questions).toBe(0);
});

test('the budget ends a trial on both sides at the same task', async () => {
  await using world = await createSessionWorld({ 'src/a.ts': 'export const a = 1;\n' });
  await recordDecided(world.stateDir, createDecidedChanges(16));
  const session = await world.session({ change });
  const rule = await write(session, HARMFUL);
  const trial = await session.learned.tryRule({ ...operation, ...limits, tokens: 500, rule });
  expect(trial).toMatchObject({ outcome: 'unknown', tasks: 3, tokens: 660 });
  const day = await world.session({ change, settings: { 'models.tokensPerDay': 600 } });
  await expect(day.learned.tryRule({ ...operation, ...limits, rule })).rejects.toMatchObject({ reason: 'forbidden' });
  expect(await trials(session)).toBe(1);
});

/** The number of trials in the ledger. */
const trials = async (session: Session) => (await session.ledger.query({ types: ['ruleTried'] })).length;

test('limits of money hold for a trial as for questions', async () => {
  await using world = await createSessionWorld({ 'src/a.ts': 'export const a = 1;\n' });
  await recordDecided(world.stateDir, createDecidedChanges(16));
  const prices = { scripted: { input: 1_000_000, output: 1_000_000 } };
  const priced = { 'models.prices': prices, 'models.costPerRun': 100 };
  const unpriced = await world.session({ change, settings: { 'models.costPerRun': 100 } });
  const rule = await write(unpriced, HARMFUL);
  const refused = unpriced.learned.tryRule({ ...operation, ...limits, rule });
  await expect(refused).rejects.toThrow('The price of scripted is unknown');
  const session = await world.session({ change, settings: priced });
  await expect(session.learned.tryRule({ ...operation, ...limits, rule })).rejects.toThrow('This run has cost');
  expect((await session.questions.spending()).questions).toBe(0);
});

test('nothing is asked with too few tasks, without tests, or about a rule that no model is told', async () => {
  await using world = await createSessionWorld({ 'src/a.ts': 'export const a = 1;\n' });
  await recordDecided(world.stateDir, createDecidedChanges(16));
  const untested = await world.session({ change, settings: { 'verify.testCommand': '' } });
  const rule = await write(untested, HARMFUL);
  const tried = (session: Session, more: object = {}) =>
    session.learned.tryRule({ ...operation, ...limits, rule, ...more });
  await expect(tried(untested)).rejects.toMatchObject({ reason: 'unavailable' });
  const session = await world.session({ change });
  await expect(tried(session, { tasks: 9 })).rejects.toMatchObject({ reason: 'usage' });
  const elsewhere = await write(session, 'Keep the old names of this folder.', 'CODE', 'legacy');
  expect(await tried(session, { rule: elsewhere })).toMatchObject({ outcome: 'unknown', tasks: 0 });
  const ofTools = await write(session, 'Run the tests before you call it done.', 'TOOLS');
  await expect(tried(session, { rule: ofTools })).rejects.toMatchObject({ reason: 'usage' });
  expect((await session.questions.spending()).questions).toBe(0);
});

test('a task without an answer is left out; after three in a row, or when cancelled, the rest counts', async () => {
  await using world = await createSessionWorld({ 'src/a.ts': 'export const a = 1;\n' });
  await recordDecided(world.stateDir, createDecidedChanges(18));
  const end = new AbortController();
  let [asked, failsFrom, cancelsAt] = [0, Infinity, Infinity];
  const flaky: Proposer = {
    ...scripted,
    async ask(request, ...rest) {
      asked += 1;
      if (asked === cancelsAt) end.abort();
      if (asked === 3 || asked > failsFrom) throw new SelfwareError('unavailable', 'It is busy.');
      return scripted.ask(request, ...rest);
    },
  };
  const session = await world.session({
    change: () => ({ proposers: { open: () => flaky, list: async () => [] } }),
  });
  const rule = await write(session, HARMFUL);
  expect(await session.learned.tryRule({ ...operation, ...limits, tasks: 13, rule })).toMatchObject({ tasks: 12 });
  [asked, failsFrom] = [0, 22];
  const short = await session.learned.tryRule({ ...operation, ...limits, tasks: 14, rule });
  expect(short).toMatchObject({ tasks: 10, outcome: 'harmful' });
  expect(short.reason).toContain('It ended early: It is busy.');
  [asked, failsFrom, cancelsAt] = [3, Infinity, 8];
  const cancelled = session.learned.tryRule({ signal: end.signal, ...limits, rule });
  await expect(cancelled).rejects.toMatchObject({ reason: 'cancelled' });
  expect(await trials(session)).toBe(3);
  expect((await session.learned.rules())[0]?.trial).toMatchObject({ tasks: 2, outcome: 'unknown' });
});

test('a second trial says that one is running', async () => {
  await using world = await createSessionWorld({ 'src/a.ts': 'export const a = 1;\n' });
  await recordDecided(world.stateDir, createDecidedChanges(16));
  const other = await world.session({ change });
  const seconds: unknown[] = [];
  const proposer: Proposer = {
    ...scripted,
    async ask(request, ...rest) {
      if (seconds.length === 0)
        seconds.push(await other.learned.tryRule({ ...operation, ...limits, rule }).catch((error: unknown) => error));
      return scripted.ask(request, ...rest);
    },
  };
  const session = await world.session({
    change: () => ({ proposers: { open: () => proposer, list: async () => [] } }),
  });
  const rule = await write(session, HARMLESS);
  expect(await session.learned.tryRule({ ...operation, ...limits, rule })).toMatchObject({ tasks: 12 });
  expect(seconds).toMatchObject([
    { reason: 'locked', message: expect.stringMatching(/^A trial of a rule is running/) },
  ]);
});
