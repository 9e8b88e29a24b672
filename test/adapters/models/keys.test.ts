// Stored keys belong to a host: none reaches another one, and the environment is asked only where none is stored.

import { expect, test } from 'vitest';
import { findKey, findKeyVariable } from '../../../server/src/adapters/models/keys.ts';
import {
  readForwardedKeys,
  addForwardedKeys,
  removeForwardedKeys,
} from '../../../server/src/adapters/models/forwardedKeys.ts';
import { createProposers } from '../../../server/src/adapters/models/proposers.ts';
import { parseProposerName } from '../../../server/src/adapters/models/proposerNames.ts';
import type { ProposerRequest } from '../../../server/src/core/ports/proposers.ts';
import { createPeer } from './peer.ts';

const question = (): ProposerRequest => ({
  id: 'r',
  task: { kind: 'request', id: 'k', opportunity: null, path: null },
  messages: [{ role: 'user', content: 'u' }],
  maxTokens: 10,
  deadline: Date.now() + 60_000,
});
const env = { OPENAI_API_KEY: 'from-env', OTHER: 'other' };
const storedKeys = new Map([
  ['api.openai.com', 'stored-openai'],
  ['models.example:8443', 'stored-example'],
]);

test.each([
  ['https://api.openai.com/v1', 'OPENAI_API_KEY', 'stored-openai'],
  ['https://elsewhere.example/v1', 'OPENAI_API_KEY', 'from-env'],
  ['https://models.example:8443/v1', 'SELFWARE_MODEL_KEY', 'stored-example'],
  ['https://models.example/v1', 'SELFWARE_MODEL_KEY', null],
  ['https://api.openai.com.example/v1', 'SELFWARE_MODEL_KEY', null],
])('%s gets its own key, or that of %s', (url, variable, key) => {
  expect(findKey(url, variable, { env, storedKeys })).toBe(key);
});

test('a program of a provider gets the stored key as its variable; other variables come from the environment', () => {
  expect(
    ['OPENAI_API_KEY', 'OTHER', 'ANTHROPIC_API_KEY'].map((name) => findKeyVariable(name, { env, storedKeys })),
  ).toEqual(['stored-openai', 'other', undefined]);
});

test('a key that is stored later is used by the next question, and one that is forgotten no longer', async () => {
  await using peer = await createPeer('openai', ['fine']);
  const keys = new Map<string, string>();
  const proposers = createProposers({ rootDir: '/nowhere', env: {}, storedKeys: keys });
  const ask = () =>
    proposers.open(`openai-compatible:m@${peer.url}`).ask(question(), new AbortController().signal, () => undefined);
  await ask();
  keys.set(new URL(peer.url).host, 'later');
  await ask();
  keys.clear();
  await ask();
  expect(peer.requests.map(({ key }) => key)).toEqual(['undefined', 'Bearer later', 'undefined']);
});

test.each([
  ['openai:m', 'https://api.openai.com/v1', 'OPENAI_API_KEY'],
  ['openai:m@https://eu.api.openai.com/v1', 'https://eu.api.openai.com/v1', 'OPENAI_API_KEY'],
  ['openai:m@https://elsewhere.example/v1', 'https://elsewhere.example/v1', 'SELFWARE_MODEL_KEY'],
  ['openai:m@https://notapi.openai.com/v1', 'https://notapi.openai.com/v1', 'SELFWARE_MODEL_KEY'],
  ['anthropic:m@https://api.anthropic.com:8443', 'https://api.anthropic.com:8443', 'SELFWARE_MODEL_KEY'],
])('%s asks %s with the key in %s', (name, url, keyFrom) => {
  expect(parseProposerName(name)).toMatchObject({ url, keyFrom });
});

test("a provider's key does not reach another host, and the error says so", async () => {
  await using peer = await createPeer('openai', ['key refused', 'fine']);
  const ask = (variables: Record<string, string>) =>
    createProposers({ rootDir: '/nowhere', env: variables })
      .open(`openai:m@${peer.url}`)
      .ask(question(), new AbortController().signal, () => undefined);
  const { host } = new URL(peer.url);
  await expect(ask(env)).rejects.toMatchObject({
    action: expect.stringContaining(`OPENAI_API_KEY is not sent to ${host}, only to its provider. Put it into`),
  });
  await ask({ ...env, SELFWARE_MODEL_KEY: 'own' });
  expect(peer.requests.map(({ key }) => key)).toEqual(['undefined', 'Bearer own']);
});

test.each([
  ['openai:m', ['api.openai.com']],
  ['openai-compatible:m@https://models.example:8443/v1', ['models.example:8443']],
  ['openai:m@https://elsewhere.example/v1', []],
  ['agent:codex', ['api.openai.com']],
  ['agent:claude', []],
  ['command:fix', []],
  ['ollama:m', []],
])('a run that asks %s gets the keys of %j and no other', (name, hosts) => {
  const lent = addForwardedKeys(env, [name], storedKeys);
  expect([...(readForwardedKeys(lent)?.keys() ?? [])]).toEqual(hosts);
  expect(removeForwardedKeys(lent)).toEqual(env);
});

test('keys that were lent to another run are not handed on, and a damaged variable lends none', () => {
  const lent = addForwardedKeys(env, ['openai:m'], storedKeys);
  expect(addForwardedKeys(lent, ['ollama:m'], storedKeys)).toEqual(env);
  for (const damaged of ['{', '3', 'null']) expect(readForwardedKeys({ SELFWARE_LENT_KEYS: damaged })).toBeUndefined();
  expect([...(readForwardedKeys({ SELFWARE_LENT_KEYS: '{"a": 3, "b": "key"}' }) ?? [])]).toEqual([['b', 'key']]);
});

test('a provider without a key says for which host one is missing, and where it can be set', async () => {
  const inEditor = createProposers({ rootDir: '/nowhere', env: {}, storedKeys });
  const found = await inEditor.list(new AbortController().signal);
  const of = (name: string) => found.find((one) => one.name === name);
  expect(of('openai:MODEL')).toMatchObject({ available: true, why: 'Its key is stored in the editor.' });
  expect(of('anthropic:MODEL')).toMatchObject({ available: false, needsKeyFor: 'api.anthropic.com' });
  const ask = (proposers: typeof inEditor) =>
    proposers.open('anthropic:m').ask({} as never, new AbortController().signal, () => undefined);
  await expect(ask(inEditor)).rejects.toMatchObject({ action: expect.stringContaining("Set a Model's Key") });
  await expect(ask(createProposers({ rootDir: '/nowhere', env: {} }))).rejects.toMatchObject({
    action: expect.not.stringContaining("Set a Model's Key"),
  });
});
