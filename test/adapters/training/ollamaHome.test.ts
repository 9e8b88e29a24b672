// Trained models on an Ollama server: a peer with the part of its API that creates, copies and deletes models.

import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOllamaHome } from '../../../server/src/adapters/training/ollamaHome.ts';
import type { ModelHome } from '../../../server/src/adapters/training/modelHome.ts';

let folder: string;
let server: Server;
let home: ModelHome;
const blobs = new Map<string, string>();
const models = new Map<string, unknown>();
const { signal } = new AbortController();

/** Answers as Ollama 0.12 does; an unknown model is a 404 with an error. */
function answer(method: string, path: string, body: string): readonly [status: number, answer: unknown] {
  const digest = /^\/api\/blobs\/(sha256:.*)$/.exec(path)?.[1];
  if (digest !== undefined) {
    if (method === 'HEAD') return [blobs.has(digest) ? 200 : 404, null];
    const hash = `sha256:${createHash('sha256').update(body, 'latin1').digest('hex')}`;
    if (hash !== digest) return [400, { error: 'digest mismatch' }];
    blobs.set(digest, body);
    return [201, null];
  }
  const asked = JSON.parse(body) as Record<string, string> & { readonly files?: object; readonly adapters?: object };
  const missing = (model: string) => [404, { error: `model '${model}' not found` }] as const;
  if (path === '/api/create') {
    const used = Object.values({ ...asked.files, ...asked.adapters });
    if (used.some((blob) => blobs.get(blob as string) === 'broken')) return [200, { error: 'invalid GGUF' }];
    if (used.length === 0 || used.some((blob) => !blobs.has(blob as string))) return [400, { error: 'blob not found' }];
    if (asked.from !== undefined && !models.has(asked.from)) return missing(asked.from);
    models.set(asked.model!, { from: asked.from, files: asked.files, adapters: asked.adapters });
    return [200, { status: 'success' }];
  }
  if (path === '/api/copy') {
    if (!models.has(asked.source!)) return missing(asked.source!);
    models.set(asked.destination!, models.get(asked.source!));
    return [200, null];
  }
  if (path === '/api/delete' && method === 'DELETE')
    return models.delete(asked.model!) ? [200, null] : missing(asked.model!);
  return [404, null];
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfware-ollama-'));
  blobs.clear();
  models.clear();
  models.set('base', 'the base');
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [status, value] = answer(request.method!, request.url!, Buffer.concat(chunks).toString('latin1'));
      response.writeHead(status).end(value === null ? '' : JSON.stringify(value));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  home = createOllamaHome({ url, base: 'base', name: 'selfware-x' });
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

async function artifact(text: string, kind: 'model' | 'adapter') {
  const path = join(folder, 'result.gguf');
  await writeFile(path, text);
  return { path, kind, hash: createHash('sha256').update(text).digest('hex') };
}

test('an adapter becomes a model of the base, a file one of its own; the tag latest is the one in use', async () => {
  const one = await home.add('run-1', await artifact('adapter', 'adapter'), signal);
  expect(one).toBe('selfware-x:run-1');
  expect(models.get(one)).toMatchObject({
    from: 'base',
    adapters: { 'adapter.gguf': expect.stringMatching(/^sha256:/) },
  });
  const two = await home.add('run-2', await artifact('model', 'model'), signal);
  expect(models.get(two)).toMatchObject({ files: { 'model.gguf': expect.stringMatching(/^sha256:/) } });

  await home.activate(two, signal);
  expect(models.get('selfware-x:latest')).toBe(models.get(two));
  await home.activate(null, signal);
  expect(models.get('selfware-x:latest')).toBe('the base');
  expect(home.proposer(one)).toMatch(/^ollama:selfware-x:run-1@http:/);
  expect(home.inUse).toMatch(/^ollama:selfware-x@http:/);
});

test('the same file is sent once; what was rejected is removed, also a second time', async () => {
  await home.add('run-1', await artifact('same', 'model'), signal);
  const kept = blobs.size;
  await home.add('run-2', await artifact('same', 'model'), signal);
  expect(blobs.size).toBe(kept);
  for (const _again of [1, 2]) await home.remove('run-1', signal);
  expect([...models.keys()]).toEqual(['base', 'selfware-x:run-2']);
});

test('what the server refuses is an error that says why', async () => {
  const broken = await artifact('broken', 'model');
  await expect(home.add('run-1', broken, signal)).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining('invalid GGUF'),
  });
  await expect(home.activate('selfware-x:gone', signal)).rejects.toThrow("model 'selfware-x:gone' not found");
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await expect(home.activate(null, signal)).rejects.toMatchObject({
    message: expect.stringContaining('cannot be reached'),
  });
});

test('an aborted run ends at once', async () => {
  await expect(home.activate(null, AbortSignal.abort())).rejects.toThrow(/abort/i);
});
