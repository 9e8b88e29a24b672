// Who of the proposers of a role is asked, through a whole session: by success per cost, unless the person has said it.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Proposer } from '../../../server/src/core/ports/proposers.ts';
import { describeItem } from '../../../server/src/core/session/learn/inbox/describe.ts';
import type { Session } from '../../../server/src/core/session.ts';
import type { Settings } from '../../../server/src/settings/schema.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createSessionWorld, passingRun, type SessionWorld } from '../../helpers/memorySessionPorts.ts';

const { signal } = new AbortController();
const operation = { signal };
const DAY_MS = 86_400_000;
const BODY = `  let total = 0;
  if (value > 0) {
    if (count > 10) {
      if (member) {
        if (value < 100) {
          if (count > 20) {
            if (value < 90) {
              total = value / 100;
            }
          }
        }
      }
    }
  }
  return total;
`;
const FILES = {
  'src/rate.ts': `/** Price of an order. */\nexport function rate(value: number, count: number, member: boolean): number {\n${BODY}}\n`,
  'test/rate.test.ts': "import { rate } from '../src/rate.ts';\nif (rate(50, 21, true) !== 0.5) throw new Error();\n",
};
const [A, B] = ['command:a', 'command:b'] as const;
const ROLE = { 'models.roles.coding': `${A}, ${B}` } as const;

const createWorld = () => createSessionWorld(FILES, { commands: { 'run-tests': () => passingRun } });

/** A session whose proposer b answers with a good change, and a with nothing that can be read. */
async function scripted(world: SessionWorld, settings: Partial<Settings> = {}, remote: readonly string[] = []) {
  const asked: string[] = [];
  const down = new Set<string>();
  /** Number of events in each read for the order. */
  const reads: number[] = [];
  let answers = 0;
  const open = (name: string): Proposer => ({
    name,
    destination: remote.includes(name) ? 'example.org' : null,
    async ask() {
      asked.push(name);
      if (down.has(name)) throw new SelfwareError('unavailable', `${name} is down.`);
      answers += 1;
      const applies = 'value > 0 && value < 90 && count > 20 && member';
      const replace = `  const applies${answers} = ${applies};\n  return applies${answers} ? value / 100 : 0;\n`;
      const edits = [{ file: 'src/rate.ts', search: BODY, replace }];
      const text = name === A ? 'I would rather not.' : JSON.stringify({ description: `Rate ${answers}`, edits });
      return { text, finished: true, model: 'm', usage: { input: 100, output: 10, cached: 0, estimated: false } };
    },
  });
  const session = await world.session({
    settings: { ...ROLE, ...settings },
    change: ({ ledger }) => ({
      proposers: { open, list: async () => [] },
      ledger: {
        ...ledger,
        async read(query) {
          const events = await ledger.read(query);
          if (query.types?.includes('nightCommitted') && query.types.includes('asked')) reads.push(events.length);
          return events;
        },
      },
    }),
  });
  return { session, asked, down, reads };
}

/** Asks for something new, and lets its change pass the gates. */
async function ask(session: Session, proposer: string, words: string): Promise<void> {
  const { proposal } = await session.questions.ask({ ...operation, task: { words }, proposer });
  if (proposal) expect((await session.verification.verify(proposal.id, operation)).status).toBe('verified');
}

/** Asks each of both, by name, about as many tasks. */
async function askBoth(session: Session, count: number): Promise<void> {
  for (let task = 1; task <= count; task += 1)
    for (const name of [A, B]) await ask(session, name, `Make the rate simpler, number ${task} for ${name}`);
}

test('a role asks whoever passes more often first; the figures and the reason are shown', async () => {
  await using world = await createWorld();
  const { session, asked } = await scripted(world);
  expect(await session.learned.orders()).toEqual([]);
  await ask(session, 'role:coding', 'Make the rate simpler');
  expect(asked).toEqual([A]);

  await askBoth(session, 6);
  const [order, ...others] = await session.learned.orders();
  expect(others).toEqual([]);
  expect(order).toMatchObject({ role: 'coding', rule: 'request', basis: 'drawn', preferences: [] });
  expect(order!.figures).toMatchObject([
    { name: B, tries: 6, passed: 6, cost: 110, unit: 'tokens' },
    { name: A, tries: 7, passed: 0 },
  ]);
  asked.length = 0;
  await ask(session, 'role:coding', 'Make the rate simpler still');
  await ask(session, 'role:auto', 'Make the rate very simple');
  expect(asked).toEqual([B, B]);
  // Another process with the same ledger makes the same choice.
  const other = await scripted(world);
  expect(await other.session.learned.orders()).toEqual(await session.learned.orders());
});

test('who gets code is asked after one on this machine, however often that one fails, until a person prefers it', async () => {
  await using world = await createWorld();
  const { session, asked } = await scripted(world, { 'models.prices': { [B]: { input: 1, output: 1 } } }, [B]);
  await session.consents.agree({ destination: 'example.org', sends: ['excerpts', 'references'] });
  await askBoth(session, 6);
  expect(await session.learned.orders()).toMatchObject([
    {
      basis: 'costly',
      figures: [
        { name: A, unit: 'tokens' },
        { name: B, unit: 'money' },
      ],
    },
  ]);
  asked.length = 0;
  await ask(session, 'role:coding', 'Make the rate simpler still');
  expect(asked).toEqual([A]);
});

test('an order is proposed for the role that gets the task alone, and a wrong role hides nothing else', async () => {
  await using world = await createWorld();
  const onlyReasoning = { 'models.roles.coding': A, 'models.roles.reasoning': `${A}, ${B}`, 'models.order': 'listed' };
  const { session } = await scripted(world, onlyReasoning as Partial<Settings>);
  await askBoth(session, 9);
  const look = async (of: Session) => {
    world.clock.advance(DAY_MS);
    await of.learned.lookAtFeedback(signal);
    return (await of.inbox.list()).open;
  };
  expect(await look(session)).toEqual([]);
  const wrong = await scripted(world, { 'models.roles.intent': 'role:coding' });
  expect(await look(wrong.session)).toEqual([]);
  expect((await wrong.session.status()).notices.map(({ message }) => message)).toContain(
    'The role intent names a role.',
  );
  const right = await scripted(world, { 'models.order': 'listed' });
  expect(await look(right.session)).toMatchObject([{ kind: 'preference', first: B, second: A }]);
});

test('each answer is read once for the order, however often the order is needed', async () => {
  await using world = await createWorld();
  const { session, reads } = await scripted(world);
  await askBoth(session, 2);
  const before = await session.learned.orders();
  expect(before[0]!.figures.map(({ tries }) => tries)).toEqual([2, 2]);
  reads.length = 0;
  expect(await session.learned.orders()).toEqual(before);
  await ask(session, A, 'One more for the first');
  const [after] = await session.learned.orders();
  expect(after!.figures.find(({ name }) => name === A)!.tries).toBe(3);
  expect(reads).toEqual([0, 2]);
});

test('the order that a person has written wins: a list of names, and the setting `listed`', async () => {
  await using world = await createWorld();
  const { session, asked } = await scripted(world);
  await askBoth(session, 6);
  asked.length = 0;
  await ask(session, `${A},${B}`, 'Make the rate simpler');
  expect(asked).toEqual([A]);
  const listed = await scripted(world, { 'models.order': 'listed' });
  await ask(listed.session, 'role:coding', 'Make the rate simpler still');
  expect(listed.asked).toEqual([A]);
  expect(await listed.session.learned.orders()).toMatchObject([
    { basis: 'listed', figures: [{ name: A }, { name: B }] },
  ]);
});

test('a person rejecting a change counts against its proposer, and who gives no answer comes last', async () => {
  await using world = await createWorld();
  const { session, asked, down } = await scripted(world);
  await askBoth(session, 3);
  for (const { id } of await session.proposals.all())
    await session.proposals.decide({ proposal: id, verdict: 'rejected', by: 'person', reason: null });
  expect((await session.learned.orders())[0]!.figures.map(({ passed }) => passed)).toEqual([0, 0]);

  down.add(A);
  asked.length = 0;
  for (const number of [1, 2, 3]) await ask(session, `${A},${B}`, `Make it simpler in way ${number}`);
  expect(asked).toEqual([A, B, B, B]);
});

test('beyond doubt, an order is proposed with its evidence; accepted it holds, and it can be taken back', async () => {
  await using world = await createWorld();
  const settings = { 'models.order': 'listed' } as const;
  const { session, asked } = await scripted(world, settings);
  const look = async () => {
    world.clock.advance(DAY_MS);
    await session.learned.lookAtFeedback(signal);
    return (await session.inbox.list()).open;
  };
  await askBoth(session, 7);
  expect(await look()).toEqual([]);
  await ask(session, A, 'One more for the first');
  await ask(session, B, 'One more for the second');
  const [item, ...others] = await look();
  expect(others).toEqual([]);
  expect(item).toMatchObject({ kind: 'preference', rule: 'request', first: B, second: A, by: 'selfware' });
  expect(item!.description).toContain('8 of 8 answers of command:b passed, at 110 tokens each; 0 of 8 answers');
  expect(item!.description).toMatch(/With a probability of 9\d %, command:b has more success per cost\.$/);
  const events = await session.ledger.query({});
  const cited = events.filter(({ sequence }) => item!.events.includes(sequence));
  expect(new Set(cited.map(({ type }) => type))).toEqual(new Set(['answered']));
  expect(cited).toHaveLength(16);
  const file = await readFile(join(world.stateDir, 'inbox', 'preferences.toml'), 'utf8');
  expect(file).toContain('first = "command:b"');

  // Nothing changes before a person has decided.
  asked.length = 0;
  await ask(session, 'role:coding', 'Before the decision');
  await session.inbox.decide({ item: item!.id, verdict: 'applied', reason: null, shown: describeItem(item!) }, signal);
  await ask(session, 'role:coding', 'After the decision');
  expect((await session.learned.orders())[0]).toMatchObject({ preferences: [{ first: B, second: A }] });
  expect(await look()).toEqual([]);
  await session.inbox.decide({ item: item!.id, verdict: 'rejected', reason: 'Too new' }, signal);
  await ask(session, 'role:coding', 'After it was taken back');
  expect(asked).toEqual([A, B, A]);
  expect(await look()).toEqual([]);
  expect(await session.ledger.verify()).toMatchObject({ intact: true });
});
