// Vectors without a model.

import { expect, test } from 'vitest';
import { createHashedEmbedder } from '../../../server/src/adapters/embeddings/hashedEmbedder.ts';

const never = new AbortController().signal;
const embedder = createHashedEmbedder();
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, index) => sum + value * b[index]!, 0);
const embed = async (...texts: string[]) => [...(await embedder.embed(texts, never))];

test('unit length and the promised dimensions, whatever the text', async () => {
  for (const vector of await embed(
    'read the config file',
    '',
    ' \n',
    '?!',
    '日本語 größe',
    'x'.repeat(100_000),
    'word '.repeat(10_000),
  )) {
    expect(vector).toHaveLength(embedder.dimensions);
    expect(dot(vector, vector)).toBeCloseTo(1, 4);
  }
});

test('the same text gives the same vector, also from another instance', async () => {
  const [one] = await embed('function parseConfig() {}');
  const [other] = await createHashedEmbedder().embed(['function parseConfig() {}'], never);
  expect(other).toEqual(one);
});

test.each([
  ['parseConfigFile(path)', 'read and parse the config file', 'paint a red button'],
  ['user_login_handler', 'handles the login of a user', 'compress image'],
  ['tokenizer.tokenize(text)', 'text tokenization', 'network socket timeout'],
])('%s is nearer to "%s" than to "%s"', async (text, near, far) => {
  const [a, b, c] = await embed(text, near, far);
  expect(dot(a!, b!)).toBeGreaterThan(dot(a!, c!) + 0.1);
});

test('the profile names what the vectors depend on', () => {
  expect(embedder.profile).toMatch(/^hashed-256-\d+$/);
});

test('cancelled is said', async () => {
  await expect(embedder.embed(['a'], AbortSignal.abort())).rejects.toMatchObject({ reason: 'cancelled' });
});
