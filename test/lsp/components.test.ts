// "Install a Component…" against the built server and a registry of npm on this machine: nothing is fetched before the
// person has agreed to exactly these packages, progress is told, and a cancelled installation leaves nothing.

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CancellationTokenSource, type CancellationToken } from 'vscode-languageserver/node';
import { COMPONENTS } from '../../server/src/adapters/components/componentTable.ts';
import { createRegistry, type Registry } from '../adapters/components/registry.ts';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import { startRealServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

const [packages] = COMPONENTS.embeddings.packages as readonly [string];
const version = packages.slice(packages.lastIndexOf('@') + 1);
const settings = { memory: { embedder: 'transformers', embedderModel: '/nowhere' } };

const patience = { timeout: 60_000, interval: 50 };

/** A server whose npm uses the registry, with an embedder whose library is not installed. */
async function start(registry: Registry, initializationOptions: object = { canSave: true, canAskModels: true }) {
  const repository = await createTemporaryRepository({ 'a.ts': 'export const a = 1;\n' });
  const home = await mkdtemp(join(tmpdir(), 'selfware-home-'));
  await writeFile(join(home, '.npmrc'), `registry=${registry.url}\ncache=${join(home, 'npm')}\n`);
  const options = { capabilities: richCapabilities, settings, initializationOptions };
  const server = await startRealServer(repository.dir, options, home);
  const { client } = server;
  await client.initialize();
  const install = (argument: object, token?: CancellationToken): Promise<any> => {
    const command = 'selfware.server.installComponent';
    return client.request('workspace/executeCommand', { command, arguments: [argument], workDoneToken: 'work' }, token);
  };
  return {
    client,
    install,
    /** The optional component that a notice of the sidebar offers to install. */
    offered: async () => {
      const { notices } = await client.request('selfware/state');
      const notice = notices.find(({ message }: { readonly message: string }) => message.startsWith('The embedder'));
      return notice && (notice.component ?? 'none');
    },
    installed: () => readdir(join(home, 'components')).catch(() => []),
    async [Symbol.asyncDispose]() {
      await server.dispose();
      await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
      await repository.dispose();
    },
  };
}

test('what is missing is offered, asked about, fetched with progress, and used', async () => {
  await using registry = await createRegistry('@huggingface/transformers', version, 'loaded');
  await using server = await start(registry);
  const { client, install, offered, installed } = server;
  await expect.poll(offered, patience).toBe('embeddings');
  expect(await install({})).toMatchObject({
    components: [
      { name: 'local', installed: false },
      { name: 'embeddings', installed: false, megabytes: COMPONENTS.embeddings.megabytes },
    ],
  });
  for (const agreed of [undefined, 'another@1.0.0'])
    expect(await install({ component: 'embeddings', agreed })).toMatchObject({
      ok: false,
      message: expect.stringContaining('"Selfware: Install a Component…"'),
      installation: {
        packages,
        question: `Install ${packages} from the npm registry?`,
        detail: expect.stringMatching(/about 475 MB, into .*components/),
      },
    });
  expect([registry.requests, await installed()]).toEqual([[], []]);

  const outcome = await install({ component: 'embeddings', agreed: packages });
  expect(outcome, outcome.message).toMatchObject({ ok: true, message: expect.stringContaining('Installed in ') });
  expect(await installed()).toEqual([`embeddings-${version}`]);
  expect(client.received.map(({ params }) => params?.value?.message)).toContainEqual(
    expect.stringMatching(/npm registry$/),
  );
  // The folder is opened again: now the library is there, and the model is what is missing.
  await expect.poll(offered, patience).toBe('none');
  expect(await install({ component: 'embeddings' })).toMatchObject({
    ok: true,
    message: expect.stringMatching(/^Already installed in /),
  });
  expect(await install({ component: 'other' })).toMatchObject({
    ok: false,
    message: expect.stringMatching(/no component other.*local/),
  });
});

test('a model is downloaded only after the person has agreed to it', async () => {
  await using registry = await createRegistry('@huggingface/transformers', version, 'loaded');
  await using server = await start(registry);
  const model = 'Xenova/all-MiniLM-L6-v2';
  for (const agreed of [undefined, 'another/model'])
    expect(await server.install({ model, agreed })).toMatchObject({
      ok: false,
      installation: { packages: model, question: `Download ${model} from huggingface.co?` },
    });
  // Without the library, nothing can be downloaded, and the person reads why.
  expect(await server.install({ model, agreed: model })).toMatchObject({ ok: false, message: expect.any(String) });
  expect(registry.requests).toEqual([]);
});

test('cancelled, an installation ends and leaves nothing', async () => {
  await using registry = await createRegistry('@huggingface/transformers', version, 'loaded');
  registry.stall();
  await using server = await start(registry);
  const source = new CancellationTokenSource();
  const answer = server.install({ component: 'embeddings', agreed: packages }, source.token);
  await server.client.until(() => registry.requests.some((path) => path.endsWith('.tgz')));
  source.cancel();
  expect(await answer).toMatchObject({ ok: false, cancelled: true });
  expect(await server.installed()).toEqual([]);
});

test.each([
  { canSave: true, canAskModels: false },
  { canSave: true, canAskModels: true, trusted: false },
])(
  'nothing is installed for a client that cannot ask, or in a workspace that is not trusted: %o',
  async (options) => {
    await using registry = await createRegistry('@huggingface/transformers', version, 'loaded');
    await using server = await start(registry, options);
    expect(await server.install({ component: 'embeddings', agreed: packages })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/Nothing was installed|not trusted/),
    });
    expect(registry.requests).toEqual([]);
  },
  120_000,
);
