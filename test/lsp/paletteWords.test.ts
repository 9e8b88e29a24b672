// What to do about trouble, over the wire: commands of the palette for our own client, of the command line for any
// other.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommandOutcome } from '#protocol/review';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import { startRealServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

test.each([
  { canSave: true, words: 'Run "Selfware: Review Proposal…".' },
  { canSave: false, words: 'Run `selfware proposals list`.' },
])('a proposal that is not there (our own client: $canSave)', async ({ canSave, words }) => {
  const repository = await createTemporaryRepository({ 'a.ts': 'export const a = 1;\n' });
  const home = await mkdtemp(join(tmpdir(), 'selfware-home-'));
  const { client, dispose } = await startRealServer(
    repository.dir,
    { capabilities: richCapabilities, initializationOptions: { canSave } },
    home,
  );
  try {
    await client.initialize();
    const outcome = await client.request<CommandOutcome>('workspace/executeCommand', {
      command: 'selfware.server.reject',
      arguments: [{ proposal: 'none' }],
    });
    expect(outcome).toMatchObject({ ok: false, message: `There is no proposal none. ${words}` });
  } finally {
    await dispose();
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    await repository.dispose();
  }
});
