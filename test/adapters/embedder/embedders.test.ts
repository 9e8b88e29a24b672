// The choice among embedders: the one that is asked for, else the shipped one with a notice.

import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmbedders, findShippedModel } from '../../../server/src/app/embedders.ts';
import { defaultSettings, type Settings } from '../../../server/src/settings/schema.ts';

let dir: string;
const log = { write: () => {} };

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-embedders-'));
});
afterAll(() => rm(dir, { recursive: true }));

function choose(
  settings: Partial<Settings>,
  more: { readonly trusted?: boolean; readonly modelFile?: string; readonly env?: Record<string, string> } = {},
) {
  return createEmbedders({ settings: { ...defaultSettings, ...settings }, trusted: true, env: {}, log, ...more });
}

test('the shipped model serves by default, without a notice', async () => {
  const { embedder, fallback, termTable, notices } = await choose({});
  expect(embedder.profile).toBe(termTable!.profile);
  expect(fallback).toBe(embedder);
  expect(notices).toEqual([]);
});

test('a damaged model is said, and hashing serves', async () => {
  const modelFile = join(dir, 'damaged.bin');
  await copyFile(findShippedModel(), modelFile);
  await writeFile(modelFile, 'garbage', { flag: 'a' });
  const { embedder, termTable, notices } = await choose({}, { modelFile });
  expect(termTable).toBeNull();
  expect(embedder.profile).toMatch(/^hashed-/);
  expect(notices).toMatchObject([{ severity: 'warning', message: expect.stringContaining('damaged') }]);
});

test.each([
  ['a server without an address', { 'memory.embedder': 'provider', 'memory.embedderModel': 'm' }],
  ['a server without a model', { 'memory.embedder': 'provider', 'memory.embedderUrl': 'http://127.0.0.1:1/v1' }],
  ['a local model without a folder', { 'memory.embedder': 'transformers' }],
  [
    'a local model in a folder that is not there',
    { 'memory.embedder': 'transformers', 'memory.embedderModel': '/nowhere/at/all' },
  ],
] as const)('%s: the shipped one serves under its own profile', async (_what, settings) => {
  const { embedder, termTable, notices } = await choose(settings);
  expect(embedder.profile).toBe(termTable!.profile);
  expect(notices).toMatchObject([{ severity: 'warning', action: expect.stringContaining('static') }]);
});

test('an untrusted workspace contacts no server', async () => {
  let contacts = 0;
  const server = createServer((_request, response) => {
    contacts++;
    response.end('{"data":[{"index":0,"embedding":[3,4]}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const settings = {
    'memory.embedder': 'provider',
    'memory.embedderModel': 'm',
    'memory.embedderUrl': `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
  } as const;
  try {
    const untrusted = await choose(settings, { trusted: false });
    expect(contacts).toBe(0);
    expect(untrusted.embedder.profile).toBe(untrusted.termTable!.profile);
    expect(untrusted.notices).toMatchObject([{ severity: 'info' }]);
    const trusted = await choose(settings);
    expect(contacts).toBe(1);
    expect(trusted.embedder.profile).toMatch(/^provider-2-/);
    expect(trusted.fallback.profile).toBe(trusted.termTable!.profile);
  } finally {
    server.close();
  }
});
