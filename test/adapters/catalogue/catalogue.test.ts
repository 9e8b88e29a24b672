// The catalogue on disk and in memory.

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCatalogue } from '../../../server/src/adapters/sqlite/catalogue.ts';
import type { Log } from '../../../server/src/core/ports/system.ts';
import type { FileRecord, FileRelations } from '../../../server/src/core/ports/catalogue.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-catalogue-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

function record(path: string, hash = 'h'): FileRecord {
  return {
    path,
    size: 1,
    mtimeMs: 1.5,
    hash,
    language: null,
    tokens: 1,
    symbols: [],
    chunks: [],
    imports: ['./ä'],
    generated: false,
    trouble: null,
  };
}

test('what is known of a file is read as it was written', async () => {
  const whole: FileRecord = {
    ...record('src/a.ts'),
    symbols: [
      {
        name: 'naïve',
        path: 'Store.naïve',
        kind: 'method',
        range: { startLine: 1, startColumn: 2, endLine: 3, endColumn: 4 },
        nameRange: { startLine: 5, startColumn: 6, endLine: 7, endColumn: 8 },
        exported: true,
      },
      {
        name: 'b',
        path: 'b',
        kind: 'constant',
        range: { startLine: 9, startColumn: 1, endLine: 9, endColumn: 12 },
        nameRange: { startLine: 9, startColumn: 7, endLine: 9, endColumn: 8 },
        exported: false,
      },
    ],
    symbolTokens: [
      [12, 3],
      [4, 4],
    ],
    chunks: [
      { id: 'f00d', path: 'src/a.ts', startLine: 1, endLine: 8, symbol: 'Store.naïve' },
      { id: 'cafe', path: 'src/a.ts', startLine: 9, endLine: 9, symbol: null },
    ],
  };
  const catalogue = createCatalogue(join(dir, 'catalogue.db'));
  await catalogue.open('p');
  await catalogue.put([whole, record('without tokens')]);
  await catalogue.close();
  await catalogue.open('p');
  expect(await catalogue.all()).toEqual([whole, record('without tokens')]);
  await catalogue.close();
});

describe.each<[string, () => string]>([
  ['on disk', () => join(dir, 'state', 'catalogue.db')],
  ['in memory', () => ':memory:'],
])('%s', (_name, file) => {
  test('keeps records by path, sorted, replaced and removed', async () => {
    const catalogue = createCatalogue(file());
    expect(await catalogue.open('p')).toEqual({ isNew: true });
    expect(await catalogue.all()).toEqual([]);
    await catalogue.put([record('b'), record('a'), record('c/d')]);
    await catalogue.put([record('b', 'new')]);
    await catalogue.remove(['a', 'unknown']);
    expect(await catalogue.all()).toEqual([record('b', 'new'), record('c/d')]);
    await catalogue.put([]);
    await catalogue.remove([]);
    await catalogue.close();
  });

  test('a closed catalogue says so, and closing twice is fine', async () => {
    const catalogue = createCatalogue(file());
    await expect(catalogue.all()).rejects.toMatchObject({ reason: 'internal' });
    await catalogue.open('p');
    await catalogue.close();
    await catalogue.close();
    await expect(catalogue.put([])).rejects.toMatchObject({ reason: 'internal' });
  });

  test('a put that fails leaves nothing half done', async () => {
    const catalogue = createCatalogue(file());
    await catalogue.open('p');
    const endless = record('b') as unknown as { imports: unknown };
    endless.imports = endless;
    await expect(catalogue.put([record('a'), endless as unknown as FileRecord])).rejects.toThrow();
    expect(await catalogue.all()).toEqual([]);
    await catalogue.put([record('c')]);
    expect((await catalogue.all()).map(({ path }) => path)).toEqual(['c']);
    await catalogue.close();
  });
});

test('replaced and removed records wait on the shelf until they are too many', async () => {
  const catalogue = createCatalogue(join(dir, 'catalogue.db'));
  await catalogue.open('p');
  const withChunk = (path: string, hash: string): FileRecord => ({
    ...record(path, hash),
    chunks: [{ id: `chunk-${path}-${hash}`, path, startLine: 1, endLine: 1, symbol: null }],
  });
  await catalogue.put([withChunk('a', 'one'), withChunk('b', 'one')]);
  await catalogue.put([withChunk('a', 'two'), withChunk('b', 'one')]);
  await catalogue.remove(['b']);
  expect(await catalogue.findReplacedRecord('a', 'one')).toEqual(withChunk('a', 'one'));
  expect(await catalogue.findReplacedRecord('a', 'two')).toBeNull();
  expect(await catalogue.trimShelf()).toEqual(new Set(['chunk-a-one', 'chunk-b-one']));
  for (let version = 0; version < 600; version++) await catalogue.put([withChunk('c', `${version}`)]);
  const named = await catalogue.trimShelf();
  expect(named.size).toBe(500);
  expect(named).toContain('chunk-c-598');
  expect(await catalogue.findReplacedRecord('a', 'one')).toBeNull();
  await catalogue.close();
  await catalogue.open('another');
  expect(await catalogue.trimShelf()).toEqual(new Set());
  await catalogue.close();
});

test('derived rows are kept by kind; replaced and removed ones wait on a bounded shelf', async () => {
  const catalogue = createCatalogue(join(dir, 'catalogue.db'));
  await catalogue.open('p');
  const relations = (path: string, hash: string): FileRelations => ({
    path,
    size: 1,
    mtimeMs: 1.5,
    hash,
    language: 'typescript',
    symbols: [],
    imports: [hash],
    references: null,
  });
  await catalogue.putDerived('relations', [relations('b', 'one'), relations('a', 'one')], []);
  expect(await catalogue.derived('analysis')).toEqual([]);
  await catalogue.putDerived('relations', [relations('a', 'two')], ['b', 'unknown']);
  expect(await catalogue.derived('relations')).toEqual([relations('a', 'two')]);
  expect(await catalogue.shelvedDerived('relations', 'a', 'one')).toEqual(relations('a', 'one'));
  expect(await catalogue.shelvedDerived('relations', 'b', 'one')).toEqual(relations('b', 'one'));
  expect(await catalogue.shelvedDerived('analysis', 'a', 'one')).toBeNull();
  // Back from the shelf.
  await catalogue.putDerived('relations', [relations('a', 'one')], []);
  expect(await catalogue.derived('relations')).toEqual([relations('a', 'one')]);
  await catalogue.putDerived(
    'relations',
    Array.from({ length: 600 }, (_, version) => relations('c', `${version}`)),
    [],
  );
  expect((await catalogue.derived('relations')).map(({ path, hash }) => [path, hash])).toEqual([
    ['a', 'one'],
    ['c', '599'],
  ]);
  expect(await catalogue.shelvedDerived('relations', 'c', '598')).not.toBeNull();
  expect(await catalogue.shelvedDerived('relations', 'c', '0')).toBeNull();
  await catalogue.close();
  await catalogue.open('another');
  expect(await catalogue.derived('relations')).toEqual([]);
  await catalogue.close();
});

test('a mark is kept until it is taken back, and goes with the records', async () => {
  const file = join(dir, 'catalogue.db');
  const catalogue = createCatalogue(file);
  await catalogue.open('p');
  expect(await catalogue.settled()).toBeNull();
  await catalogue.settle('one');
  await catalogue.settle('two');
  await catalogue.close();
  await catalogue.open('p');
  expect(await catalogue.settled()).toBe('two');
  await catalogue.settle(null);
  expect(await catalogue.settled()).toBeNull();
  await catalogue.settle('three');
  await catalogue.close();
  await catalogue.open('q');
  expect(await catalogue.settled()).toBeNull();
  await catalogue.close();
});

test('records of the layout before this one are made again', async () => {
  const file = join(dir, 'catalogue.db');
  const database = new DatabaseSync(file);
  database.exec(
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL); INSERT INTO meta VALUES ('profile', '3/p'); CREATE TABLE records (path TEXT PRIMARY KEY, hash TEXT, record BLOB); CREATE TABLE shelf (path TEXT, hash TEXT, record BLOB); INSERT INTO records VALUES ('a', 'h', x'00');",
  );
  database.close();
  const catalogue = createCatalogue(file);
  expect(await catalogue.open('p')).toEqual({ isNew: true });
  await catalogue.put([record('b')]);
  expect((await catalogue.all()).map(({ path }) => path)).toEqual(['b']);
  await catalogue.close();
  expect(await readdir(dir)).not.toContain('catalogue.db.damaged');
});

test('survives a restart with the same profile and starts afresh with another', async () => {
  const file = join(dir, 'catalogue.db');
  const first = createCatalogue(file);
  await first.open('p1');
  await first.put([record('a')]);
  await first.close();
  const second = createCatalogue(file);
  expect(await second.open('p1')).toEqual({ isNew: false });
  expect(await second.all()).toEqual([record('a')]);
  await second.close();
  const third = createCatalogue(file);
  expect(await third.open('p2')).toEqual({ isNew: true });
  expect(await third.all()).toEqual([]);
  await third.close();
});

test('two processes see what the other writes', async () => {
  const [one, two] = [createCatalogue(join(dir, 'c.db')), createCatalogue(join(dir, 'c.db'))];
  await one.open('p');
  await two.open('p');
  await one.put([record('a')]);
  expect((await two.all()).map(({ path }) => path)).toEqual(['a']);
  await two.put([record('b')]);
  expect((await one.all()).map(({ path }) => path)).toEqual(['a', 'b']);
  await one.close();
  await two.close();
});

test.each([
  ['rubbish', (file: string) => writeFile(file, 'rubbish '.repeat(1000))],
  [
    'half a database',
    async (file: string) => {
      const { readFile } = await import('node:fs/promises');
      const bytes = await readFile(file);
      await writeFile(file, bytes.subarray(0, bytes.length >> 1).fill(7, 4096));
    },
  ],
  [
    'a record that cannot be read',
    async (file: string) => {
      const database = new DatabaseSync(file);
      database.exec("UPDATE records SET rest = x'7b7b'");
      database.close();
    },
  ],
  [
    'another table',
    async (file: string) => {
      await rm(file);
      const database = new DatabaseSync(file);
      database.exec('CREATE TABLE records (something TEXT)');
      database.close();
    },
  ],
])('%s is moved aside, said in the log, and made again', async (_name, damage) => {
  const file = join(dir, 'catalogue.db');
  const catalogue = createCatalogue(file);
  await catalogue.open('p');
  await catalogue.put(Array.from({ length: 500 }, (_, index) => record(`f${index}`)));
  await catalogue.close();
  await damage(file);
  const said: string[] = [];
  const log: Log = { write: (level, message) => void (level === 'warn' && said.push(message)) };
  const again = createCatalogue(file, log);
  expect(await again.open('p')).toEqual({ isNew: true });
  expect(await again.all()).toEqual([]);
  await again.put([record('a')]);
  expect(await again.all()).toHaveLength(1);
  await again.close();
  expect(said).toEqual([expect.stringContaining('damaged')]);
  expect(await readdir(dir)).toContain('catalogue.db.damaged');
});

test('a file that cannot be opened is an error, not damage', async () => {
  await expect(createCatalogue(dir).open('p')).rejects.toMatchObject({ reason: 'unavailable' });
});
