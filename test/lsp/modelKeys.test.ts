// Keys of models that the client stores, against the built server and a server of models: the key reaches its own host
// as a header, and nothing else: no log, no message, no file.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPeer } from '../adapters/models/peer.ts';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import { startRealServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

const CANARY = 'canary-7f3a9c51d2e8';
const files = { 'package.json': '{"name": "shop", "type": "module"}', 'src/a.ts': 'export const rate = 1;\n' };
const initialized = { canSave: true, canAskModels: true, canStoreKeys: true, trusted: true };

async function textsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => ({ name, text: await readFile(join(parentPath, name), 'latin1') }));
  return (await Promise.all(texts)).filter(({ text }) => text.includes(CANARY)).map(({ name }) => name);
}

test('a stored key reaches its host, and is found nowhere else', async () => {
  await using peer = await createPeer('openai', ['echoes the key', 'fine']);
  const repository = await createTemporaryRepository(files);
  const home = await mkdtemp(join(tmpdir(), 'selfware-keys-'));
  const server = await startRealServer(
    repository.dir,
    { capabilities: richCapabilities, initializationOptions: initialized },
    home,
  );
  try {
    const { client } = server;
    await client.initialize();
    const execute = (argument: object): Promise<any> =>
      client.request('workspace/executeCommand', {
        command: 'selfware.server.improveWithModel',
        arguments: [argument],
      });
    const host = new URL(peer.url).host;
    const before = await execute({});
    expect(before.models.withoutKey).toContainEqual(
      expect.objectContaining({ name: 'anthropic:MODEL', host: 'api.anthropic.com' }),
    );
    const keys = { [host]: CANARY, 'api.anthropic.com': CANARY, 'broken.example': 'with a blank' };
    expect(await client.request('selfware/model/keys', { keys })).toBeNull();
    await expect(client.request('selfware/model/keys', CANARY)).rejects.toThrow('Keys of models are expected.');
    const after = await execute({});
    expect(after.models.proposers).toContainEqual(
      expect.objectContaining({ name: 'anthropic:MODEL', why: 'Its key is stored in the editor.' }),
    );

    const proposer = `openai-compatible:m@${peer.url}`;
    const refused = await execute({ proposer, words: 'Make the rate exact' });
    expect(refused).toMatchObject({ ok: false, page: { markdown: expect.stringContaining("Set a Model's Key") } });
    await execute({ proposer, words: 'Make the rate exact' });
    expect(new Set(peer.requests.map(({ key }) => key))).toEqual(new Set([`Bearer ${CANARY}`]));
    expect(peer.requests.map(({ body }) => body).join()).not.toContain(CANARY);

    expect(await client.request('selfware/model/keys', { keys: {} })).toBeNull();
    expect((await execute({})).models.withoutKey).toContainEqual(expect.objectContaining({ name: 'anthropic:MODEL' }));
    expect(JSON.stringify(client.received)).not.toContain(CANARY);
    expect(JSON.stringify([before, after, refused])).not.toContain(CANARY);
    expect(server.stderr()).not.toContain(CANARY);
    await server.dispose();
    expect(await textsIn(home)).toEqual([]);
    expect(await textsIn(repository.dir)).toEqual([]);
  } finally {
    await server.dispose();
    await repository.dispose();
    await rm(home, { recursive: true, force: true });
  }
});

test('a client that stores no keys cannot send any, and is offered none to set', async () => {
  const repository = await createTemporaryRepository(files);
  const server = await startRealServer(repository.dir, {
    capabilities: richCapabilities,
    initializationOptions: { canSave: true, canAskModels: true, trusted: true },
  });
  try {
    const { client } = server;
    await client.initialize();
    await expect(client.request('selfware/model/keys', { keys: {} })).rejects.toThrow();
    const { models } = await client.request('workspace/executeCommand', {
      command: 'selfware.server.improveWithModel',
      arguments: [{}],
    });
    expect(models.withoutKey).toEqual([]);
  } finally {
    await server.dispose();
    await repository.dispose();
  }
});
