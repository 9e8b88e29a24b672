// What every chunk store does, held by LanceDB and by the lexical store alike.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createLancedbStore } from '../../../server/src/adapters/lancedb/lancedbStore.ts';
import { createLexicalStore } from '../../../server/src/adapters/lexical/lexicalStore.ts';
import type { Chunk } from '../../../server/src/core/model.ts';
import type { ChunkStore } from '../../../server/src/core/indexPorts.ts';

const stores: readonly (readonly [string, (dir: string) => Promise<ChunkStore>])[] = [
  ['lancedb', (dir) => createLancedbStore(join(dir, 'lancedb'))],
  ['lexical', (dir) => createLexicalStore(join(dir, 'chunks.db'))],
];

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function temporaryFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'selfware-store-'));
  cleanups.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

function chunk(id: string, terms: string, vector: readonly number[] = [1, 0, 0], more: Partial<Chunk> = {}): Chunk & { vector: Float32Array } {
  return { id, path: `${id}.ts`, startLine: 1, endLine: 2, symbol: id, text: terms, terms, vector: Float32Array.from(vector), ...more };
}

const ids = (hits: readonly { readonly id: string }[]) => hits.map(({ id }) => id);

describe.each(stores)('%s', (kind, create) => {
  async function opened(dir?: string, profile = 'p1', dimensions = 3): Promise<ChunkStore> {
    const store = await create(dir ?? (await temporaryFolder()));
    cleanups.push(() => store.close());
    await store.open(profile, dimensions);
    return store;
  }
  const search = (store: ChunkStore, terms: string, vector: readonly number[] = [1, 0, 0], limit = 10) => store.search({ terms, vector: Float32Array.from(vector), limit });

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
    await store.upsert([chunk('a', 'read config file', [1, 0, 0]), chunk('b', 'write config', [0, 1, 0], { symbol: null, startLine: 5, endLine: 9 }), chunk('c', 'paint screen', [0, 0.6, 0.8])]);
    const { lexical, dense } = await search(store, 'write config', [0, 1, 0]);
    expect(ids(lexical)).toEqual(['b', 'a']);
    expect(ids(dense)).toEqual(['b', 'c', 'a']);
    expect(lexical[0]).toMatchObject({ id: 'b', path: 'b.ts', startLine: 5, endLine: 9, symbol: null });
    expect(lexical[0]!.score).toBeGreaterThan(lexical[1]!.score);
    expect(dense.map(({ score }) => Math.round(score * 100))).toEqual([100, 60, 0]);
  });

  test('a rare term counts more than a common one', async () => {
    const store = await opened();
    await store.upsert([...Array.from({ length: 20 }, (_, index) => chunk(`common${index}`, 'config common text')), chunk('rare', 'zebra other text')]);
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
    await store.upsert([chunk('a', 'readconfig and not or'), chunk('b', `quote's "double" +x -y *`), chunk('c', 'größe 日本')]);
    expect(ids((await search(store, 'read')).lexical)).toEqual([]);
    expect(ids((await search(store, 'not')).lexical)).toEqual(['a']);
    expect(ids((await search(store, `quote's`)).lexical)).toEqual(['b']);
    expect(ids((await search(store, 'größe')).lexical)).toEqual(['c']);
    expect(ids((await search(store, 'x" OR id:* (')).lexical)).toEqual([]);
    expect((await search(store, '')).lexical).toEqual([]);
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
