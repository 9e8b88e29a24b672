// Stores chunks in LanceDB, in a folder or in a place that many machines share. Rows contain pre-split terms, and
// vectors of half precision.

import type { Table } from '@lancedb/lancedb';
import { join } from 'node:path';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { withFileLock } from '../files/lock.ts';
import { requireConditionalPuts } from './conditionalPuts.ts';
import { setDefaultVariables } from './environment.ts';
import {
  createIdCondition,
  ensureIndex,
  findNearest,
  findTerms,
  hasIndex,
  findRowIds,
  readRows,
  storedColumns,
} from './find.ts';
import { isCompact } from './fragments.ts';
import { createRowRecord } from './rowRecord.ts';
import { prepareConnectionOptions, classifyPlace } from './storePlace.ts';
import { toStored, toTable } from './rows.ts';
import { readRevision } from './revision.ts';
import { dropStaleTables, hasKey, createTable, openTable, createTableName, type TablePlace } from './tables.ts';
import { retryOnConflict, isEnvironmentError, toStoreError, withTimeout } from './storeErrors.ts';
import type { Log } from '../../core/ports/system.ts';
import type { ChunkStore, StoredChunk } from '../../core/ports/search.ts';
import { DAY_MS } from '../../util/timing/durations.ts';

/** Milliseconds that old versions are kept in a folder, so that readers rarely have to start again. */
const KEEP_VERSIONS_MS = 10_000;
/** Milliseconds that old versions are kept in a shared place. */
const KEEP_SHARED_VERSIONS_MS = 10 * 60_000;
/** Milliseconds that the table of another profile is kept in a folder, for a program of another version. */
const KEEP_PROFILE_MS = 10 * 60_000;
/**
 * Number of writes after which the table is compacted, whether or not `optimise` is called. Each write creates a
 * version with separate files.
 */
const WRITES_BETWEEN_COMPACTIONS = 60;
/** Maximum number of rows for which no index of ids is needed, because a scan finds ids fast enough. */
const MAX_FLAT_ROWS = 50_000;
/**
 * Maximum number of rows that the index in memory ranks. Up to this number, LanceDB's index of terms, which takes half
 * the size of the terms, would not be used.
 */
const MAX_RANKED_ROWS = 300_000;
/** Maximum number of ids in one condition of a query. */
const MAX_IDS_PER_CONDITION = 500;
/** Maximum number of attempts of a read whose files another process removes meanwhile. */
const READ_ATTEMPTS = 3;
/** Maximum wait in ms for the write of another process. */
const MAX_LOCK_WAIT_MS = 120_000;
/** Maximum time in ms for an answer from a shared place; after that it counts as unreachable. */
const MAX_ANSWER_MS = 8_000;
/**
 * Age in days at which a row in a shared place is renewed: `ids` no longer returns it, so that the next machine that
 * needs it writes it again.
 */
const RENEW_DAYS = 60;
/**
 * Age in days at which a row in a shared place is removed. It is unknown whether a machine still needs the row, but
 * such a machine would have renewed it.
 */
const COLLECT_DAYS = 90;

/** Options of a store in LanceDB. */
export interface StoreOptions {
  readonly log?: Log | undefined;
  /** Credentials and endpoints of a shared place. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Distinguishes repositories in a database that contains several. */
  readonly repository?: string;
  readonly keepVersionsMs?: number;
  readonly now?: () => number;
}

/**
 * Opens a store. `location` is a folder, `s3://bucket/prefix` or `db://name`. Loads the native binary: call only after
 * the probe has passed. Throws `unavailable`, `readOnly`, `diskFull`, `writeFailed`.
 */
export async function createLancedbStore(location: string, options: StoreOptions = {}): Promise<ChunkStore> {
  const { log, env = process.env, repository = '', now = Date.now } = options;
  const kind = classifyPlace(location);
  const isShared = kind !== 'folder';
  const keepVersionsMs = options.keepVersionsMs ?? (isShared ? KEEP_SHARED_VERSIONS_MS : KEEP_VERSIONS_MS);
  /** Runs a call of the library, and converts its errors into typed ones. */
  const attempt = async <T>(action: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw toStoreError(error, action, env);
    }
  };
  setDefaultVariables(process.env);
  const library = await attempt('LanceDB could not be loaded.', () => import('./lancedbAndArrow.ts'));
  const { lancedb } = library;
  const connection = await attempt('The index could not be opened.', async () =>
    lancedb.connect(location, await prepareConnectionOptions(location, env)),
  );
  if (isShared)
    await attempt('It does not answer.', () => withTimeout(MAX_ANSWER_MS, connection.tableNames({ limit: 1 })));
  if (kind === 'bucket') await attempt('Nothing can be written there.', () => requireConditionalPuts(connection));
  const tables: TablePlace = { connection, place: location, repository, log };
  let wantedTable: { readonly name: string; readonly dimensions: number } | null = null;
  let table: Table | null = null;
  /**
   * Number of writes since the last compaction; null if unknown, because a table may have versions of many short runs.
   */
  let writes: number | null = null;
  let rowRecord = createRowRecord();

  const requireOpenTable = (): { table: Table; name: string; dimensions: number } => {
    if (!table || !wantedTable) throw new SelfwareError('internal', 'The chunk store is not open.');
    return { table, ...wantedTable };
  };

  let lastTurn: Promise<unknown> = Promise.resolve();
  /**
   * Runs one write at a time. In a folder this includes other processes, so that a compaction can remove the remains of
   * killed writers. Machines that share a place have no lock: LanceDB makes one of two conflicting writes start again.
   */
  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastTurn.then(() =>
      isShared ? work() : withFileLock(join(location, 'write.lock'), MAX_LOCK_WAIT_MS, work),
    );
    lastTurn = turn.catch(() => undefined);
    return turn;
  };

  /**
   * Opens the table, or creates it if there is none or a damaged one. Machines that start at the same time in a shared
   * place may conflict.
   */
  const openOrCreate = (): Promise<Table> => retryOnConflict(openOrCreateOnce);
  const openOrCreateOnce = async (isLastTry: boolean): Promise<Table> => {
    const { name, dimensions } = wantedTable!;
    const openedTable =
      (await openTable(tables, name, isLastTry)) ??
      (await enqueue(async () => (await openTable(tables, name, isLastTry)) ?? createTable(tables, name, dimensions)));
    if (kind !== 'server' && !(await hasKey(openedTable)))
      await enqueue(() => openedTable.setUnenforcedPrimaryKey('id'));
    return openedTable;
  };

  /** The current table. Another process may have dropped it as one of an old profile. */
  const getLatestTable = async (): Promise<Table> => {
    const { table: openTable } = requireOpenTable();
    try {
      await openTable.checkoutLatest();
    } catch (cause) {
      log?.write('info', 'The chunk table is opened again.', toStoreError(cause, 'It could not be read.', env));
      table = await openOrCreate();
    }
    return requireOpenTable().table;
  };

  /**
   * Reads again after an error, because a compaction of another process may remove files during a read. If that does
   * not help and the bytes may be the problem, a table in a folder is created again, empty, and `damaged` is thrown.
   */
  const readAgain = async <T>(work: (table: Table) => Promise<T>): Promise<T> => {
    for (let time = 1; ; time++) {
      const current = await getLatestTable();
      try {
        return await work(current);
      } catch (error) {
        if (error instanceof SelfwareError) throw error;
        if (time >= READ_ATTEMPTS) return replaceDamagedTable(error);
      }
    }
  };
  const replaceDamagedTable = async (error: unknown): Promise<never> => {
    if (isShared || isEnvironmentError(error)) throw error;
    const { name, dimensions } = requireOpenTable();
    table = await enqueue(() => createTable(tables, name, dimensions));
    await table.setUnenforcedPrimaryKey('id');
    throw new SelfwareError('damaged', 'The chunk table was damaged and has been made again, empty.', {
      action: 'Index again.',
      cause: error,
    });
  };

  /** Days since 1970, as in the column `day`. */
  const computeToday = (): number => Math.floor(now() / DAY_MS);
  const compact = async (keepMs = keepVersionsMs): Promise<void> => {
    writes = 0;
    // A server compacts its tables itself.
    if (kind === 'server') return;
    try {
      await requireOpenTable().table.optimize({
        cleanupOlderThan: new Date(now() - keepMs),
        deleteUnverified: !isShared,
      });
      await dropStaleTables(
        tables,
        requireOpenTable().name,
        isShared ? COLLECT_DAYS * DAY_MS : KEEP_PROFILE_MS,
        !isShared,
        now(),
      );
    } catch (cause) {
      // Another machine is compacting, or there is no space. What was written stays, and the next compaction tries
      // again.
      log?.write('warn', 'The chunk table could not be compacted.', toStoreError(cause, 'Compacting failed.', env));
    }
  };
  /** Counts a write, and compacts the table after more than `WRITES_BETWEEN_COMPACTIONS` writes. */
  const countWrite = async (): Promise<void> => {
    writes = writes === null && !isShared ? (await requireOpenTable().table.listVersions()).length : (writes ?? 0) + 1;
    if (writes > WRITES_BETWEEN_COMPACTIONS) await compact();
  };

  return {
    kind: 'lancedb',
    shared: isShared,
    async open(profile, dimensions) {
      wantedTable = { name: createTableName(tables, profile, dimensions), dimensions };
      writes = null;
      rowRecord = createRowRecord();
      table = null;
      table = await attempt('The chunk table could not be opened.', openOrCreate);
    },
    revision: async () => (isShared ? null : readRevision(location, requireOpenTable().name)),
    async ids() {
      return attempt('The chunks could not be listed.', async () => {
        try {
          return await readAgain((current) =>
            findRowIds(current, isShared ? `day >= ${computeToday() - RENEW_DAYS}` : null),
          );
        } catch (error) {
          if (!(error instanceof SelfwareError && error.reason === 'damaged')) throw error;
          log?.write('warn', error.message, error.cause);
          return new Set<string>();
        }
      });
    },
    async get(ids) {
      return attempt('The chunks could not be read.', async () => {
        const parts: StoredChunk[] = [];
        for (let offset = 0; offset < ids.length; offset += MAX_IDS_PER_CONDITION)
          parts.push(
            ...(await readAgain((current) => readRows(current, ids.slice(offset, offset + MAX_IDS_PER_CONDITION)))),
          );
        return parts;
      });
    },
    async *rows(signal) {
      const seenIds = new Set<string>();
      for (let time = 1; ; time++) {
        try {
          for await (const batch of (await getLatestTable()).query().select(storedColumns)) {
            throwIfCancelled(signal);
            // A repeated scan returns rows again. The id depends on the content, so equal ids are equal rows.
            const rows = toStored(batch).filter(({ id }) => !seenIds.has(id));
            for (const { id } of rows) seenIds.add(id);
            if (rows.length > 0) yield rows;
          }
          return;
        } catch (error) {
          if (error instanceof SelfwareError) throw error;
          if (time >= READ_ATTEMPTS) await attempt('The chunks could not be read.', () => replaceDamagedTable(error));
        }
      }
    },
    async upsert(chunks) {
      if (chunks.length === 0) return;
      const { dimensions } = requireOpenTable();
      if (chunks.some(({ vector }) => vector.length !== dimensions))
        throw new SelfwareError('internal', `A vector does not have ${dimensions} dimensions.`);
      await attempt('Chunks could not be written.', async () => {
        const rows = toTable(library, chunks, computeToday());
        await enqueue(async () => {
          const current = await getLatestTableInTurn();
          if (!isShared && (await rowRecord.canInsertAsNew(current, chunks))) await current.add(rows);
          else await current.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows);
          await countWrite();
          await rowRecord.noteWritten(current, chunks);
        });
      });
    },
    async remove(ids) {
      if (ids.length === 0) return;
      await attempt('Chunks could not be removed.', () =>
        enqueue(async () => {
          const current = await getLatestTableInTurn();
          for (let offset = 0; offset < ids.length; offset += MAX_IDS_PER_CONDITION) {
            await current.delete(createIdCondition(ids.slice(offset, offset + MAX_IDS_PER_CONDITION)));
            await countWrite();
          }
        }),
      );
    },
    async search({ terms, vector, limit }) {
      return attempt('The index could not be searched.', async () => {
        const hasTerms = terms !== '' && (await ensureTermsIndex());
        const [lexical, dense] = await Promise.all([
          hasTerms ? readAgain((current) => findTerms(lancedb, current, terms, limit)) : [],
          readAgain((current) => findNearest(current, vector, limit)),
        ]);
        return { lexical, dense };
      });
    },
    async optimise({ thoroughly } = { thoroughly: false }) {
      await attempt('The chunk table could not be compacted.', () =>
        enqueue(async () => {
          const current = await getLatestTableInTurn();
          if (isShared) await current.delete(`day < ${computeToday() - COLLECT_DAYS}`);
          if (isShared || !(await isCompact(current, location, requireOpenTable().name)))
            await compact(thoroughly && !isShared ? 0 : keepVersionsMs);
          // Creates indexes after compaction, which rewrites every index and leaves the old one behind.
          const count = await current.countRows();
          if (count > MAX_FLAT_ROWS) await ensureIndex(lancedb, current, 'id');
          if (count > MAX_RANKED_ROWS) await ensureIndex(lancedb, current, 'terms');
          // An index of vectors is a copy of them. In a folder, a scan is fast enough, and exact.
          if (count > MAX_RANKED_ROWS && isShared) await ensureIndex(lancedb, current, 'vector');
        }),
      );
    },
    async close() {
      await lastTurn;
      table?.close();
      table = null;
      connection.close();
    },
  };

  /** Returns the current table, for callers inside of the queue: a missing table is created immediately. */
  async function getLatestTableInTurn(): Promise<Table> {
    const { table: current, name, dimensions } = requireOpenTable();
    try {
      await current.checkoutLatest();
      return current;
    } catch (cause) {
      log?.write('info', 'The chunk table is opened again.', toStoreError(cause, 'It could not be read.', env));
      const newTable = (await openTable(tables, name, true)) ?? (await createTable(tables, name, dimensions));
      if (kind !== 'server' && !(await hasKey(newTable))) await newTable.setUnenforcedPrimaryKey('id');
      table = newTable;
      return newTable;
    }
  }

  /**
   * Creates the index of terms at its first use, because it takes as much space as the terms. Returns false while there
   * is nothing to index.
   */
  async function ensureTermsIndex(): Promise<boolean> {
    const current = await getLatestTable();
    if (await hasIndex(current, 'terms')) return true;
    if ((await current.countRows()) === 0) return false;
    await enqueue(async () => ensureIndex(lancedb, await getLatestTableInTurn(), 'terms'));
    return true;
  }
}
