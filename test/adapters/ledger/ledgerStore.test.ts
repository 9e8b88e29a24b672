// The ledger on a real disk: appending from several processes, and every kind of damage that we could think of.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLedgerStore } from '../../../server/src/adapters/sqlite/ledgerStore.ts';
import { canonicalJson } from '../../../server/src/util/canonicalJson.ts';
import { sha256 } from '../../../server/src/util/hash.ts';

let dir: string;
let file: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-ledger-'));
  file = join(dir, 'ledger.db');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const event = (number: number) => ({
  id: `e-${number}`,
  at: 1000 + number,
  type: number % 2 ? 'notice' : 'points',
  data: { number, text: `MARK${'x'.repeat(50)}` },
});

/** A closed ledger of so many events, everything in the main file. */
async function ledgerOf(count: number): Promise<void> {
  const store = await createLedgerStore(file);
  for (let number = 1; number <= count; number += 1) await store.append(event(number));
  await store.close();
}

test('an event comes back as it was written, chained to the one before', async () => {
  const store = await createLedgerStore(file);
  const odd = { z: 1, a: [null, true, 'Grüße \u0000 \ud800 "'], nested: { b: 0.1, a: -0 }, gone: undefined };
  const first = await store.append({ id: 'e-1', at: 5, type: 'notice', data: odd });
  const second = await store.append({ id: 'e-2', at: 6, type: 'points', data: null });
  const data = { a: [null, true, 'Grüße \u0000 \ud800 "'], nested: { a: 0, b: 0.1 }, z: 1 };
  expect(first).toEqual({
    sequence: 1,
    id: 'e-1',
    at: 5,
    type: 'notice',
    data,
    previous: '0'.repeat(64),
    hash: first.hash,
  });
  expect(first.hash).toBe(
    sha256('0'.repeat(64) + canonicalJson({ sequence: 1, id: 'e-1', at: 5, type: 'notice', data })),
  );
  expect(second.previous).toBe(first.hash);
  expect(await store.read({})).toEqual([first, second]);
  await store.close();

  const again = await createLedgerStore(file);
  expect(await again.read({})).toEqual([first, second]);
  expect(await again.verify()).toEqual({ events: 2, intact: true, brokenAt: null, reason: null });
  expect((await again.append(event(3))).previous).toBe(second.hash);
  await again.close();
});

test('reading is by place, type, number and direction', async () => {
  await ledgerOf(6);
  const store = await createLedgerStore(file);
  const check = async (query: Parameters<typeof store.read>[0], expected: number[]) =>
    expect((await store.read(query)).map((found) => found.sequence)).toEqual(expected);
  await check({}, [1, 2, 3, 4, 5, 6]);
  await check({ after: 4 }, [5, 6]);
  await check({ types: ['points'] }, [2, 4, 6]);
  await check({ types: [] }, []);
  await check({ limit: 2 }, [1, 2]);
  await check({ limit: 2, newestFirst: true }, [6, 5]);
  await check({ limit: 1, newestFirst: true, types: ['notice', 'points'], after: 2 }, [6]);
  await store.close();
});

test('an append can depend on the newest event', async () => {
  const store = await createLedgerStore(file);
  await store.append(event(1), { onlyAfter: 0 });
  await expect(store.append(event(2), { onlyAfter: 0 })).rejects.toMatchObject({ reason: 'stale' });
  await store.append(event(2), { onlyAfter: 1 });
  expect(await store.read({})).toHaveLength(2);
  await store.close();
});

test('nothing in the database lets an event be altered, deleted, replaced or put in between', async () => {
  await ledgerOf(3);
  const database = new DatabaseSync(file);
  for (const sql of [
    "UPDATE events SET data = '{}' WHERE sequence = 2",
    'DELETE FROM events WHERE sequence = 3',
    "REPLACE INTO events VALUES (2, 'e-2', 0, 'notice', '{}', '', '')",
    "INSERT INTO events VALUES (7, 'e-7', 0, 'notice', '{}', '', '')",
  ]) {
    expect(() => database.exec(sql), sql).toThrow('append-only');
  }
  database.close();
});

test('two processes append 200 events each: none is lost, the chain is whole', async () => {
  const script = join(import.meta.dirname, 'appendEvents.ts');
  const run = async (name: string) =>
    JSON.parse(
      (await promisify(execFile)(process.execPath, ['--no-warnings', script, file, '200', name])).stdout,
    ) as number[];
  const sequences = await Promise.all([run('a'), run('b')]);
  expect(sequences.flat().sort((one, other) => one - other)).toEqual(
    Array.from({ length: 400 }, (_, index) => index + 1),
  );
  const store = await createLedgerStore(file);
  expect(await store.verify()).toMatchObject({ events: 400, intact: true });
  const ids = new Set((await store.read({})).map(({ id }) => id));
  expect(ids.size).toBe(400);
  await store.close();
});

/** Alters what lies on the disk; what is expected of `verify`. */
const damages: readonly {
  readonly what: string;
  readonly damage: () => Promise<void>;
  readonly brokenAt?: number | null;
}[] = [
  { what: 'a byte flipped in the text of an event', brokenAt: 12, damage: () => flipAfter('"number":12,') },
  { what: 'bytes flipped in the first page', damage: async () => overwrite(100, Buffer.alloc(300, 0x5a)) },
  { what: 'a whole page overwritten', damage: async () => overwrite(2 * 4096, Buffer.alloc(4096, 0x5a)) },
  { what: 'the end of the file cut off', damage: async () => truncate(file, (await stat(file)).size - 3 * 4096) },
  {
    what: 'everything replaced by garbage',
    brokenAt: null,
    damage: () => writeFile(file, Buffer.alloc(40_000, 'garbage ')),
  },
  { what: 'emptied', brokenAt: null, damage: () => writeFile(file, '') },
  { what: 'deleted', brokenAt: null, damage: () => rm(file) },
  { what: 'another database', brokenAt: null, damage: async () => (await rm(file), sql('CREATE TABLE other (x)')) },
  {
    what: 'the newest event deleted',
    brokenAt: 40,
    damage: async () =>
      sql(
        "DROP TRIGGER events_are_not_deleted; DELETE FROM events WHERE sequence = 40; CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END",
      ),
  },
  {
    what: 'an event deleted in the middle, triggers too',
    brokenAt: null,
    damage: async () => sql('DROP TRIGGER events_are_not_deleted; DELETE FROM events WHERE sequence = 20'),
  },
  { what: 'a trigger dropped', brokenAt: null, damage: async () => sql('DROP TRIGGER events_are_not_altered') },
  { what: 'the head file deleted', brokenAt: 41, damage: () => rm(`${file}.head`) },
  { what: 'the head file damaged', brokenAt: 41, damage: () => writeFile(`${file}.head`, 'x') },
  { what: 'an event altered together with its hash', brokenAt: 31, damage: async () => alterWithHash(30) },
];

test.each(damages)('damage is found, refused and left alone: $what', async ({ damage, brokenAt }) => {
  await ledgerOf(40);
  await damage();
  const before = await bytesOf(file);

  const store = await createLedgerStore(file);
  await expect(store.append(event(41))).rejects.toMatchObject({
    reason: 'damaged',
    action: expect.stringContaining(file),
  });
  const verification = await store.verify();
  expect(verification).toMatchObject({ intact: false, reason: expect.stringMatching(/\.$|: /) });
  // Whoever reports the reason says these words before it.
  expect(verification.reason).not.toContain('The ledger is damaged');
  if (brokenAt !== undefined) expect(verification.brokenAt).toBe(brokenAt);
  await expect(store.append(event(41))).rejects.toMatchObject({ reason: 'damaged' });
  const read = await store.read({}).catch((error: unknown) => error);
  if (Array.isArray(read)) expect(read.length).toBeGreaterThan(0);
  else expect(read).toMatchObject({ reason: 'damaged' });
  await store.close();

  expect(await bytesOf(file)).toEqual(before);
});

test('damage that comes while a ledger is open is found at the end of the chain, and elsewhere by verify', async () => {
  await ledgerOf(5);
  const store = await createLedgerStore(file);
  await store.append(event(6));
  sql(
    "DROP TRIGGER events_are_not_altered; UPDATE events SET type = 'points' WHERE sequence = 3; CREATE TRIGGER events_are_not_altered BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END",
  );
  expect(await store.verify()).toMatchObject({ intact: false, brokenAt: 3 });
  await expect(store.append(event(7))).rejects.toMatchObject({ reason: 'damaged' });
  await store.close();
});

test('a kill between the making of the files leaves a ledger that works', async () => {
  await writeFile(file, '');
  await writeFile(`${file}.head`, `0 ${'0'.repeat(64)}\n`);
  const store = await createLedgerStore(file);
  await store.append(event(1));
  await store.close();
  // The head may be behind, as after a kill right after a commit.
  await writeFile(`${file}.head`, `0 ${'0'.repeat(64)}\n`);
  const again = await createLedgerStore(file);
  expect(await again.verify()).toMatchObject({ events: 1, intact: true });
  await again.append(event(2));
  await again.close();
  expect(await readFile(`${file}.head`, 'utf8')).toMatch(/^2 /);
});

async function bytesOf(path: string): Promise<Buffer | null> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** Everywhere: pages that were split keep old copies in their free part. */
async function flipAfter(text: string): Promise<void> {
  const bytes = await readFile(file);
  let flipped = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) {
    const place = bytes.indexOf('MARK', at);
    bytes[place] = bytes[place]! ^ 1;
    flipped += 1;
  }
  expect(flipped).toBeGreaterThan(0);
  await writeFile(file, bytes);
}

async function overwrite(at: number, content: Buffer): Promise<void> {
  const bytes = await readFile(file);
  expect(bytes.length).toBeGreaterThan(at + content.length);
  content.copy(bytes, at);
  await writeFile(file, bytes);
}

function sql(text: string): void {
  const database = new DatabaseSync(file);
  database.exec(text);
  database.close();
}

function alterWithHash(sequence: number): void {
  const database = new DatabaseSync(file);
  const row = database.prepare('SELECT * FROM events WHERE sequence = ?').get(sequence) as {
    id: string;
    at: number;
    type: string;
    previous: string;
  };
  const hash = sha256(row.previous + canonicalJson({ sequence, id: row.id, at: row.at, type: row.type, data: {} }));
  const trigger = (
    database.prepare("SELECT sql FROM sqlite_schema WHERE name = 'events_are_not_altered'").get() as { sql: string }
  ).sql;
  database.exec('DROP TRIGGER events_are_not_altered');
  database.prepare("UPDATE events SET data = '{}', hash = ? WHERE sequence = ?").run(hash, sequence);
  database.exec(trigger);
  database.close();
}
