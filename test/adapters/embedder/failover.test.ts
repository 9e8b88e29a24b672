// A model that fails in the middle: the other one takes over, and no table ever holds vectors of both.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addFailover } from '../../../server/src/adapters/embeddings/failover.ts';
import { createHashedEmbedder } from '../../../server/src/adapters/embeddings/hashedEmbedder.ts';
import { createLexicalStore } from '../../../server/src/adapters/lexical/lexicalStore.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import type { ChunkStore, Embedder } from '../../../server/src/core/ports/search.ts';

const never = new AbortController().signal;
const fallback = createHashedEmbedder();
let dir: string;
let store: ChunkStore;
let failures: SelfwareError[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-failover-'));
  store = await createLexicalStore(join(dir, 'chunks.db'));
  failures = [];
});
afterEach(async () => {
  await store.close();
  await rm(dir, { recursive: true });
});

/** A model of as many dimensions as the fallback, so that a mix would go unnoticed. */
function model(fails: () => SelfwareError | null): Embedder {
  return {
    source: 'model',
    profile: 'model-256',
    dimensions: fallback.dimensions,
    async embed(texts) {
      const error = fails();
      if (error) throw error;
      return texts.map(() => new Float32Array(fallback.dimensions).fill(1 / 16));
    },
  };
}

async function pair(fails: () => SelfwareError | null) {
  const made = addFailover({ embedder: model(fails), fallback, store, onFailure: (error) => failures.push(error) });
  await made.store.open(`records-1/${made.embedder.profile}`, made.embedder.dimensions);
  return made;
}

const chunk = (id: string, vector: Float32Array) => ({
  id,
  path: 'a.ts',
  startLine: 1,
  endLine: 2,
  symbol: null,
  text: 'text',
  terms: 'text',
  vector,
});
const down = (): SelfwareError => new SelfwareError('unavailable', 'The server is gone.');

test('while the model works it serves', async () => {
  const { embedder, store: chunks } = await pair(() => null);
  const [vector] = await embedder.embed(['a'], never);
  await chunks.upsert([chunk('1', vector!)]);
  expect(embedder.profile).toBe('model-256');
  expect([...(await chunks.ids())]).toEqual(['1']);
  expect(failures).toEqual([]);
});

test('when it fails the call says so, and the other one serves in a table of its own', async () => {
  let error: SelfwareError | null = null;
  const { embedder, store: chunks } = await pair(() => error);
  await chunks.upsert([chunk('1', (await embedder.embed(['a'], never))[0]!)]);
  error = down();
  await expect(embedder.embed(['b'], never)).rejects.toBe(error);
  expect(failures).toEqual([error]);
  expect(embedder.profile).toBe(fallback.profile);
  expect([...(await chunks.ids())]).toEqual([]);
  await chunks.upsert([chunk('2', (await embedder.embed(['b'], never))[0]!)]);
  expect([...(await chunks.ids())]).toEqual(['2']);
});

test('vectors that were made before are refused afterwards', async () => {
  let error: SelfwareError | null = null;
  const { embedder, store: chunks } = await pair(() => error);
  const [early] = await embedder.embed(['a'], never);
  error = down();
  await expect(embedder.embed(['b'], never)).rejects.toBe(error);
  await expect(chunks.upsert([chunk('1', early!)])).rejects.toMatchObject({ reason: 'unavailable' });
  expect([...(await chunks.ids())]).toEqual([]);
});

test('many calls that fail at once are one failure', async () => {
  const { embedder } = await pair(down);
  const calls = await Promise.allSettled(['a', 'b', 'c'].map((text) => embedder.embed([text], never)));
  expect(calls.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(failures).toHaveLength(1);
});

test('a cancelled call is no failure', async () => {
  const { embedder } = await pair(() => new SelfwareError('cancelled', 'Cancelled.'));
  await expect(embedder.embed(['a'], never)).rejects.toMatchObject({ reason: 'cancelled' });
  expect(embedder.profile).toBe('model-256');
  expect(failures).toEqual([]);
});

test('when the store cannot be opened anew nothing is stored any more', async () => {
  let error: SelfwareError | null = null;
  const { embedder, store: chunks } = await pair(() => error);
  const [early] = await embedder.embed(['a'], never);
  error = down();
  await store.close();
  store.open = () => Promise.reject(new SelfwareError('diskFull', 'The disk is full.'));
  const broken = addFailover({
    embedder: model(() => error),
    fallback,
    store,
    onFailure: (failure) => failures.push(failure),
  });
  await expect(broken.store.open('records-1/model-256', 256)).rejects.toMatchObject({ reason: 'diskFull' });
  await expect(broken.embedder.embed(['b'], never)).rejects.toMatchObject({ reason: 'diskFull' });
  await expect(chunks.upsert([chunk('1', early!)])).rejects.toBeInstanceOf(SelfwareError);
  expect(failures).toEqual([]);
});
