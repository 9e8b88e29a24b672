// Improve at a place that was turned down before: the answer says why, since when, and how to try again.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import { createCommandLine } from '../helpers/commandLine.ts';
import { startRealServer } from '../helpers/lspServers.ts';
import { sampleProject } from '../helpers/sampleProject.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

test('a rejected change is told with its reason and moment, and asked for again it is proposed', async () => {
  const repository = await createTemporaryRepository(sampleProject);
  const selfware = await createCommandLine(repository.dir);
  await selfware.decide();
  const found = await selfware.json<{ id: string; rule: string; message: string }[]>(['analyse']);
  const { id } = found.value.find(({ rule }) => rule === 'else-after-return')!;
  const filed = (await selfware.json(['propose', id, '--no-verify'])).value;
  await selfware.run(['proposals', 'reject', filed.id, '--reason', 'Not my style.']);
  const server = await startRealServer(
    repository.dir,
    { capabilities: richCapabilities, initializationOptions: { canSave: true, canAskModels: true, trusted: true } },
    selfware.home,
  );
  try {
    await server.client.initialize();
    const improve = (argument: object) =>
      server.client.request('workspace/executeCommand', {
        command: 'selfware.server.improve',
        arguments: [argument],
      });
    const row = await vi.waitFor(
      async () => {
        const filter = { text: 'else-after-return', quiet: true };
        const page = await server.client.request('selfware/opportunities', { filter });
        const found = page?.rows.find((one: { readonly id: string }) => one.id === id);
        if (!found) throw new Error('The repository has not been analysed yet.');
        return found;
      },
      { timeout: 240_000, interval: 200 },
    );
    expect(row.turnedDown).toMatch(/^Rejected before: .*Not my style \(since \d{4}-.* UTC\)\.$/);
    const uri = pathToFileURL(join(repository.dir, row.path)).href;
    server.client.notify('textDocument/didOpen', {
      textDocument: {
        uri,
        languageId: 'typescript',
        version: 1,
        text: readFileSync(join(repository.dir, row.path), 'utf8'),
      },
    });
    const at = { line: row.line - 1, character: 0 };
    const actions = await server.client.request('textDocument/codeAction', {
      textDocument: { uri },
      range: { start: at, end: { line: at.line, character: 200 } },
      context: { diagnostics: [] },
    });
    const titles = actions.map(({ title }: { readonly title: string }) => title);
    expect(titles).toContainEqual(expect.stringMatching(/^Try Again: .* Rejected before: .*Not my style \(since/));
    // A model may find another way than the recipe.
    const { message } = found.value.find((one) => one.id === id)!;
    expect(titles).toContain(`Improve with a Model…: ${message}`);
    expect(await improve({ opportunity: id })).toMatchObject({
      ok: false,
      again: id,
      review: null,
      message: expect.stringMatching(
        /^Nothing is proposed for else-after-return in .*, rejected before: .*Not my style \(since \d{4}-.* UTC\)\./,
      ),
    });
    expect(await improve({ opportunity: id, again: true })).toMatchObject({ review: { status: 'verified' } });
  } finally {
    await server.dispose();
    await selfware.dispose();
    await repository.dispose();
  }
});
