// Roles: each kind of task goes to the proposers of its role, the one that answered stays first, and consent covers
// all.

import { expect, test } from 'vitest';
import { askForProposal } from '../../../server/src/core/session/ask/askForProposal.ts';
import { resolveProposers, findRolesOf } from '../../../server/src/core/proposers/roles.ts';
import { defaultSettings } from '../../../server/src/settings/schema.ts';
import type { Agent } from '../../../server/src/adapters/agents/agent.ts';
import { createAgentProposer, type AgentParts } from '../../../server/src/adapters/agents/agentProposer.ts';
import { createProposers } from '../../../server/src/adapters/models/proposers.ts';
import { createPeer, type Peer } from '../../adapters/models/peer.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { createPart } from '../../helpers/createPart.ts';

const FILES = { 'src/rate.ts': 'export function rate(value: number): number {\n  return value / 100;\n}\n' };
const settings = {
  'models.roles.intent': 'ollama:a',
  'models.roles.reasoning': 'ollama:b, openai:c',
  'models.roles.coding': 'agent:d',
};
const operation = () => ({ signal: new AbortController().signal });
const nameOf = ({ url }: Peer) => `openai-compatible:m@${url}`;

test('the roles of a proposer are those that name it', () => {
  expect(['ollama:a', 'openai:c', 'ollama:x'].map((name) => findRolesOf(name, settings))).toEqual([
    ['intent'],
    ['reasoning'],
    [],
  ]);
});

test.each([
  ['role:auto', 'acceptance', ['ollama:a']],
  ['role:auto', 'fix', ['ollama:b', 'openai:c']],
  ['role:auto', 'tests', ['agent:d']],
  ['role:auto', 'migration', ['agent:d']],
  ['role:auto,openai:e', 'opportunity', ['agent:d', 'openai:e']],
  ['role:intent', 'fix', ['ollama:a']],
  ['openai:c, role:reasoning', 'request', ['openai:c', 'ollama:b']],
  ['ollama:x', 'fix', ['ollama:x']],
  ['role:auto', null, ['ollama:a', 'ollama:b', 'openai:c', 'agent:d']],
] as const)('%s for %s', (list, kind, names) => {
  expect(resolveProposers(list, settings, kind)).toEqual(names);
});

test('by default, each role is a model of Ollama', () => {
  expect(resolveProposers('role:auto', defaultSettings, null)).toEqual([
    'ollama:qwen2.5:3b',
    'ollama:phi4:14b',
    'ollama:qwen2.5-coder:14b',
  ]);
});

test('an unknown role, and a role of roles, are told with what to say', () => {
  expect(() => resolveProposers('role:poetry', settings, null)).toThrow('There is no role poetry');
  const circle = { ...settings, 'models.roles.coding': 'ollama:a,role:intent' };
  expect(() => resolveProposers('role:auto', circle, 'tests')).toThrow('The role coding names a role');
});

test('the role of the task is asked, the ledger says who, and whoever answered stays first', async () => {
  await using world = await createSessionWorld(FILES);
  await using bad = await createPeer('openai', ['key refused']);
  await using good = await createPeer('openai', ['fine']);
  await using other = await createPeer('openai', ['fine']);
  const proposers = createProposers({ rootDir: world.tree.rootDir, env: {} });
  // Connections end by the clock of this machine.
  world.clock.advance(Date.now() - world.clock.now());
  const roles = {
    'models.roles.intent': nameOf(other),
    'models.roles.reasoning': nameOf(other),
    'models.roles.coding': `${nameOf(bad)}, ${nameOf(good)}`,
  };
  const session = await world.session({ settings: roles, change: () => ({ proposers }) });
  const task = { words: 'Make src/rate.ts exact' };
  await askForProposal(session, { task, proposer: 'role:auto', verify: false }, operation());
  expect([bad.requests.length, good.requests.length, other.requests.length]).toEqual([1, 3, 0]);
  const asked = (await session.ledger.query({ types: ['asked'] })).map(
    ({ data }) => (data as { proposer: string }).proposer,
  );
  expect(asked.slice(0, 3)).toEqual([nameOf(bad), nameOf(good), nameOf(good)]);
  const answered = await session.ledger.query({ types: ['answered'] });
  expect(answered.at(-1)?.data).toMatchObject({ model: expect.any(String) });
});

test('consent is needed for every destination that a role may lead to', async () => {
  await using world = await createSessionWorld(FILES);
  const proposers = createProposers({ rootDir: world.tree.rootDir, env: { OPENAI_API_KEY: 'k' } });
  const session = await world.session({
    settings: { 'models.roles.intent': 'openai:small' },
    change: () => ({ proposers }),
  });
  expect(await session.consents.needed('role:auto')).toMatchObject({ destination: 'api.openai.com' });
  expect(await session.consents.needed('role:coding')).toBeNull();
  expect(session.consents.withoutRoles('role:intent')).toBe('openai:small');
});

test('nobody is asked for consent if no proposer could answer: a key or a program is missing', async () => {
  await using world = await createSessionWorld(FILES);
  const sessionWith = (env: Readonly<Record<string, string>>) =>
    world.session({ change: () => ({ proposers: createProposers({ rootDir: world.tree.rootDir, env }) }) });
  const session = await sessionWith({ PATH: '' });
  await expect(session.consents.needed('openai:small')).rejects.toMatchObject({
    reason: 'unavailable',
    message: 'openai:small needs a key, and OPENAI_API_KEY is not set.',
  });
  await expect(session.consents.needed('google:a,openai:small')).rejects.toMatchObject({
    message: 'google:a needs a key, and GEMINI_API_KEY is not set.',
  });
  const codex = createPart<Agent>({ commandLine: ['codex', 'exec'], hosts: ['api.openai.com'] });
  const parts = createPart<AgentParts>({ rootDir: '/nowhere', env: { PATH: '/nowhere' } });
  expect(createAgentProposer('agent:codex', codex, parts).findHindrance?.()).toMatchObject({
    message: 'agent:codex needs the program codex, and it is not on the path.',
    action: expect.stringContaining('`selfware models`'),
  });
  // Another one of the list can answer.
  expect(await session.consents.needed('openai:small,ollama:small')).toMatchObject({
    destination: 'api.openai.com',
  });
  const other = await sessionWith({ PATH: '', OPENAI_API_KEY: 'k' });
  expect(await other.consents.needed('openai:small')).toMatchObject({ destination: 'api.openai.com' });
});
