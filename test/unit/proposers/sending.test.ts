// What is checked right before a question is sent: consent to what it shows, and the budgets of that moment.

import { expect, test } from 'vitest';
import { openLedger } from '../../../server/src/app/nights/sharedKnowledge.ts';
import { askForProposal } from '../../../server/src/core/session/ask/askForProposal.ts';
import type { CodeConsent } from '../../../server/src/core/model/asks.ts';
import type { Proposer } from '../../../server/src/core/ports/proposers.ts';
import type { Settings } from '../../../server/src/settings/schema.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createSessionWorld, failingRun } from '../../helpers/memorySessionPorts.ts';

const FILES = { 'src/rate.ts': 'export function rate(value: number): number {\n  return value / 100;\n}\n' };
const operation = () => ({ signal: new AbortController().signal });
const request = { task: { words: 'Make rate in src/rate.ts exact' }, proposer: 'scripted', verify: false };

test('consent to excerpts is none to the whole tree, nor to code of other repositories', async () => {
  await using world = await createSessionWorld(FILES);
  const proposer = (name: string): Proposer => ({
    name,
    destination: 'example.org',
    ...(name === 'command:agent' ? { hasTree: true } : {}),
    ask: () => Promise.reject(new SelfwareError('unavailable', 'Not now.')),
  });
  const sessionWith = (settings: Partial<Settings>) =>
    world.session({ settings, change: () => ({ proposers: { open: proposer, list: async () => [] } }) });
  const session = await sessionWith({});
  // As older versions have recorded it.
  await expect(askForProposal(session, { ...request, proposer: 'command:agent' }, operation())).rejects.toMatchObject({
    message: 'Code would go to example.org (all files of this repository), and nobody has agreed to that.',
  });
  await session.consents.agree({ destination: 'example.org' } as CodeConsent);
  expect(await session.consents.needed('model')).toBeNull();
  const agent = { destination: 'example.org', sends: ['tree'] } as const;
  expect(await session.consents.needed('command:agent')).toEqual({ ...agent, agreed: ['excerpts'] });
  await expect(askForProposal(session, { ...request, proposer: 'command:agent' }, operation())).rejects.toMatchObject({
    reason: 'forbidden',
    message:
      'Code would go to example.org (all files of this repository). Agreed so far: files in questions. ' +
      'New: all files of this repository.',
  });
  const sharing = await sessionWith({ 'models.references': true });
  const excerpts = { destination: 'example.org', sends: ['excerpts', 'references'] } as const;
  expect(await sharing.consents.needed('model')).toEqual({ ...excerpts, agreed: ['excerpts'] });
  await sharing.consents.agree(excerpts);
  expect(await sharing.consents.needed('model')).toBeNull();
  expect(await sharing.consents.needed('command:agent')).toMatchObject({
    ...agent,
    sends: ['tree', 'references'],
  });
  await session.consents.agree(agent);
  expect(await sharing.consents.needed('command:agent')).toBeNull();
});

test('consent that is withdrawn while a question is prepared keeps it from being sent, also in a run', async () => {
  await using world = await createSessionWorld(FILES);
  await using repositoryOfRun = await createSessionWorld(FILES);
  const repository = await repositoryOfRun.session({});
  await repository.consents.agree({ destination: 'example.org', sends: ['excerpts'] });
  const ledgerOfRepository = await openLedger(repositoryOfRun.stateDir, { write: () => undefined });
  let sent = 0;
  const proposer = (name: string): Proposer => ({
    name,
    destination: 'example.org',
    async maxQuestionTokens() {
      await repository.consents.withdraw('example.org');
      return null;
    },
    async ask() {
      sent += 1;
      throw new SelfwareError('unavailable', 'Not now.');
    },
  });
  const session = await world.session({
    repositoryLedger: ledgerOfRepository.ledger,
    change: () => ({ proposers: { open: proposer, list: async () => [] } }),
  });
  expect(await session.questions.askPause('scripted')).toBeNull();
  const message = 'Code would go to example.org, and nobody has agreed to that.';
  await expect(session.questions.ask({ ...request, ...operation() })).rejects.toMatchObject({
    reason: 'forbidden',
    message,
  });
  expect(sent).toBe(0);
  expect(await session.ledger.query({ types: ['asked'] })).toEqual([]);
  expect(await session.questions.askPause('scripted')).toEqual({ reason: message, until: null });
  await ledgerOfRepository.close();
});

test('of a list, only the host stops whose consent a person has withdrawn', async () => {
  await using world = await createSessionWorld(FILES);
  const sent: string[] = [];
  const open = (name: string): Proposer => ({
    name,
    destination: `${name.split(':')[1]}.example`,
    async ask() {
      sent.push(name);
      return { text: 'I do not know.', finished: true, model: null, usage: null };
    },
  });
  const session = await world.session({ change: () => ({ proposers: { open, list: async () => [] } }) });
  const ask = (proposer: string) => session.questions.ask({ ...request, proposer, ...operation() });
  for (const name of ['one', 'two'])
    await session.consents.agree({ destination: `${name}.example`, sends: ['excerpts'] });
  await ask('m:one,m:two');
  await session.consents.withdraw('one.example');
  expect(await session.consents.needed('m:one,m:two')).toBeNull();
  expect(await session.questions.askPause('m:one,m:two')).toBeNull();
  await ask('m:one,m:two');
  expect(sent).toEqual(['m:one', 'm:two']);
  const told = (await session.status()).notices.filter(({ message }) => message.startsWith('m:one is not asked'));
  expect(told).toHaveLength(1);
  // Alone, it needs to be agreed to again; and a host to which nobody has agreed yet is still asked about.
  expect(await session.consents.needed('m:one')).toMatchObject({ destination: 'one.example' });
  await expect(ask('m:one')).rejects.toMatchObject({ reason: 'forbidden' });
  expect(await session.consents.needed('m:one,m:two,m:three')).toMatchObject({ destination: 'three.example' });
  await session.consents.withdraw('two.example');
  await expect(ask('m:one,m:two')).rejects.toMatchObject({ reason: 'forbidden' });
  expect(sent).toEqual(['m:one', 'm:two']);
});

test('with roles, a withdrawn host only stops the tasks of its role', async () => {
  await using world = await createSessionWorld(
    {
      ...FILES,
      'package.json': '{"scripts":{"test":"node --test"}}',
      'src/load.ts': 'export function load() {\n  try { return 1; } catch (error) {}\n}\n',
      'test/load.test.ts': "import '../src/load.ts';\n",
    },
    { commands: { 'run-tests': () => failingRun } },
  );
  const sent: string[] = [];
  const open = (name: string): Proposer => ({
    name,
    destination: `${name.split(':')[1]}.example`,
    async ask({ task }) {
      sent.push(`${name} ${task.kind}`);
      return { text: 'I do not know.', finished: true, model: null, usage: null };
    },
  });
  const session = await world.session({
    settings: { 'models.roles.reasoning': 'm:one', 'models.roles.coding': 'm:two', 'models.roles.intent': 'm:two' },
    change: () => ({ proposers: { open, list: async () => [] } }),
  });
  for (const name of ['one', 'two'])
    await session.consents.agree({ destination: `${name}.example`, sends: ['excerpts'] });
  await session.consents.withdraw('one.example');
  expect(await session.questions.askPause('role:auto')).toBeNull();
  expect(await session.questions.askPause('role:auto', 'request')).toBeNull();
  expect(await session.questions.askPause('role:auto', 'fix')).toMatchObject({ reason: /of the kind fix/ });
  await session.questions.askNext({ proposer: 'role:auto', ...operation() });
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.filter((question) => !question.startsWith('m:two'))).toEqual([]);
  const fix = { task: { fix: 'n' }, proposer: 'role:auto', ...operation() };
  await expect(session.questions.ask(fix)).rejects.toMatchObject({ reason: 'forbidden' });
  await session.consents.agree({ destination: 'one.example', sends: ['excerpts'] });
  await session.consents.withdraw('two.example');
  expect(await session.questions.askPause('role:auto', 'request')).not.toBeNull();
});

test('a whole name of a test stands for no other test', async () => {
  await using world = await createSessionWorld(
    {
      'package.json': '{"scripts":{"test":"node --test"}}',
      'src/load.ts': 'export const load = 1;\n',
      'test/load.test.ts': "import '../src/load.ts';\n",
    },
    { commands: { 'run-tests': () => failingRun } },
  );
  let questions = 0;
  const open = (name: string): Proposer => ({
    name,
    destination: null,
    async ask() {
      questions += 1;
      return { text: 'I do not know.', finished: true, model: null, usage: null };
    },
  });
  const session = await world.session({ change: () => ({ proposers: { open, list: async () => [] } }) });
  const ask = (name: string) =>
    session.questions.ask({ task: { fix: name, isWholeName: true }, proposer: 'scripted', ...operation() });
  expect((await ask('n')).refused).toBe('The test “n” does not fail. These fail: one');
  expect(questions).toBe(0);
  await ask('one');
  expect(questions).toBe(1);
});

test('a question is not sent if another process has used up the budget while it was prepared', async () => {
  await using world = await createSessionWorld(FILES);
  const settings = { 'models.tokensPerDay': 1_500 };
  const othersAsked: string[] = [];
  const late = (name: string): Proposer => ({
    name,
    destination: null,
    async ask({ id }) {
      othersAsked.push(id);
      throw new SelfwareError('timedOut', 'Late.', { retry: { afterMs: null, isCharged: true } });
    },
  });
  const other = await world.session({
    settings,
    change: () => ({ proposers: { open: late, list: async () => [] } }),
  });
  const asked: string[] = [];
  const proposer = (name: string): Proposer => ({
    name,
    destination: null,
    // Is asked once the account was read, and before the question is complete.
    async maxQuestionTokens() {
      await other.questions.ask({ task: { words: 'Another wish' }, proposer: 'other', ...operation() });
      return null;
    },
    async ask({ id }) {
      asked.push(id);
      throw new SelfwareError('unavailable', 'Not now.');
    },
  });
  const session = await world.session({
    settings,
    change: () => ({ proposers: { open: proposer, list: async () => [] } }),
  });
  const outcome = await session.questions.ask({ ...request, ...operation() });
  expect(othersAsked).toHaveLength(1);
  expect(outcome).toMatchObject({ unasked: true, refused: expect.stringContaining('models.tokensPerDay') });
  expect(asked).toEqual([]);
  expect(await session.ledger.query({ types: ['asked'] })).toHaveLength(1);
});
