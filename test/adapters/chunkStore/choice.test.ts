// Which store serves, and what is said when it is not LanceDB; damaged stores are made again.

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createChunkStore } from '../../../server/src/adapters/lancedb/chunkStore.ts';
import { createLancedbStore } from '../../../server/src/adapters/lancedb/lancedbStore.ts';
import { LIBRARY_VARIABLE, findNativeLibrary } from '../../../server/src/adapters/lancedb/nativeLibrary.ts';
import { probeLancedb } from '../../../server/src/adapters/lancedb/probe.ts';
import { createLexicalStore } from '../../../server/src/adapters/lexical/lexicalStore.ts';
import type { Log } from '../../../server/src/core/ports/system.ts';
import type { ChunkStore } from '../../../server/src/core/ports/search.ts';

let dir: string;
let named: string | undefined;
const quiet: Log = { write: () => undefined };
const chunk = {
  id: 'a',
  path: 'a.ts',
  startLine: 1,
  endLine: 1,
  symbol: null,
  text: 'word',
  terms: 'word',
  vector: Float32Array.from([1, 0]),
};
const query = { terms: 'word', vector: Float32Array.from([1, 0]), limit: 5 };

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-choice-'));
  named = process.env[LIBRARY_VARIABLE];
});
afterEach(async () => {
  if (named === undefined) delete process.env[LIBRARY_VARIABLE];
  else process.env[LIBRARY_VARIABLE] = named;
  await rm(dir, { recursive: true, force: true });
});

test('LanceDB serves where its binary works', async () => {
  const { store, notice } = await createChunkStore(dir, quiet);
  expect([store.kind, notice]).toEqual(['lancedb', null]);
  await store.close();
});

test.each([
  ['a text file', 'this is no library'],
  ['a script that throws', 'throw new Error("broken binary")'],
  ['a script that throws a sentence', 'throw new Error("The binary is broken.")'],
  ['a script without the database', 'module.exports = {}'],
  ['a program that kills itself, as without AVX2', 'process.kill(process.pid, "SIGILL")'],
])('%s in place of the binary: the lexical store serves and the user is told', async (_name, content) => {
  const library = join(dir, 'lancedb.cjs');
  await writeFile(library, content);
  process.env[LIBRARY_VARIABLE] = library;
  const { store, notice } = await createChunkStore(dir, quiet);
  expect(store.kind).toBe('lexical');
  expect(notice).toMatchObject({
    severity: 'warning',
    message: expect.stringMatching(
      /^LanceDB is not usable on this machine: .*[^.]\. The built-in store is used instead\.$/s,
    ),
  });
  await store.open('p', 2);
  await store.upsert([chunk]);
  expect((await store.search(query)).lexical).toHaveLength(1);
  await store.close();
});

test('a missing binary is said as such', async () => {
  expect(await probeLancedb(join(dir, 'probe.json'), join(dir, 'nothing.node'))).toEqual({
    usable: false,
    reason: expect.stringContaining('cannot be read'),
  });
  expect(await probeLancedb(join(dir, 'probe.json'), null)).toEqual({
    usable: false,
    reason: expect.stringContaining('no LanceDB binary'),
  });
});

test('the answer is kept for this binary and asked again for another or when the cache is damaged', async () => {
  const cache = join(dir, 'probe.json');
  const library = join(dir, 'library.cjs');
  const counter = join(dir, 'tries');
  const content = `require('node:fs').appendFileSync(${JSON.stringify(counter)}, 'x'); throw new Error('no');`;
  const tries = async () =>
    (await readdir(dir)).includes('tries') ? (await import('node:fs')).readFileSync(counter, 'utf8').length : 0;
  await writeFile(library, content);
  expect(await probeLancedb(cache, library)).toEqual({ usable: false, reason: expect.stringContaining('no') });
  await probeLancedb(cache, library);
  expect(await tries()).toBe(1);
  await writeFile(library, `${content}\n`);
  await probeLancedb(cache, library);
  expect(await tries()).toBe(2);
  await writeFile(cache, '{');
  await probeLancedb(cache, library);
  expect(await tries()).toBe(3);
});

test('the real binary passes the probe', async () => {
  expect(await probeLancedb(join(dir, 'probe.json'), findNativeLibrary(undefined))).toEqual({ usable: true });
});

/** Writes rubbish over files that a store keeps. */
async function damage(folder: string, matches: RegExp): Promise<number> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && matches.test(entry.name),
  );
  for (const file of files) await writeFile(join(file.parentPath, file.name), 'rubbish '.repeat(200));
  return files.length;
}

test.each([
  ['lancedb', () => createLancedbStore(join(dir, 'lancedb'), { log: quiet }), /\.manifest$/],
  ['lexical', () => createLexicalStore(join(dir, 'chunks.db')), /\.db/],
] as const)('a damaged %s store is made again', async (_kind, create, files) => {
  const before: ChunkStore = await create();
  await before.open('p', 2);
  await before.upsert([chunk]);
  await before.close();
  expect(await damage(dir, files)).toBeGreaterThan(0);
  const after: ChunkStore = await create();
  await after.open('p', 2);
  expect(await after.ids()).toEqual(new Set());
  await after.upsert([chunk]);
  expect((await after.search(query)).lexical).toHaveLength(1);
  await after.close();
});
