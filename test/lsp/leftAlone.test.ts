// Improve at a place that was turned down before: the answer says why, since when, and how to try again.

import { expect, test } from 'vitest';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import { createCommandLine } from '../helpers/commandLine.ts';
import { startRealServer } from '../helpers/lspServers.ts';
import { sampleProject } from '../helpers/sampleProject.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

test('a rejected change is told with its reason and moment, and asked for again it is proposed', async () => {
  const repository = await createTemporaryRepository(sampleProject);
  const selfware = await createCommandLine(repository.dir);
  const found = await selfware.json<{ id: string; rule: string }[]>(['analyse']);
  const { id } = found.value.find(({ rule }) => rule === 'else-after-return')!;
  const filed = (await selfware.json(['propose', id, '--no-verify'])).value;
  await selfware.run(['proposals', 'reject', filed.id, '--reason', 'Not my style.']);
  const server = await startRealServer(
    repository.dir,
    { capabilities: richCapabilities, initializationOptions: { canSave: true, trusted: true } },
    selfware.home,
  );
  try {
    await server.client.initialize();
    const improve = (argument: object) =>
      server.client.request('workspace/executeCommand', {
        command: 'selfware.server.improve',
        arguments: [argument],
      });
    expect(await improve({ opportunity: id })).toMatchObject({
      ok: false,
      again: id,
      review: null,
      message: expect.stringMatching(
        /^Nothing is proposed \(else-after-return in .*\), rejected before: .*Not my style \(so since \d{4}-.* UTC\)\./,
      ),
    });
    expect(await improve({ opportunity: id, again: true })).toMatchObject({ review: { status: 'verified' } });
  } finally {
    await server.dispose();
    await selfware.dispose();
    await repository.dispose();
  }
}, 300_000);
