// What a repository says of rules holds in the editor too, and what the person says wins.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver/node';
import { plainCapabilities } from '../helpers/clientCapabilities.ts';
import { startRealServer, type RealServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

const file = 'src/a.ts';
let repository: TemporaryRepository;
let server: RealServer | null = null;
beforeEach(async () => {
  repository = await createTemporaryRepository({
    [file]:
      "import { one, two } from './b.ts';\n\n/** Adds one more to it. */\nexport function more(value: number): number {\n  const unused = 1;\n  return value + one;\n}\n",
    '.selfware/settings.json': JSON.stringify({
      'analysis.rules': { 'unused-import': 'off', 'unused-local': 'warning' },
    }),
  });
});
afterEach(async () => {
  await server?.dispose();
  server = null;
  await repository.dispose();
});

/** `rule:severity` as the protocol counts it: 2 warning, 3 information, 4 hint. */
async function diagnostics(settings: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  server = await startRealServer(repository.dir, {
    capabilities: { ...plainCapabilities, textDocument: { ...plainCapabilities.textDocument, diagnostic: {} } },
    initializationOptions: { settings },
  });
  await server.client.initialize();
  await server.client.open(file);
  const { items } = await server.client.request<{ items: Diagnostic[] }>('textDocument/diagnostic', {
    textDocument: { uri: server.client.uri(file) },
  });
  return items.map(({ code, severity }) => `${code}:${severity}`).sort();
}

test('of the repository alone', async () => {
  expect(await diagnostics({})).toEqual(['unused-local:2']);
});

test('of the person over it, rule by rule', async () => {
  expect(await diagnostics({ analysis: { rules: { 'unused-import': 'information' } } })).toEqual([
    'unused-import:3',
    'unused-local:2',
  ]);
});
