// Indexing as a person steers it: paused, resumed, cancelled; and two windows on one repository, of which one writes.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SidebarState } from '#protocol/state';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import type { LspClient } from '../helpers/lspClient.ts';
import { startRealServer, type ClientOptions, type RealServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

const fileCount = 400;
const files = Object.fromEntries(
  Array.from({ length: fileCount }, (_, at) => [
    `src/part${at}.ts`,
    `/** Part ${at}. */\nexport function part${at}(value: number): number {\n  return value + ${at};\n}\n`,
  ]),
);
const ours: ClientOptions = {
  capabilities: richCapabilities,
  initializationOptions: { canSave: true, trusted: false },
};

let repository: TemporaryRepository;
let home: string;
let servers: RealServer[] = [];
beforeEach(async () => {
  repository = await createTemporaryRepository(files);
  home = await mkdtemp(join(tmpdir(), 'selfware-home-'));
});
afterEach(async () => {
  for (const server of servers) await server.dispose();
  servers = [];
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  await repository.dispose();
});

async function start(): Promise<LspClient> {
  const server = await startRealServer(repository.dir, ours, home);
  servers.push(server);
  await server.client.initialize();
  return server.client;
}

const execute = (client: LspClient, command: string) =>
  client.request('workspace/executeCommand', { command: `selfware.server.${command}`, arguments: [{}] });

/** Asks after each change until the state is as wanted. */
async function stateWhere(client: LspClient, holds: (state: SidebarState) => boolean): Promise<SidebarState> {
  for (let seen = client.received.length; ; seen = client.received.length) {
    const state = await client.request<SidebarState>('selfware/state');
    if (holds(state)) return state;
    await client.waitFor(({ method }) => method === 'selfware/stateChanged', seen);
  }
}

const complete = ({ activity, index }: SidebarState) => activity === 'idle' && index?.files === fileCount;

test('paused from the start nothing is indexed, whatever is saved; resumed all of it is', async () => {
  const client = await start();
  await client.request('selfware/state');
  expect(await execute(client, 'pauseIndexing')).toMatchObject({ ok: true });
  const paused = await stateWhere(
    client,
    ({ activity, indexingPaused, progress }) => indexingPaused && activity === 'idle' && progress === null,
  );
  expect(paused.index).toBe(null);
  expect(await execute(client, 'resumeIndexing')).toMatchObject({ ok: true });
  const resumed = await stateWhere(client, complete);
  expect(resumed.indexingPaused).toBe(false);
});

test('cancelled it stays as it is, and asking for it goes on', async () => {
  const client = await start();
  await client.request('selfware/state');
  expect(await execute(client, 'cancelIndexing')).toMatchObject({ ok: true });
  expect(await stateWhere(client, ({ activity }) => activity === 'idle')).toMatchObject({ indexingPaused: false });
  expect(await execute(client, 'index')).toMatchObject({ ok: true });
  await stateWhere(client, complete);
});

test('two windows on one repository both come to know all of it', async () => {
  const [one, other] = await Promise.all([start(), start()]);
  await Promise.all([stateWhere(one, complete), stateWhere(other, complete)]);
  const hits = await Promise.all(
    [one, other].map((client) => client.request('selfware/search', { query: 'part399', top: 1 })),
  );
  for (const { hits: found } of hits) expect(found).toMatchObject([{ path: 'src/part399.ts' }]);
  expect(servers.map((server) => server.stderr()).join('')).not.toMatch(/error/i);
});
