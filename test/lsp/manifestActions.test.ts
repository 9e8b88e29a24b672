// What an editor offers in a package.json: diagnostics and actions of the findings about its entries.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import { documentSelector } from '../../client/src/languages.ts';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import { startRealServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

const fixture = join(import.meta.dirname, '../../server/src/core/rules/unused-dependency/fixtures/found-npm');
const read = (path: string) => readFileSync(join(fixture, path), 'utf8');
const files = Object.fromEntries(
  ['package.json', 'package-lock.json', 'src/index.ts'].map((path) => [path, read(path)]),
);

test('VS Code announces the package.json of every folder, and no other JSON', () => {
  expect(documentSelector.filter(({ language }) => language === 'json')).toEqual([
    { scheme: 'file', language: 'json', pattern: '**/package.json' },
  ]);
});

test('an unused dependency is a diagnostic of package.json with the action that removes it, also while text is typed', async () => {
  const repository = await createTemporaryRepository(files);
  const server = await startRealServer(repository.dir, {
    capabilities: richCapabilities,
    initializationOptions: { canSave: true, trusted: true },
  });
  try {
    await server.client.initialize();
    await vi.waitFor(
      async () => {
        const page = await server.client.request('selfware/opportunities', {
          filter: { text: 'left-pad', quiet: true },
        });
        expect(page?.rows).toHaveLength(1);
      },
      { timeout: 240_000, interval: 200 },
    );
    const uri = pathToFileURL(join(repository.dir, 'package.json')).href;
    const textDocument = { uri, languageId: 'json', version: 1, text: files['package.json']! };
    server.client.notify('textDocument/didOpen', { textDocument });
    const offered = async () => {
      const { items } = await server.client.request('textDocument/diagnostic', { textDocument: { uri } });
      const diagnostics = items.filter(({ message }: { readonly message: string }) => message.includes('left-pad'));
      expect(diagnostics).toHaveLength(1);
      const { range } = diagnostics[0];
      const context = { diagnostics, only: ['quickfix'] };
      const actions = await server.client.request('textDocument/codeAction', { textDocument: { uri }, range, context });
      return actions.map(({ title }: { readonly title: string }) => title);
    };
    const improve = expect.stringMatching(/^Improve: `left-pad` is in `dependencies`/);
    expect(await offered()).toContainEqual(improve);
    server.client.notify('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: files['package.json']!.replace('{', '{\n  "private": true,') }],
    });
    expect(await offered()).toContainEqual(improve);
  } finally {
    await server.dispose();
    await repository.dispose();
  }
});
