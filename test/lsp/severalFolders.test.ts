// A workspace of several folders: what names no folder is about the one that the person has chosen.

import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SidebarState } from '#protocol/state';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import type { LspClient } from '../helpers/lspClient.ts';
import { startInnerServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

let one: TemporaryRepository;
let other: TemporaryRepository;
beforeEach(async () => {
  one = await createTemporaryRepository({ 'src/a.ts': 'poor a\n' }, { git: false });
  other = await createTemporaryRepository({ 'src/b.ts': 'poor b\n', 'src/c.ts': 'poor c\n' }, { git: false });
});
afterEach(() => Promise.all([one.dispose(), other.dispose()]));

const uriOf = ({ dir }: TemporaryRepository) => pathToFileURL(dir).href;
const state = (client: LspClient) => client.request<SidebarState>('selfware/state');
const improve = (client: LspClient, argument: object = {}) =>
  client.request('workspace/executeCommand', { command: 'selfware.server.improve', arguments: [argument] });

async function start(options: object = {}): Promise<LspClient> {
  const { client, sessions } = startInnerServer(one.dir, {
    capabilities: richCapabilities,
    initializationOptions: { canSave: true, ...options },
  });
  await client.initialize();
  await client.notify('workspace/didChangeWorkspaceFolders', {
    event: { added: [{ uri: uriOf(other), name: 'other' }], removed: [] },
  });
  await client.until(() => sessions.filter(({ calls }) => calls.includes('analysed')).length === 2);
  return client;
}

test('the first folder is shown, and which others there are', async () => {
  const client = await start();
  expect(await state(client)).toMatchObject({
    folder: uriOf(one),
    opportunityCount: 1,
    folders: [
      { uri: uriOf(one), name: 'folder', waiting: 0 },
      { uri: uriOf(other), name: 'other', waiting: 0 },
    ],
  });
});

test('another one is chosen: state, lists and commands are about it, and the client is told', async () => {
  const client = await start();
  const before = client.received.length;
  await client.notify('selfware/folder', { uri: uriOf(other) });
  await client.waitFor(({ method }) => method === 'selfware/stateChanged', before);
  expect(await state(client)).toMatchObject({ folder: uriOf(other), opportunityCount: 2 });
  expect(await client.request('selfware/opportunities', {})).toMatchObject({ total: 2 });
  expect(await client.request('selfware/opportunityFiles', {})).toMatchObject({ total: 2 });
  const { review } = await improve(client);
  expect(review.files[0].uri.startsWith(uriOf(other))).toBe(true);
});

test('what is named by its id is found in whichever folder it lies, and what waits there is counted', async () => {
  const client = await start();
  const { review } = await improve(client, { uris: [`${uriOf(other)}/src/b.ts`] });
  expect(await state(client)).toMatchObject({
    folder: uriOf(one),
    waiting: 0,
    folders: [{ waiting: 0 }, { waiting: 1 }],
  });
  expect(
    await client.request('workspace/executeCommand', {
      command: 'selfware.server.reject',
      arguments: [{ proposal: review.id, reason: 'As it is.' }],
    }),
  ).toMatchObject({ ok: true });
});

test('the choice is given with the start, too; a folder that is gone chooses nothing', async () => {
  const client = await start({ folder: uriOf(other) });
  expect((await state(client)).folder).toBe(uriOf(other));
  await client.notify('workspace/didChangeWorkspaceFolders', {
    event: { added: [], removed: [{ uri: uriOf(other), name: 'other' }] },
  });
  await expect.poll(async () => (await state(client)).folder).toBe(uriOf(one));
  expect((await state(client)).folders).toEqual([]);
});
