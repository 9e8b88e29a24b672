// Vectors from a table of terms.

import { expect, test } from 'vitest';
import { createStaticEmbedder } from '../../../server/src/adapters/embeddings/staticEmbedder.ts';
import { serialiseModel, parseTermTable } from '../../../server/src/adapters/embeddings/staticModel.ts';

const never = new AbortController().signal;
// Two axes: what is about files, what is about networks.
const table = parseTermTable(
  serialiseModel({
    dimensions: 2,
    terms: ['read', 'file', 'socket', 'readfil'],
    scales: Float32Array.of(0.01, 0.02, 0.02, 0.01),
    rows: Int8Array.of(50, 50, 127, 0, 0, 127, 100, 0),
  }),
  'test',
);
const embedder = createStaticEmbedder(table);
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, index) => sum + value * b[index]!, 0);

test('the space is the one of the table', () => {
  expect(embedder.profile).toBe(table.profile);
  expect(embedder.dimensions).toBe(2);
});

test.each(['read the file', '', '!?', 'nothing known here', 'file '.repeat(10_000)])(
  'unit length: %j',
  async (text) => {
    const [vector] = await embedder.embed([text], never);
    expect(dot(vector!, vector!)).toBeCloseTo(1, 5);
  },
);

test('a sum of rows, repeats by their logarithm', async () => {
  const [vector] = await embedder.embed(['file file socket'], never);
  const length = Math.hypot((1 + Math.log(2)) * 2.54, 2.54);
  expect(vector![0]).toBeCloseTo(((1 + Math.log(2)) * 2.54) / length, 5);
  expect(vector![1]).toBeCloseTo(2.54 / length, 5);
});

test('identifiers count whole and in parts', async () => {
  const [camel, words, other] = await embedder.embed(['readFile', 'read file', 'socket'], never);
  expect(dot(camel!, words!)).toBeGreaterThan(0.9);
  expect(dot(camel!, other!)).toBeLessThan(0.5);
});

test('cancelled is said', async () => {
  await expect(embedder.embed(['a'], AbortSignal.abort())).rejects.toMatchObject({ reason: 'cancelled' });
});
