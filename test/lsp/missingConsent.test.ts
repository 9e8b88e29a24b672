// Commands that a model or an agent would serve tell what was agreed so far if that is not enough, and send nothing.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createApp } from '../../server/src/app/createApp.ts';
import { changeWishQueue } from '../../server/src/app/nights/wishQueue.ts';
import { defaultSettings } from '../../server/src/settings/schema.ts';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import { startRealServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

test('a person who has agreed to less reads what is new, in every command', async () => {
  const home = await mkdtemp(join(tmpdir(), 'selfware-home-'));
  const repository = await createTemporaryRepository({ 'src/rate.js': 'export const rate = (value) => value / 10;\n' });
  const env = { PATH: process.env['PATH'], SELFWARE_HOME: home };
  const log = { write() {} };
  const { session } = await createApp({
    rootDir: repository.dir,
    settings: defaultSettings,
    trusted: true,
    env,
    log,
  });
  await session.open({ signal: new AbortController().signal });
  await session.consents.agree({ destination: 'models.example', sends: ['excerpts'] });
  await session.close();
  await changeWishQueue(repository.dir, env, log, () => [
    { type: 'wishAdded', data: { wish: 'w', text: 'Round up.' } },
  ]);
  const server = await startRealServer(
    repository.dir,
    {
      capabilities: richCapabilities,
      initializationOptions: { canSave: true, canAskModels: true, trusted: true },
      settings: { models: { references: true } },
    },
    home,
  );
  await server.client.initialize();
  const proposer = 'openai-compatible:m@https://models.example/v1';
  const execute = (command: string, argument: object): Promise<{ readonly message: string }> =>
    server.client.request('workspace/executeCommand', {
      command: `selfware.server.${command}`,
      arguments: [{ proposer, ...argument }],
    });
  const missing =
    'code would go to models.example (code of this repository and code of other repositories). ' +
    'Agreed so far: files in questions. New: code of other repositories.';
  const messages = [
    await execute('improveWithModel', { words: 'Make it fast' }),
    await execute('findRecipes', { source: 'asked', words: 'slice instead of substr' }),
    await execute('runOvernight', { until: Date.now() + 3_600_000 }),
    await execute('acceptanceTest', {}),
  ].map(({ message }) => message);
  expect(messages).toEqual([
    `Nothing was sent: ${missing} \`selfware propose --proposer\` asks once, at a terminal.`,
    `Nothing was sent: ${missing}`,
    `Nothing was started: ${missing}`,
    `Nobody was asked: ${missing}`,
  ]);
  await server.dispose();
  await repository.dispose();
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
});
