// A full disk is called so by every store, also where SQLite says no more than that it could not write.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createDocuments } from '../../../server/src/adapters/files/documents.ts';
import { isDiskFullAt } from '../../../server/src/adapters/files/diskSpace.ts';
import { createLock } from '../../../server/src/adapters/files/lock.ts';
import { createLexicalStore } from '../../../server/src/adapters/lexical/lexicalStore.ts';
import { createCatalogue } from '../../../server/src/adapters/sqlite/catalogue.ts';
import { createContentStore } from '../../../server/src/adapters/sqlite/contentStore.ts';
import { createLedgerStore } from '../../../server/src/adapters/sqlite/ledgerStore.ts';
import { toSqliteError } from '../../../server/src/adapters/sqlite/sqliteErrors.ts';
import { describeError, SelfwareError, convertFullDiskError } from '../../../server/src/util/typedError.ts';
import { createSmallDisk } from '../../helpers/smallDisk.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const sqlite = (errcode: number) => Object.assign(new Error('disk I/O error'), { errcode });
const system = (code: string) => Object.assign(new Error(`${code}: no space left on device, write`), { code });
/** Extended codes of SQLite for the log, its index in shared memory, a file that cannot be opened. */
const IO_WRITE = 778,
  IO_SHARED_SIZE = 4_874,
  CANNOT_OPEN = 14;

const vague = [IO_WRITE, IO_SHARED_SIZE, CANNOT_OPEN];

test.each(vague)('SQLite error %i is a full disk where nothing fits any more, and only there', (code) => {
  const told = toSqliteError(sqlite(code), 'The ledger', '', '/state/ledger.db', () => true);
  expect(told).toMatchObject({ reason: 'diskFull', message: 'The ledger cannot be used: the disk is full.' });
  expect(told.action).toContain('Nothing that was confirmed is lost');
  expect(told.action).toContain('Free some space on the disk that holds /state/ledger.db');
  const other = toSqliteError(sqlite(code), 'The ledger', '', '/state/ledger.db', () => false);
  expect(other.reason).toBe('writeFailed');
});

test.each(['ENOSPC', 'EDQUOT'])(
  'a trial that fails with %s finds no room; one that fails otherwise does not',
  async (code) => {
    const dir = await mkdtemp(join(tmpdir(), 'selfware-room-'));
    cleanups.push(() => rm(dir, { recursive: true }));
    const failing = (trouble: Error) => () => {
      throw trouble;
    };
    expect(isDiskFullAt(dir, failing(system(code)))).toBe(true);
    expect(isDiskFullAt(dir, failing(system('EROFS')))).toBe(false);
    expect(isDiskFullAt(dir)).toBe(false);
    expect(await readdir(dir)).toEqual([]);
  },
);

test.each(['ENOSPC', 'EDQUOT'])('%s that nobody has put into words is one sentence with a way out', (code) => {
  const cause = new Error('outer', { cause: system(code) });
  const wrapped = new SelfwareError('writeFailed', 'The change could not be written.', { cause });
  for (const error of [system(code), wrapped]) {
    expect(convertFullDiskError(error)).toMatchObject({ reason: 'diskFull' });
    expect(describeError(error)).toMatch(/The disk is full\. Nothing that was confirmed is lost.* Free some space/);
  }
  expect(describeError(wrapped)).toContain('The change could not be written.');
  expect(convertFullDiskError(wrapped.message)).toBe(wrapped.message);
});

test('every store on a disk that fills up: a full disk, or it is done', async () => {
  const disk = await createSmallDisk(2);
  // Where nothing may be mounted, the tests above with their faults are what holds.
  if (!disk) return expect(process.getuid?.()).not.toBe(0);
  cleanups.push(() => disk.dispose());
  const said = new Set<string>();
  for (const left of [0, 4, 8, 16, 24, 32, 40, 64, 96, 128, 200]) {
    for (const [name, use] of Object.entries(stores)) {
      await disk.fill(left);
      const trouble = await use(join(disk.dir, `${name}-${left}`)).then(
        () => null,
        (error: unknown) => error as Error,
      );
      if (trouble !== null) {
        const told = { reason: 'diskFull', action: expect.stringContaining('Nothing that was confirmed is lost') };
        expect.soft(convertFullDiskError(trouble), `${name} with ${left} KiB: ${trouble}`).toMatchObject(told);
        said.add(name);
      }
      await rm(join(disk.dir, `${name}-${left}`), { recursive: true, force: true });
    }
  }
  expect([...said].sort()).toEqual(Object.keys(stores).sort());
});

/** Each in a folder of its own. */
const stores: Readonly<Record<string, (dir: string) => Promise<unknown>>> = {
  async ledger(dir) {
    const store = await createLedgerStore(join(dir, 'ledger.db'));
    try {
      await store.append({ id: 'e-1', at: 1, type: 'x', data: 'word '.repeat(2_000) });
    } finally {
      await store.close();
    }
  },
  async contents(dir) {
    const store = await createContentStore(join(dir, 'contents.db'));
    try {
      await store.put(Array.from({ length: 20_000 }, (_, at) => at * 7919).join());
    } finally {
      await store.close();
    }
  },
  async catalogue(dir) {
    const catalogue = createCatalogue(join(dir, 'catalogue.db'));
    try {
      await catalogue.open('p');
      await catalogue.settle('x'.repeat(200_000));
    } finally {
      await catalogue.close();
    }
  },
  async lexical(dir) {
    const store = await createLexicalStore(join(dir, 'chunks.db'));
    try {
      await store.open('p', 2);
      const terms = Array.from({ length: 20_000 }, (_, at) => `w${at}`).join(' ');
      const place = { path: 'a.ts', startLine: 1, endLine: 1, symbol: null };
      await store.upsert([{ id: 'a', ...place, terms, vector: Float32Array.of(1, 0) }]);
    } finally {
      await store.close();
    }
  },
  async lock(dir) {
    await (await createLock(dir).acquire('apply'))?.release();
  },
  documents: (dir) => createDocuments(dir).write('one', 'x'.repeat(300_000)),
};
