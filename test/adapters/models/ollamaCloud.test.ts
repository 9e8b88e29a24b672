// Models that Ollama forwards to another machine: they are never named as models of this machine, and never asked
// without consent to the host that gets the code.

import { expect, test, vi } from 'vitest';
import { createOllamaProposer, fetchOllamaModels } from '../../../server/src/adapters/models/ollama.ts';
import { findOllamaDestination, parseRemoteHost } from '../../../server/src/adapters/models/ollamaCloud.ts';
import { createProposers } from '../../../server/src/adapters/models/proposers.ts';
import type { ProposerRequest } from '../../../server/src/core/ports/proposers.ts';
import { createPeer, TEXT } from './peer.ts';

const nobody = new AbortController().signal;
const CLOUD = { remote_model: 'gpt-oss:120b', remote_host: 'https://ollama.com:443' };
const request = (): ProposerRequest => ({
  id: 'r',
  task: { kind: 'request', id: 'k', opportunity: null, path: null },
  messages: [{ role: 'user', content: 'the code' }],
  maxTokens: 100,
  deadline: Date.now() + 60_000,
});

test.each([
  ['gpt-oss:120b-cloud', 'http://127.0.0.1:11434', 'ollama.com'],
  ['glm-4.6:cloud', 'http://127.0.0.1:11434', 'ollama.com'],
  ['GLM-4.6:Cloud', 'http://localhost:11434', 'ollama.com'],
  ['gpt-oss:20b', 'http://127.0.0.1:11434', null],
  ['cloud-tales:7b', 'http://127.0.0.1:11434', null],
  ['gpt-oss:20b', 'https://ollama.example.org', 'ollama.example.org'],
  ['gpt-oss:120b-cloud', 'https://ollama.example.org', 'ollama.example.org, ollama.com'],
  ['gpt-oss:120b-cloud', 'https://ollama.com', 'ollama.com'],
])('the code for %s at %s goes to %s', (model, url, destination) => {
  expect(findOllamaDestination(model, url)).toBe(destination);
  expect(createOllamaProposer({ name: 'n', model, url }).destination).toBe(destination);
});

test('the host of a model is read in every form', () => {
  expect(['https://ollama.com:443', 'https://ollama.com', 'ollama.com', '', undefined].map(parseRemoteHost)).toEqual([
    'ollama.com',
    'ollama.com',
    'ollama.com',
    null,
    null,
  ]);
});

test('the list of a server tells who runs each model', async () => {
  await using peer = await createPeer('ollama', ['fine'], CLOUD);
  expect(await fetchOllamaModels(peer.url, nobody)).toEqual([
    { name: 'own', remoteHost: null },
    { name: 'm', remoteHost: 'ollama.com' },
  ]);
});

test.each([
  ['mine', CLOUD],
  ['gpt-oss:120b-cloud', { remote_host: 'https://models.example.org' }],
])('%s is not sent the question if the server forwards it to a host that nobody agreed to', async (model, told) => {
  await using peer = await createPeer('ollama', ['fine'], told);
  const proposer = createOllamaProposer({ name: `ollama:${model}`, model, url: peer.url });
  await expect(proposer.ask(request(), nobody, () => undefined)).rejects.toMatchObject({
    reason: 'forbidden',
    message: expect.stringMatching(
      /was not asked: Ollama would send the code on to (?:ollama\.com|models\.example\.org)\.$/,
    ),
  });
  expect(peer.requests).toEqual([]);
});

test.each([
  [400, '{"error":"name is required"}'],
  [404, 'not found'],
  [405, ''],
  [501, 'not implemented'],
  [200, 'Ollama is running'],
])('a server of this machine that answers %s to a question about the model runs it itself', async (status, text) => {
  await using peer = await createPeer('ollama', ['fine'], { status, text });
  const proposer = (model: string) =>
    createOllamaProposer({ name: `ollama:${model}`, model, url: peer.url, backoffMs: 1 });
  expect(await proposer('mine').ask(request(), nobody, () => undefined)).toMatchObject({ text: TEXT.join('') });
  expect(peer.requests).toHaveLength(1);
  if (status === 404 || status === 405) return;
  // The host of a cloud model has to be known.
  await expect(proposer('gpt-oss:120b-cloud').ask(request(), nobody, () => undefined)).rejects.toMatchObject({
    reason: 'unavailable',
  });
  expect(peer.requests).toHaveLength(1);
});

test('a cloud model is asked once its destination names the host', async () => {
  await using peer = await createPeer('ollama', ['fine'], CLOUD);
  const model = 'gpt-oss:120b-cloud';
  const proposer = createOllamaProposer({ name: `ollama:${model}`, model, url: peer.url });
  expect(await proposer.ask(request(), nobody, () => undefined)).toMatchObject({ text: TEXT.join('') });
  expect(peer.requests).toHaveLength(1);
});

test('the list of proposers says where code goes, and offers no cloud model under another name', async () => {
  const models = [{ name: 'own' }, { name: 'gpt-oss:120b-cloud', ...CLOUD }, { name: 'mine', ...CLOUD }];
  vi.stubGlobal('fetch', async () => Response.json({ models }));
  try {
    const listed = await createProposers({ rootDir: '/r', env: {} }).list(nobody);
    expect(listed.filter(({ name }) => name.startsWith('ollama:'))).toMatchObject([
      { name: 'ollama:own', destination: null, available: true },
      { name: 'ollama:gpt-oss:120b-cloud', destination: 'ollama.com', available: true },
      { name: 'ollama:mine', destination: 'ollama.com', available: false },
    ]);
  } finally {
    vi.unstubAllGlobals();
  }
});
