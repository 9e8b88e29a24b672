// An ONNX model that the test writes, run and downloaded by the real transformers.js: `npm test -- --lane inference`,
// which installs the library from npm.

import { createReadStream, existsSync, statSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { downloadModel } from '../../../server/src/adapters/embeddings/downloadModel.ts';
import { createTransformersEmbedder } from '../../../server/src/adapters/embeddings/transformersEmbedder.ts';
import { createEmbedders } from '../../../server/src/app/embedders.ts';
import { loadTransformersLibrary } from '../../../server/src/app/embeddingModels.ts';
import { defaultSettings } from '../../../server/src/settings/schema.ts';
import { silentLog } from '../../adapters/sandbox/sandboxOf.ts';
import { writeEmbeddingModel } from '../../helpers/onnx.ts';
import { libraryOf } from './library.ts';

const never = new AbortController().signal;
const quiet = () => undefined;
const TOPICS = { retry: 0, backoff: 0, pauses: 0, read: 1, file: 1, json: 2 };
let libraryDir: string;
let folder: string;
let modelDir: string;
beforeAll(async () => {
  libraryDir = await libraryOf('embeddings');
  folder = await mkdtemp(join(tmpdir(), 'selfware-embeddings-'));
  modelDir = join(folder, 'tiny');
  await writeEmbeddingModel(modelDir, TOPICS);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const library = () => loadTransformersLibrary({ 'memory.embedderLibrary': libraryDir }, {});
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

/** A server with the model as `acme/tiny`, and nothing else. `stalls`: the weights never end. */
async function modelServer({ stalls = false } = {}) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    if (request.headers.range === undefined) requests.push(request.url ?? '');
    const path = /^\/acme\/tiny\/resolve\/main\/([\w./]+)$/.exec(request.url ?? '')?.[1];
    const file = path === undefined ? '' : join(modelDir, path);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-length': statSync(file).size });
    if (stalls && path?.endsWith('.onnx') && request.headers.range === undefined) return response.write('x');
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('words of one topic are near to each other, and batches change nothing', async () => {
  const embedder = await createTransformersEmbedder({ modelDir, library, batchSize: 2 });
  const [retry, backoff, json] = await embedder.embed(['retry', 'backoff pauses', 'json'], never);
  expect(embedder.dimensions).toBe(4);
  expect(dot(retry!, backoff!)).toBeGreaterThan(0.99);
  expect(dot(retry!, json!)).toBeLessThan(0.1);
  expect(Math.hypot(...retry!)).toBeCloseTo(1, 5);
});

test('a file that is no model is told', async () => {
  const bad = join(folder, 'bad');
  await writeEmbeddingModel(bad, TOPICS);
  await writeFile(join(bad, 'onnx', 'model.onnx'), 'no model');
  await expect(createTransformersEmbedder({ modelDir: bad, library })).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining(`The embedding model in ${bad} does not run`),
  });
});

test('a model is downloaded once, with progress, and then used by its name without a server', async () => {
  const env = { SELFWARE_HOME: join(folder, 'state') };
  const bytes: (readonly [number, number])[] = [];
  let downloaded: string;
  {
    await using server = await modelServer();
    downloaded = await downloadModel({
      name: 'acme/tiny',
      env,
      library: await library(),
      host: server.host,
      signal: never,
      onBytes: (loaded, total) => bytes.push([loaded, total]),
    });
  }
  expect(downloaded).toBe(join(folder, 'state', 'models', 'acme', 'tiny'));
  const [loaded, total] = bytes.at(-1)!;
  expect([loaded, total > 1000]).toEqual([total, true]);
  const settings = {
    ...defaultSettings,
    'memory.embedder': 'transformers' as const,
    'memory.embedderLibrary': libraryDir,
    'memory.embedderModel': 'acme/tiny',
  };
  const { embedder, notices } = await createEmbedders({ settings, trusted: true, env, log: silentLog });
  expect([embedder.source, embedder.dimensions, notices]).toEqual(['model', 4, []]);
  const [read, file] = await embedder.embed(['read', 'file'], never);
  expect(dot(read!, file!)).toBeGreaterThan(0.99);
});

test.each([
  ['a model that the server lacks', 'acme/other', 'unavailable'],
  ['a name that leads elsewhere', '../tiny', 'usage'],
  ['a name without an owner', 'tiny', 'usage'],
])('%s is refused, and nothing is left', async (_what, name, reason) => {
  await using server = await modelServer();
  const env = { SELFWARE_HOME: join(folder, `state-${reason}`) };
  const loaded = await library();
  const downloading = downloadModel({ name, env, library: loaded, host: server.host, signal: never, onBytes: quiet });
  await expect(downloading).rejects.toMatchObject({ reason, action: expect.any(String) });
  expect(await readdir(join(env.SELFWARE_HOME, 'models', 'acme')).catch(() => [])).toEqual([]);
  // The library is used for local models afterwards.
  expect(loaded.env).toMatchObject({ allowRemoteModels: reason === 'usage' ? expect.any(Boolean) : false });
});

test('cancelling ends a download and leaves nothing', async () => {
  await using server = await modelServer({ stalls: true });
  const env = { SELFWARE_HOME: join(folder, 'state-cancelled') };
  const cancel = new AbortController();
  const downloading = downloadModel({
    name: 'acme/tiny',
    env,
    library: await library(),
    host: server.host,
    signal: cancel.signal,
    onBytes: quiet,
  });
  const refused = expect(downloading).rejects.toMatchObject({ reason: 'cancelled' });
  await expect.poll(() => server.requests.some((path) => path.endsWith('.onnx'))).toBe(true);
  cancel.abort();
  await refused;
  expect(await readdir(join(env.SELFWARE_HOME, 'models', 'acme'))).toEqual([]);
});
