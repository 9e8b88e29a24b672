// What every chunk store does, held alike by LanceDB in a folder, by LanceDB in a bucket that machines share, and by
// the lexical store.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLancedbStore } from '../../../server/src/adapters/lancedb/lancedbStore.ts';
import { createLexicalStore } from '../../../server/src/adapters/lexical/lexicalStore.ts';
import type { Chunk } from '../../../server/src/core/model.ts';
import { startS3Server, type S3Server } from '../../helpers/s3Server.ts';
import type { ChunkStore, StoredChunk } from '../../../server/src/core/ports/search.ts';

const stores: readonly (readonly [name: string, kind: string, create: (dir: string) => Promise<ChunkStore>])[] = [
  ['lancedb', 'lancedb', (dir) => createLancedbStore(join(dir, 'lancedb'))],
  ['lancedb in a bucket', 'lancedb', (dir) => createLancedbStore(`s3://bucket${dir}`, { env: bucket.env })],
  ['lexical', 'lexical', (dir) => createLexicalStore(join(dir, 'chunks.db'))],
];

let bucket: S3Server;
const environment = { ...process.env };
beforeAll(async () => {
  bucket = await startS3Server();
  // The library reads credentials from here.
  Object.assign(process.env, bucket.env);
});
afterAll(async () => {
  for (const name of Object.keys(bucket.env)) {
    if (environment[name] === undefined) delete process.env[name];
    else process.env[name] = environment[name];
  }
  await bucket.close();
});

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function temporaryFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'selfware-store-'));
  cleanups.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

function chunk(
  id: string,
  terms: string,
  vector: readonly number[] = [1, 0, 0],
  more: Partial<Chunk> = {},
): Chunk & { vector: Float32Array } {
  return {
    id,
    path: `${id}.ts`,
    startLine: 1,
    endLine: 2,
    symbol: id,
    text: terms,
    terms,
    vector: Float32Array.from(vector),
    ...more,
  };
}

const never = new AbortController().signal;

async function all(store: ChunkStore): Promise<StoredChunk[]> {
  const rows: StoredChunk[] = [];
  for await (const batch of store.rows(never)) rows.push(...batch);
  return rows;
}

function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

const ids = (hits: readonly { readonly id: string }[]) => hits.map(({ id }) => id);

describe.each(stores)('%s', (_name, kind, create) => {
  async function opened(dir?: string, profile = 'p1', dimensions = 3): Promise<ChunkStore> {
    const store = await create(dir ?? (await temporaryFolder()));
    cleanups.push(() => store.close());
    await store.open(profile, dimensions);
    return store;
  }
  const search = (store: ChunkStore, terms: string, vector: readonly number[] = [1, 0, 0], limit = 10) =>
    store.search({ terms, vector: Float32Array.from(vector), limit });

  test('names its kind', async () => {
    expect((await opened()).kind).toBe(kind);
  });

  test('an empty store has no ids, finds nothing, and takes every call', async () => {
    const store = await opened();
    expect(await store.ids()).toEqual(new Set());
    expect(await search(store, 'word')).toEqual({ lexical: [], dense: [] });
    await store.upsert([]);
    await store.remove([]);
    await store.remove(['unknown']);
    await store.optimise();
  });

  test('finds by terms and by vector, each best first, with every field', async () => {
    const store = await opened();
    await store.upsert([
      chunk('a', 'read config file', [1, 0, 0]),
      chunk('b', 'write config', [0, 1, 0], { symbol: null, startLine: 5, endLine: 9 }),
      chunk('c', 'paint screen', [0, 0.6, 0.8]),
    ]);
    const { lexical, dense } = await search(store, 'write config', [0, 1, 0]);
    expect(ids(lexical)).toEqual(['b', 'a']);
    expect(ids(dense)).toEqual(['b', 'c', 'a']);
    expect(lexical[0]).toMatchObject({ id: 'b', path: 'b.ts', startLine: 5, endLine: 9, symbol: null });
    expect(lexical[0]!.score).toBeGreaterThan(lexical[1]!.score);
    expect(dense.map(({ score }) => Math.round(score * 100))).toEqual([100, 60, 0]);
  });

  test('a rare term counts more than a common one', async () => {
    const store = await opened();
    await store.upsert([
      ...Array.from({ length: 20 }, (_, index) => chunk(`common${index}`, 'config common text')),
      chunk('rare', 'zebra other text'),
    ]);
    expect(ids((await search(store, 'config zebra')).lexical)[0]).toBe('rare');
  });

  test('the limit holds for both lists', async () => {
    const store = await opened();
    await store.upsert(Array.from({ length: 30 }, (_, index) => chunk(`c${index}`, 'same')));
    const { lexical, dense } = await search(store, 'same', [1, 0, 0], 7);
    expect([lexical.length, dense.length]).toEqual([7, 7]);
  });

  test('terms are whole words: neither parts, nor case, nor operators', async () => {
    const store = await opened();
    await store.upsert([
      chunk('a', 'readconfig and not or'),
      chunk('b', `quote's "double" +x -y *`),
      chunk('c', 'größe 日本'),
    ]);
    expect(ids((await search(store, 'read')).lexical)).toEqual([]);
    expect(ids((await search(store, 'not')).lexical)).toEqual(['a']);
    expect(ids((await search(store, `quote's`)).lexical)).toEqual(['b']);
    expect(ids((await search(store, 'größe')).lexical)).toEqual(['c']);
    expect(ids((await search(store, 'x" OR id:* (')).lexical)).toEqual([]);
    expect((await search(store, '')).lexical).toEqual([]);
  });

  test('terms may come as bytes: they are found and read as their text', async () => {
    const store = await opened();
    const bytes = new TextEncoder().encode('größe 日本 config');
    await store.upsert([{ ...chunk('a', ''), terms: bytes }, chunk('b', 'other')]);
    expect((await store.get(['a'])).map(({ terms }) => terms)).toEqual(['größe 日本 config']);
    expect(ids((await search(store, 'größe')).lexical)).toEqual(['a']);
  });

  test('an upsert replaces, and what was replaced is no longer found', async () => {
    const store = await opened();
    await store.upsert([chunk('a', 'old words'), chunk('b', 'other')]);
    expect(ids((await search(store, 'old')).lexical)).toEqual(['a']);
    await store.upsert([chunk('a', 'new words', [0, 1, 0])]);
    expect(await store.ids()).toEqual(new Set(['a', 'b']));
    expect(ids((await search(store, 'old')).lexical)).toEqual([]);
    expect(ids((await search(store, 'new', [0, 1, 0])).dense)[0]).toBe('a');
  });

  test('removes, also ids with quotes, and more than one statement takes', async () => {
    const store = await opened();
    const many = Array.from({ length: 1200 }, (_, index) => chunk(`m${index}`, 'many'));
    await store.upsert([...many, chunk(`it's`, 'kept'), chunk('left', 'kept')]);
    await store.remove([...many.map(({ id }) => id), `it's`]);
    expect(await store.ids()).toEqual(new Set(['left']));
    expect(ids((await search(store, 'many kept')).lexical)).toEqual(['left']);
  });

  test('rows added after the first search are found at once, before and after optimise', async () => {
    const store = await opened();
    await store.upsert([chunk('a', 'first')]);
    await search(store, 'first');
    await store.upsert([chunk('b', 'second')]);
    expect(ids((await search(store, 'second')).lexical)).toEqual(['b']);
    await store.optimise();
    expect(ids((await search(store, 'second')).lexical)).toEqual(['b']);
    await store.upsert([chunk('c', 'third')]);
    expect(ids((await search(store, 'third')).lexical)).toEqual(['c']);
  });

  test('survives a restart with the same profile, and starts afresh with another or with other dimensions', async () => {
    const dir = await temporaryFolder();
    const first = await opened(dir);
    await first.upsert([chunk('a', 'word')]);
    await first.optimise();
    await first.close();
    const second = await opened(dir);
    expect(await second.ids()).toEqual(new Set(['a']));
    expect(ids((await search(second, 'word')).lexical)).toEqual(['a']);
    await second.close();
    const third = await opened(dir, 'p2');
    expect(await third.ids()).toEqual(new Set());
    await third.upsert([chunk('b', 'word')]);
    await third.close();
    const fourth = await opened(dir, 'p2', 2);
    expect(await fourth.ids()).toEqual(new Set());
    await fourth.upsert([chunk('c', 'word', [1, 0])]);
    expect(await fourth.ids()).toEqual(new Set(['c']));
  });

  test('gives rows back as they were written, by id and all of them', async () => {
    const store = await opened();
    const words = ['größe 日本 🌍', 'plain words', ''];
    await store.upsert(words.map((terms, at) => chunk(`r${at}`, terms, [at / 4, -1, 0.5])));
    const expected = words.map((terms, at) => ({ id: `r${at}`, terms, vector: [at / 4, -1, 0.5] }));
    const plain = (rows: readonly StoredChunk[]) =>
      rows.map(({ id, terms, vector }) => ({ id, terms, vector: [...vector] })).sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(plain(await all(store))).toEqual(expected);
    expect(plain(await store.get(['r2', 'unknown', 'r0']))).toEqual([expected[0], expected[2]]);
    expect(await store.get([])).toEqual([]);
  });

  test('keeps vectors closely enough for the order of answers', async () => {
    const store = await opened(undefined, 'p', 64);
    const vectors = Array.from({ length: 200 }, (_, at) =>
      unit(Array.from({ length: 64 }, (_value, axis) => Math.sin(at * 7.3 + axis * (at + 1)))),
    );
    await store.upsert(vectors.map((vector, at) => chunk(`v${at}`, 'word', vector)));
    const question = vectors[17]!;
    const exact = vectors
      .map((vector, at) => ({
        id: `v${at}`,
        score: vector.reduce((sum, value, axis) => sum + value * question[axis]!, 0),
      }))
      .sort((a, b) => b.score - a.score);
    const { dense } = await search(store, '', question, 10);
    expect(ids(dense)).toEqual(exact.slice(0, 10).map(({ id }) => id));
    for (const [at, { score }] of dense.entries()) expect(score).toBeCloseTo(exact[at]!.score, 2);
  });

  test('rows stop when they are cancelled', async () => {
    const store = await opened();
    await store.upsert([chunk('a', 'word')]);
    const cancelled = AbortSignal.abort();
    await expect(async () => {
      for await (const rows of store.rows(cancelled)) expect(rows).toEqual([]);
    }).rejects.toMatchObject({ reason: 'cancelled' });
  });

  test('a reader in the middle of its rows gets each once while another writes, removes and compacts', async () => {
    const dir = await temporaryFolder();
    const [writer, reader] = [await opened(dir), await opened(dir)];
    const kept = Array.from({ length: 9_000 }, (_, at) => chunk(`k${at}`, 'kept'));
    for (let at = 0; at < kept.length; at += 3_000) await writer.upsert(kept.slice(at, at + 3_000));
    const seen: string[] = [];
    let turns = 0;
    for await (const rows of reader.rows(never)) {
      seen.push(...rows.map(({ id }) => id));
      turns += 1;
      await writer.upsert([chunk(`new${turns}`, 'new')]);
      await writer.remove([`new${turns - 1}`]);
      await writer.optimise();
    }
    expect(turns).toBeGreaterThan(1);
    expect(seen.filter((id) => id.startsWith('k')).sort()).toEqual(kept.map(({ id }) => id).sort());
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('rows of two profiles never meet, while both are read and written', async () => {
    const dir = await temporaryFolder();
    const old = await opened(dir, 'old');
    await old.upsert([chunk('a', 'old words', [1, 0, 0])]);
    const fresh = await opened(dir, 'fresh');
    expect(await fresh.ids()).toEqual(new Set());
    await fresh.upsert([chunk('a', 'fresh words', [0, 1, 0]), chunk('b', 'fresh words', [0, 1, 0])]);
    await fresh.optimise();
    const about = async (store: ChunkStore) => [
      ...new Set((await all(store)).map(({ terms, vector }) => `${terms} ${[...vector]}`)),
    ];
    for (const rows of [await about(old)]) expect(rows.filter((row) => row !== 'old words 1,0,0')).toEqual([]);
    expect(await about(fresh)).toEqual(['fresh words 0,1,0']);
    await old.upsert([chunk('c', 'old words', [1, 0, 0])]);
    expect((await old.ids()).has('c')).toBe(true);
    expect(ids((await search(old, 'fresh')).lexical)).toEqual([]);
    expect([...(await fresh.ids())].sort()).toEqual(['a', 'b']);
    await expect(fresh.upsert([chunk('d', 'word', [1, 0])])).rejects.toMatchObject({ reason: 'internal' });
  });

  test('two handles on one store see each other and make no duplicates', async () => {
    const dir = await temporaryFolder();
    const [one, two] = [await opened(dir), await opened(dir)];
    await one.upsert([chunk('a', 'word')]);
    await search(two, 'word');
    await Promise.all([one.upsert([chunk('b', 'thing')]), two.upsert([chunk('b', 'thing')])]);
    expect([...(await one.ids())].sort()).toEqual(['a', 'b']);
    expect(ids((await search(two, 'thing')).lexical)).toEqual(['b']);
    expect(ids((await search(one, 'thing')).dense).sort()).toEqual(['a', 'b']);
  });

  test('rows that another handle brings between two writes are there once', async () => {
    const dir = await temporaryFolder();
    const [one, other] = [await opened(dir), await opened(dir)];
    await one.upsert([chunk('a', 'old'), chunk('b', 'old')]);
    await other.upsert([chunk('c', 'other')]);
    await one.upsert([chunk('c', 'mine'), chunk('d', 'mine')]);
    await one.upsert([chunk('e', 'mine'), chunk('a', 'new')]);
    const rows = await all(one);
    expect(rows.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(rows.find(({ id }) => id === 'a')).toMatchObject({ terms: 'new' });
    expect(rows.find(({ id }) => id === 'c')).toMatchObject({ terms: 'mine' });
    await one.remove(['a']);
    await one.upsert([chunk('a', 'again')]);
    await one.optimise({ thoroughly: true });
    await one.upsert([chunk('a', 'at last'), chunk('b', 'at last')]);
    expect((await all(other)).map(({ id }) => id).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('a row that is written again by the same handle is replaced', async () => {
    const store = await opened();
    await store.upsert([chunk('a', 'first'), chunk('b', 'first')]);
    await store.upsert([chunk('c', 'first')]);
    await store.upsert([chunk('b', 'second'), chunk('d', 'second')]);
    expect((await all(store)).map(({ id, terms }) => `${id} ${terms}`).sort()).toEqual([
      'a first',
      'b second',
      'c first',
      'd second',
    ]);
  });

  test('first searches that come together, from two handles, are all answered', async () => {
    const dir = await temporaryFolder();
    const [one, two] = [await opened(dir), await opened(dir)];
    await one.upsert([chunk('a', 'word')]);
    const answers = await Promise.all([one, two, one, two].map((store) => search(store, 'word')));
    expect(answers.map(({ lexical }) => ids(lexical))).toEqual([['a'], ['a'], ['a'], ['a']]);
  });

  test('a closed store says so', async () => {
    const store = await create(await temporaryFolder());
    await store.open('p', 3);
    await store.close();
    await expect(store.ids()).rejects.toMatchObject({ reason: 'internal' });
  });
});
