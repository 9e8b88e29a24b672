// Tools for agents over the language server: what a person is asked, and that nothing is written without approval.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import { startInnerServer, type InnerServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

let repository: TemporaryRepository;
let server: InnerServer;

beforeEach(async () => {
  repository = await createTemporaryRepository({ 'src/a.ts': 'a poor word\n' }, { git: false });
  server = startInnerServer(repository.dir, {
    capabilities: richCapabilities,
    initializationOptions: { canSave: true },
  });
  await server.client.initialize();
  await server.client.until(() => server.sessions.at(-1)?.calls.includes('indexed') ?? false);
});
afterEach(() => repository.dispose());

const call = (name: string, input: object, more: object = {}) =>
  server.client.request('selfware/callTool', { name, input, ...more });
const prepare = (name: string, input: object) => server.client.request('selfware/prepareTool', { name, input });

test('tools answer on the session of the window', async () => {
  expect(await call('search', { query: 'a.ts', excerpts: false })).toEqual({
    text: expect.stringContaining('src/a.ts:1-2'),
    failed: false,
  });
  expect(await call('opportunities', {})).toEqual({
    text: expect.stringContaining('[poor-word] A poor word'),
    failed: false,
  });
  expect(await prepare('search', { query: 'a' })).toEqual({ doing: 'Searching the repository', question: null });
});

test('what is wrong is said', async () => {
  expect(await call('no_such_tool', {})).toEqual({ text: 'There is no tool no_such_tool.', failed: true });
  expect(await call('search', {})).toEqual({ text: expect.stringContaining('query'), failed: true });
  expect(await server.client.request('selfware/callTool', 7)).toEqual({ text: 'name is a text.', failed: true });
  expect(await prepare('apply', { proposal: 'p-9' })).toEqual({ doing: 'Applying a proposal', question: null });
  expect(await call('apply', { proposal: 'p-9' })).toEqual({ text: 'There is no proposal p-9.', failed: true });
});

test('the person is asked with files, gates and points; without their yes nothing is written', async () => {
  expect(await call('propose_improvement', {})).toEqual({
    text: expect.stringContaining('(proposal p-1): tested'),
    failed: false,
  });
  const { question } = await prepare('apply', { proposal: 'p-1' });
  expect(question.title).toBe('Apply a change of 1 file, 1 line added, 1 removed?');
  expect(question.message).toMatch(
    /Files: ‘src\/a\.ts’\.[^]*Points: 99\.000 → 100\.000[^]*Strength: tested\. The tests that run this code pass\.[^]*Checks: Tests passed/,
  );

  expect(await call('apply', { proposal: 'p-1' })).toEqual({
    text: expect.stringContaining('needs a person'),
    failed: false,
  });
  expect(await repository.read('src/a.ts')).toBe('a poor word\n');

  expect(await call('apply', { proposal: 'p-1' }, { agreed: true })).toEqual({
    text: expect.stringContaining('roll_back with checkpoint c-1'),
    failed: false,
  });
  expect(await repository.read('src/a.ts')).toBe('a rich word\n');
  expect((await prepare('roll_back', { checkpoint: 'c-1' })).question.title).toBe('Roll back a change?');
  expect(await call('roll_back', { checkpoint: 'c-1' })).toEqual({
    text: expect.stringContaining('needs a person'),
    failed: false,
  });
  expect(await repository.read('src/a.ts')).toBe('a rich word\n');
});

test('a verified proposal of an agent is put before the person like any other', async () => {
  await call('propose_improvement', {});
  expect((await server.client.waitFor(({ method }) => method === 'selfware/reviewReady')).params).toMatchObject({
    id: 'p-1',
    status: 'verified',
    strength: 'tested',
    strengthMeaning: expect.stringContaining('tests'),
  });
});
