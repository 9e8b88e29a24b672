// Texts by hash on a real disk.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createContentStore } from '../../../server/src/adapters/sqlite/contentStore.ts';
import { sha256 } from '../../../server/src/util/hash.ts';

let dir: string;
let file: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-contents-'));
  file = join(dir, 'contents.db');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test.each(['', 'a', '\uFEFFwith a mark\r\n', 'null \0 byte', 'Grüße 🙂', 'x'.repeat(300_000)])(
  'a text comes back whole %#',
  async (text) => {
    const store = await createContentStore(file);
    const hash = await store.put(text);
    expect(hash).toBe(sha256(text));
    expect(await store.put(text)).toBe(hash);
    await store.close();
    const again = await createContentStore(file);
    expect(await again.get(hash)).toBe(text);
    expect(await again.get('0'.repeat(64))).toBeNull();
    await again.close();
  },
);

test.each([Buffer.from('no deflate'), Buffer.from([3, 0])])(
  'bytes that went bad are told, and mended by the same text %#',
  async (bytes) => {
    const store = await createContentStore(file);
    const hash = await store.put('good');
    const database = new DatabaseSync(file);
    database.prepare('UPDATE contents SET bytes = ?').run(bytes);
    database.close();
    await expect(store.get(hash)).rejects.toMatchObject({ reason: 'damaged', action: expect.stringContaining(file) });
    await store.put('good');
    expect(await store.get(hash)).toBe('good');
    await store.close();
  },
);

test('a file that is no database is told at first use and left alone', async () => {
  await writeFile(file, 'garbage '.repeat(1000));
  const store = await createContentStore(file);
  await expect(store.put('a')).rejects.toMatchObject({ reason: 'damaged' });
  await expect(store.get('a')).rejects.toMatchObject({ reason: 'damaged' });
  await store.close();
  expect(await readFile(file, 'utf8')).toBe('garbage '.repeat(1000));
});

test('texts are removed by name, but for those that somebody may be about to name', async () => {
  let now = 10 * 3_600_000;
  const store = await createContentStore(file, () => now);
  const [old, renewed] = [await store.put('old'), await store.put('renewed')];
  now += 2 * 3_600_000;
  await store.put('renewed');
  const fresh = await store.put('fresh');
  expect([...(await store.sizes()).keys()].sort()).toEqual([old, renewed, fresh].sort());
  expect(await store.remove([old, renewed, fresh])).toBe(1);
  expect([await store.get(old), await store.get(renewed), await store.get(fresh)]).toEqual([null, 'renewed', 'fresh']);
  await store.close();
});

test('a store of an older version is read, and says of nothing when it was put', async () => {
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE contents (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT, WITHOUT ROWID');
  database.prepare('INSERT INTO contents VALUES (?, ?)').run(sha256('a'), deflateRawSync(Buffer.from('a')));
  database.close();
  const store = await createContentStore(file);
  expect(await store.get(sha256('a'))).toBe('a');
  expect(await store.remove([sha256('a')])).toBe(1);
  await store.close();
});
