// A rule is tried on recorded tasks: one that makes a model worse is switched off, another one stays.

import { expect, test } from 'vitest';
import type { Proposer } from '../../../server/src/core/ports/proposers.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { decidedChanges, recordDecided } from '../../helpers/learnedLedger.ts';
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

async function write(session: Session, text: string): Promise<string> {
  const { version } = await session.learned.readRules('CODE');
  await session.learned.writeRule({ file: 'CODE', version, text, by: 'person', events: [] });
  return (await session.learned.rules()).find((rule) => rule.text === text)!.id;
}
const stateOf = async (session: Session, id: string) =>
  (await session.learned.rules()).find((rule) => rule.id === id)!.state;

test('a rule that makes answers worse is switched off and kept, another one stays on', async () => {
  await using world = await createSessionWorld({ 'src/a.ts': 'export const a = 1;\n' });
  await recordDecided(world.stateDir, decidedChanges(16));
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
  expect((await session.proposals.spending()).tokens).toBe(48 * 110);
  expect(await session.ledger.verify()).toMatchObject({ intact: true });
  // A trial is no attempt at a task, so it says nothing about the proposer's success.
  expect((await session.learned.strategies()).filter(({ by }) => by === 'scripted')).toEqual([]);
});

test('with too few recorded tasks nothing is asked, and the answer is unknown', async () => {
  await using world = await createSessionWorld({ 'src/a.ts': 'export const a = 1;\n' });
  await recordDecided(world.stateDir, decidedChanges(5));
  const session = await world.session({ change });
  const rule = await write(session, HARMFUL);
  const trial = await session.learned.tryRule({ ...operation, ...limits, rule });
  expect(trial).toMatchObject({ outcome: 'unknown', tasks: 5, tokens: 0 });
  expect(trial.reason).toContain('it takes 10');
  expect(await stateOf(session, rule)).toBe('on');
  expect((await session.proposals.spending()).questions).toBe(0);
});

test('the budget ends a trial on both sides at the same task', async () => {
  await using world = await createSessionWorld({ 'src/a.ts': 'export const a = 1;\n' });
  await recordDecided(world.stateDir, decidedChanges(16));
  const session = await world.session({ change });
  const rule = await write(session, HARMFUL);
  const trial = await session.learned.tryRule({ ...operation, ...limits, tokens: 500, rule });
  expect(trial).toMatchObject({ outcome: 'unknown', tasks: 3, tokens: 660 });
  const day = await world.session({ change, settings: { 'models.tokensPerDay': 600 } });
  await expect(day.learned.tryRule({ ...operation, ...limits, rule })).rejects.toMatchObject({ reason: 'forbidden' });
});
