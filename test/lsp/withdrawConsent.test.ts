// The command of the language server that lists and withdraws consent to send code, in an untrusted workspace, too.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createApp } from '../../server/src/app/createApp.ts';
import { defaultSettings } from '../../server/src/settings/schema.ts';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import { startRealServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

test('what is agreed is listed and withdrawn, in an untrusted workspace', async () => {
  const home = await mkdtemp(join(tmpdir(), 'selfware-home-'));
  const repository = await createTemporaryRepository({ 'a.js': 'export const a = 1;\n' });
  const { session } = await createApp({
    rootDir: repository.dir,
    settings: defaultSettings,
    trusted: true,
    env: { PATH: process.env['PATH'], SELFWARE_HOME: home },
    log: { write() {} },
  });
  await session.open({ signal: new AbortController().signal });
  await session.consents.agree({ destination: 'models.example', sends: ['tree'] });
  await session.close();
  const options = { capabilities: richCapabilities, initializationOptions: { canSave: true, trusted: false } };
  const server = await startRealServer(repository.dir, options, home);
  await server.client.initialize();
  const execute = (argument: object): Promise<any> =>
    server.client.request('workspace/executeCommand', {
      command: 'selfware.server.withdrawConsent',
      arguments: [argument],
    });
  try {
    expect(await execute({})).toMatchObject({
      ok: true,
      consents: [
        {
          destination: 'models.example',
          what: 'all files of this repository',
          since: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        },
      ],
    });
    expect(await execute({ destination: 'other.example' })).toMatchObject({
      ok: false,
      message: 'Nobody has agreed to send anything to other.example. Agreed: models.example.',
    });
    expect(await execute({ destination: 'models.example' })).toMatchObject({
      ok: true,
      message: expect.stringContaining('nobody at models.example is asked until you agree again'),
    });
    expect(await execute({})).toMatchObject({ ok: true, consents: [] });
  } finally {
    await server.dispose();
    await repository.dispose();
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
});
