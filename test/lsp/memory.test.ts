// Search, context and symbols of the workspace, asked by a client.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SymbolKind } from 'vscode-languageserver/node';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import { startInnerServer, type InnerServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

let repository: TemporaryRepository;
beforeEach(
  async () =>
    (repository = await createTemporaryRepository({ 'src/a.ts': 'one\n', 'src/ä b.ts': 'poor b\n' }, { git: false })),
);
afterEach(() => repository.dispose());

async function start(settings: object = {}): Promise<InnerServer> {
  const server = startInnerServer(repository.dir, {
    capabilities: richCapabilities,
    initializationOptions: { settings },
  });
  await server.client.initialize();
  await server.client.until(() => server.sessions.at(-1)?.calls.includes('indexed') ?? false);
  return server;
}

test('search answers with places that a client can open', async () => {
  const { client } = await start();
  const { hits, trouble } = await client.request('selfware/search', { query: 'b.ts', uri: client.uri('src/a.ts') });
  expect([hits, trouble]).toEqual([
    [{ uri: expect.stringMatching(/^file:/), path: 'src/ä b.ts', startLine: 1, endLine: 2, symbol: null, score: 1 }],
    null,
  ]);
  expect(fileURLToPath(hits[0].uri)).toBe(join(repository.dir, 'src/ä b.ts'));
  expect((await client.request('selfware/search', { query: '.ts', top: 1 })).hits).toHaveLength(1);
});

test.each([
  [{}, 'query is a text.'],
  [{ query: 'a', top: 0 }, 'top must be a whole number from 1 to 200.'],
  [{ query: 'a', top: 1000 }, 'top must be a whole number from 1 to 200.'],
  [{ query: 'a', uri: 'file:///elsewhere/x.ts' }, 'file:///elsewhere/x.ts is in no open folder.'],
  [{ query: 'a', uri: 7 }, 'uri is a text.'],
])('a bad question is answered with what is wrong: %j', async (params, trouble) => {
  const { client } = await start();
  expect(await client.request('selfware/search', params)).toEqual({ hits: [], trouble });
});

test('context: bad parameters and a session that cannot', async () => {
  const { client } = await start();
  const ask = async (params: object) => (await client.request('selfware/context', params)).trouble;
  expect(await ask({})).toBe('task is a text.');
  expect(await ask({ task: 'x', taskType: 'Gardening' })).toMatch(/^taskType must be one of SelfImprovement, /);
  expect(await ask({ task: 'x', taskType: 'toString' })).toMatch(/^taskType must be one of/);
  expect(await ask({ task: 'x', budget: -1 })).toBe('budget must be a whole number of tokens.');
  expect(await ask({ task: 'x' })).toBe('No memory here.');
});

test('symbols of the workspace have a place and a container, and can be switched off', async () => {
  const { client } = await start();
  expect(await client.request('workspace/symbol', { query: 'a.ts' })).toEqual([
    {
      name: 'a.ts',
      kind: SymbolKind.Function,
      containerName: 'Scope',
      location: {
        uri: client.uri('src/a.ts'),
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } },
      },
    },
  ]);
  const silent = await start({ search: { workspaceSymbols: false } });
  expect(await silent.client.request('workspace/symbol', { query: 'a.ts' })).toEqual([]);
});
