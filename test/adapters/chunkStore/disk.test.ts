// Stores and the disk: bounded after any history, and clear words when it is full, read-only or limited.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHashedEmbedder } from '../../../server/src/adapters/embeddings/hashedEmbedder.ts';
import { createLancedbStore } from '../../../server/src/adapters/lancedb/lancedbStore.ts';
import { createLexicalStore } from '../../../server/src/adapters/lexical/lexicalStore.ts';
import { divideIntoChunks } from '../../../server/src/core/index/parse/chunk.ts';
import type { Chunk } from '../../../server/src/core/model.ts';
import { asOrdinaryUser } from '../../helpers/ordinaryUser.ts';
import type { ChunkStore } from '../../../server/src/core/ports/search.ts';

const sources = join(import.meta.dirname, '..', '..', '..', 'server', 'src');
/** The rows are those of every third file. */
const STRIDE = 3;
const UPDATES = 100;
const AT_ONCE = 20;
/** Milliseconds. */
const TIME = 180_000;

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-disk-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

let made: Promise<(Chunk & { vector: Float32Array })[]> | undefined;

/** Copies: a test gives its chunks other ids. */
async function realChunks(): Promise<(Chunk & { vector: Float32Array })[]> {
  return (await (made ??= makeChunks())).map((chunk) => ({ ...chunk }));
}

async function makeChunks(): Promise<(Chunk & { vector: Float32Array })[]> {
  const files = (await readdir(sources, { recursive: true }))
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .filter((_, at) => at % STRIDE === 0);
  const chunks = (
    await Promise.all(
      files.map(async (name) => divideIntoChunks(name, await readFile(join(sources, name), 'utf8'), [])),
    )
  ).flat();
  const vectors = await createHashedEmbedder().embed(
    chunks.map((chunk) => chunk.text),
    new AbortController().signal,
  );
  return chunks.map((chunk, at) => ({ ...chunk, vector: vectors[at]! }));
}

async function bytesBelow(folder: string): Promise<number> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  return (await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size))).reduce(
    (sum, size) => sum + size,
    0,
  );
}

test('a few files of rows are not written again; what was removed, or left by a killed writer, goes', async () => {
  const told: string[] = [];
  const log = { write: (_level: string, message: string, error?: unknown) => void told.push(`${message} ${error}`) };
  const store = await createLancedbStore(join(dir, 'lancedb'), { log });
  await store.open('p', 2);
  const row = (id: string) => ({
    id,
    path: 'a.ts',
    startLine: 1,
    endLine: 1,
    symbol: null,
    terms: 'word',
    vector: Float32Array.of(1, 0),
  });
  for (const id of ['a', 'b', 'c']) await store.upsert([row(id)]);
  const data = async (): Promise<string[]> =>
    (await readdir(join(dir, 'lancedb'), { recursive: true })).filter((name) => /[\\/]data[\\/]/.test(name)).sort();
  const before = await data();
  expect(before).toHaveLength(3);
  await store.optimise({ thoroughly: true });
  expect(await data()).toEqual(before);
  await writeFile(join(dir, 'lancedb', dirname(before[0]!), 'left.lance'), 'half a row');
  await store.optimise({ thoroughly: true });
  // Compacting that fails is only logged.
  expect(told).toEqual([]);
  const merged = await data();
  expect(merged, merged.join()).toHaveLength(1);
  await store.upsert([row('d')]);
  await store.remove(['a']);
  await store.optimise({ thoroughly: true });
  expect(await data()).toHaveLength(1);
  expect([...(await store.ids())].sort()).toEqual(['b', 'c', 'd']);
  await store.close();
});

const stores: readonly (readonly [string, (now: () => number) => Promise<ChunkStore>])[] = [
  ['lancedb', (now) => createLancedbStore(join(dir, 'lancedb'), { now })],
  ['lexical', () => createLexicalStore(join(dir, 'chunks.db'))],
];

describe.each(stores)('%s', (kind, create) => {
  test('once idle takes at most three times the text, after any number of small updates, searches and profiles', {
    timeout: TIME,
  }, async () => {
    // Idle time passes in the test by the clock of the store.
    let later = 0;
    const store = await create(() => Date.now() + later);
    const chunks = await realChunks();
    const text = chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk.text), 0);
    await store.open('before', 256);
    await store.upsert(chunks);
    await store.open('now', 256);
    await store.upsert(chunks);
    await store.search({
      terms: chunks[0]!.terms.split(' ').slice(0, 3).join(' '),
      vector: chunks[0]!.vector,
      limit: 10,
    });
    for (let update = 0; update < UPDATES; update++) {
      const changed = Array.from({ length: AT_ONCE }, (_, at) => chunks[(update * AT_ONCE + at) % chunks.length]!);
      // New content has a new id; what it replaces goes.
      await store.upsert(changed.map((chunk) => ({ ...chunk, id: `${chunk.id}-${update}` })));
      await store.remove(changed.map(({ id }) => id));
      for (const chunk of changed) Object.assign(chunk, { id: `${chunk.id}-${update}` });
    }
    later = 15 * 60_000;
    await store.optimise();
    const times = (await bytesBelow(dir)) / text;
    expect(times).toBeLessThan(3);
    expect((await store.ids()).size).toBe(chunks.length);
    await store.close();
  });

  test('a folder that may not be written says so', async () => {
    await asOrdinaryUser(dir, async () => {
      await chmod(dir, 0o500);
      await expect((async () => (await create(Date.now)).open('p', 2))()).rejects.toMatchObject({ reason: 'readOnly' });
      await chmod(dir, 0o700);
    });
  });

  test('a file that may not grow: what was there stays, and the next start goes on', { timeout: TIME }, async () => {
    const first = await create(Date.now);
    await first.open('p', 256);
    const chunks = await realChunks();
    await first.upsert(chunks.slice(0, 50));
    await first.close();
    const script = join(import.meta.dirname, 'limitedProcess.ts');
    const child = spawn(
      'bash',
      ['-c', `ulimit -f 600; trap '' XFSZ; exec "$0" --no-warnings "$@"`, process.execPath, script, kind, dir],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [answer] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(answer).toMatch(/^(writeFailed|diskFull): /);
    const next = await create(Date.now);
    await next.open('p', 256);
    const ids = await next.ids();
    for (const { id } of chunks.slice(0, 50)) expect(ids.has(id)).toBe(true);
    await next.upsert(chunks);
    expect((await next.ids()).size).toBeGreaterThanOrEqual(chunks.length);
    await next.close();
  });
});
