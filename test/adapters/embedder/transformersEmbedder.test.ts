// Vectors from a model on this machine. The library is 300 MB, so a small one with the same interface stands in for it:
// it reads the model's folder as the real one does and computes vectors from it.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { COMPONENTS } from '../../../server/src/adapters/components/componentTable.ts';
import { loadComponent } from '../../../server/src/adapters/components/installed.ts';
import { createTransformersEmbedder } from '../../../server/src/adapters/embeddings/transformersEmbedder.ts';
import type { TransformersLibrary } from '../../../server/src/adapters/embeddings/transformersLibrary.ts';

const never = new AbortController().signal;
let dir: string;
let modelDir: string;

const librarySource = `
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
export const env = { localModelPath: '/models/', allowRemoteModels: true, allowLocalModels: true };
export async function pipeline(task, name, options) {
  if (task !== 'feature-extraction' || env.allowRemoteModels || !options.local_files_only) throw new Error('would download');
  const words = JSON.parse(readFileSync(join(env.localModelPath, name, 'onnx', 'model.onnx'), 'utf8'));
  return async (texts, { pooling, normalize }) => {
    if (pooling !== 'mean' || !normalize) throw new Error('no pooling');
    if (texts.some((text) => text.includes('crash'))) throw new Error('out of memory.');
    const size = Object.values(words)[0].length;
    const data = new Float32Array(texts.length * size);
    texts.forEach((text, index) => {
      for (const word of text.split(' ')) (words[word] ?? []).forEach((value, at) => { data[index * size + at] += value; });
    });
    return texts[0] === 'flat' ? { dims: [data.length], data } : { dims: [texts.length, size], data };
  };
}
`;

const libraryIn = async (named: string) =>
  (await loadComponent(COMPONENTS.embeddings, {
    env: {},
    configuredFolder: named,
    selfwareFolder: '',
  })) as TransformersLibrary;
const library = () => libraryIn(dir);

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-transformers-'));
  const home = join(dir, 'node_modules', '@huggingface', 'transformers');
  modelDir = join(dir, 'models', 'tiny');
  await mkdir(home, { recursive: true });
  await mkdir(join(modelDir, 'onnx'), { recursive: true });
  await writeFile(
    join(home, 'package.json'),
    '{"name":"@huggingface/transformers","type":"module","exports":"./index.js"}',
  );
  await writeFile(join(home, 'index.js'), librarySource);
  await writeFile(
    join(modelDir, 'onnx', 'model.onnx'),
    JSON.stringify({ read: [3, 0, 0], file: [0, 4, 0], dimensions: [0, 0, 1] }),
  );
});
afterEach(() => rm(dir, { recursive: true }));

test('a model that does not fit into the memory is not loaded', async () => {
  const memory = () => ({ total: 1000, available: 180 });
  await expect(createTransformersEmbedder({ modelDir, library, memory })).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining('The embedding model needs about'),
  });
});

test('vectors of length 1, one per text, in batches', async () => {
  const embedder = await createTransformersEmbedder({ modelDir, library, batchSize: 2 });
  expect(embedder.dimensions).toBe(3);
  const [both, read, nothing] = await embedder.embed(['read file', 'read', ''], never);
  expect([...both!].map((value) => Number(value.toFixed(4)))).toEqual([0.6, 0.8, 0]);
  expect([...read!]).toEqual([1, 0, 0]);
  expect(Math.hypot(...nothing!)).toBe(1);
});

test('the profile follows the content of the model', async () => {
  const before = await createTransformersEmbedder({ modelDir, library });
  const again = await createTransformersEmbedder({ modelDir, library });
  const file = join(modelDir, 'onnx', 'model.onnx');
  await writeFile(file, (await readFile(file, 'utf8')).replace('4', '5'));
  const after = await createTransformersEmbedder({ modelDir, library });
  expect(before.profile).toMatch(/^transformers-3-/);
  expect(again.profile).toBe(before.profile);
  expect(after.profile).not.toBe(before.profile);
});

test('without the library it says what to install', async () => {
  const libraryDir = join(dir, 'elsewhere');
  await mkdir(libraryDir);
  await rm(join(dir, 'node_modules'), { recursive: true });
  await expect(createTransformersEmbedder({ modelDir, library: () => libraryIn(libraryDir) })).rejects.toMatchObject({
    reason: 'unavailable',
    action: expect.stringContaining('npm install @huggingface/transformers'),
  });
});

test('without the model it says which setting', async () => {
  await expect(createTransformersEmbedder({ modelDir: join(dir, 'none'), library })).rejects.toMatchObject({
    reason: 'unavailable',
    action: expect.stringContaining('memory.embedderModel'),
  });
});

test('a model that does not load is said', async () => {
  await writeFile(join(modelDir, 'onnx', 'model.onnx'), 'not a model');
  await expect(createTransformersEmbedder({ modelDir, library })).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining(modelDir),
  });
});

test.each([
  ['a model that fails in the middle', 'crash'],
  ['an output of another shape', 'flat'],
])('%s is unavailable', async (_what, text) => {
  const embedder = await createTransformersEmbedder({ modelDir, library });
  await expect(embedder.embed([text], never)).rejects.toMatchObject({ reason: 'unavailable' });
});

test('cancelled is said', async () => {
  const embedder = await createTransformersEmbedder({ modelDir, library });
  await expect(embedder.embed(['read'], AbortSignal.abort())).rejects.toMatchObject({ reason: 'cancelled' });
});
