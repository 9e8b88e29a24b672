// Stores the ledger on disk: one append-only SQLite file, in which the hash of each event covers the previous one.

import { statSync } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import type { DatabaseSync } from 'node:sqlite';
import { SelfwareError } from '../../util/typedError.ts';
import {
  parseEvent,
  explainChainFlaw,
  CHAIN_START,
  createNextRow,
  type EventRow,
  type ChainPosition,
} from './ledgerChain.ts';
import { readHead, writeHead } from './ledgerHead.ts';
import { createSchema, explainSchemaFlaw } from './ledgerSchema.ts';
import { rollBack } from './olderNode.ts';
import { openDatabase } from './openDatabase.ts';
import { retryWhileBusy } from './busyRetry.ts';
import { toSqliteError } from './sqliteErrors.ts';
import type { Log } from '../../core/ports/system.ts';
import type { LedgerStore, LedgerVerification, StoredEvent } from '../../core/ports/ledger.ts';
import { runInTransaction } from './transaction.ts';

/** Number of rows that are checked before other work gets a turn. */
const ROWS_AT_ONCE = 500;
const COLUMNS = 'sequence, id, at, type, data, previous, hash';

/**
 * Opens the ledger in one database file. Several processes may append. Before the first append of a process the whole
 * chain is checked, later only new events. A damaged file makes every append throw `damaged`, and every read that meets
 * the damage; it is never deleted, renamed or emptied. Also throws `locked`, `diskFull`, `readOnly`, `writeFailed`,
 * `unavailable` (written by a newer version).
 */
export async function createLedgerStore(file: string, log?: Log): Promise<LedgerStore> {
  const { DatabaseSync } = await import('node:sqlite');
  const headFile = `${file}.head`;
  let database: DatabaseSync | null = null;
  /** The position in the chain up to which this process has checked it. */
  let checkedUpTo: ChainPosition = CHAIN_START;
  /** The result of the last whole check; undefined before the first. */
  let lastFlaw: string | null | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  /** For each error about damage, the flaw alone, without the other words of the message. */
  const flawByError = new WeakMap<SelfwareError, string>();
  const createDamageError = (flaw: string, cause?: unknown) => {
    const error = new SelfwareError('damaged', `The ledger is damaged: ${flaw} Nothing is written to it any more.`, {
      action: `Copy ${file}* aside and run \`selfware ledger verify\`. To begin a new ledger, move them away.`,
      cause,
    });
    flawByError.set(error, flaw);
    return error;
  };
  const toLedgerError = (error: unknown) => {
    const typed = toSqliteError(error, `The ledger ${file}`, '', file);
    return typed.reason === 'damaged' && typed !== error ? createDamageError(typed.message, error) : typed;
  };

  async function openOnce(): Promise<DatabaseSync> {
    if (database) return database;
    const head = readHead(headFile);
    if (readSize(file) === 0 && head !== 'missing' && !(head !== 'damaged' && head.sequence === 0))
      throw createDamageError(`${file} is gone or empty, and it held events.`);
    let newDatabase: DatabaseSync | null = null;
    try {
      newDatabase = await openDatabase(DatabaseSync, file, isNewLedger);
      const createdDatabase = newDatabase;
      await retryWhileBusy(() => prepare(createdDatabase));
    } catch (error) {
      newDatabase?.close();
      throw toLedgerError(error);
    }
    // Another caller may have opened it meanwhile.
    if (database) newDatabase.close();
    else database = newDatabase;
    return database;
  }

  /** True if the database is new and has no table yet. Throws `damaged` if it is neither new nor a ledger. */
  function isNewLedger(newDatabase: DatabaseSync): boolean {
    const flaw = explainSchemaFlaw(newDatabase);
    if (flaw === null) return false;
    const head = readHead(headFile);
    const pages = (newDatabase.prepare('PRAGMA page_count').get() as { page_count: number }).page_count;
    const isUnused =
      flaw === 'none' && pages <= 1 && (head === 'missing' || (head !== 'damaged' && head.sequence === 0));
    if (!isUnused) throw createDamageError(flaw === 'none' ? 'its table is missing.' : flaw);
    return true;
  }

  /** Creates the table and the head in a new database, in one transaction. */
  function prepare(newDatabase: DatabaseSync): void {
    runInTransaction(newDatabase, () => {
      if (!isNewLedger(newDatabase)) return;
      // The head is written first, so that a ledger without this file is always a sign of damage.
      writeHead(headFile, CHAIN_START);
      createSchema(newDatabase);
    });
  }

  /** Checks the new events, and that no event is missing that was checked before or is named in the head. */
  function checkEnd(ledger: DatabaseSync): ChainPosition {
    const head = readHead(headFile);
    const flaw = explainHeadFlaw(ledger, head) ?? explainLinkFlaw(ledger, checkedUpTo);
    if (flaw) throw createDamageError(flaw);
    for (const row of ledger
      .prepare(`SELECT ${COLUMNS} FROM events WHERE sequence > ? ORDER BY sequence`)
      .iterate(checkedUpTo.sequence) as Iterable<EventRow & Record<string, never>>) {
      const gap = explainChainFlaw(checkedUpTo, row);
      if (gap) throw createDamageError(gap);
      checkedUpTo = row;
    }
    return checkedUpTo;
  }

  async function append(
    event: Parameters<LedgerStore['append']>[0],
    onlyAfter: number | undefined,
  ): Promise<StoredEvent> {
    const ledger = await openOnce();
    if (lastFlaw === undefined) lastFlaw = (await verifyAll()).reason;
    if (lastFlaw !== null) throw createDamageError(lastFlaw);
    let row: EventRow;
    try {
      row = await retryWhileBusy(() => addRow(ledger, event, onlyAfter));
    } catch (error) {
      throw toLedgerError(error);
    }
    checkedUpTo = row;
    updateHead(ledger);
    return { ...row, data: JSON.parse(row.data) };
  }

  /**
   * Adds the event to the table, in one transaction, after checking the events that other processes have added. Throws
   * `stale` if `onlyAfter` is set and is not the number of the newest event.
   */
  function addRow(
    ledger: DatabaseSync,
    event: Parameters<LedgerStore['append']>[0],
    onlyAfter: number | undefined,
  ): EventRow {
    return runInTransaction(ledger, () => {
      const lastLink = checkEnd(ledger);
      if (onlyAfter !== undefined && onlyAfter !== lastLink.sequence)
        throw new SelfwareError('stale', `The ledger has gone on to event ${lastLink.sequence}.`);
      const row = createNextRow(lastLink, event);
      ledger
        .prepare(`INSERT INTO events (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`)
        .run(row.sequence, row.id, row.at, row.type, row.data, row.previous, row.hash);
      return row;
    });
  }

  /**
   * Writes the head for an event that is already durable. If this fails, the head is updated with the next event. The
   * transaction only keeps other writers away meanwhile, so it is rolled back.
   */
  function updateHead(ledger: DatabaseSync): void {
    try {
      ledger.exec('BEGIN IMMEDIATE');
      writeHead(
        headFile,
        ledger
          .prepare('SELECT sequence, hash FROM events ORDER BY sequence DESC LIMIT 1')
          .get() as unknown as ChainPosition,
      );
    } catch (error) {
      log?.write('warn', `${headFile} could not be brought up to date.`, error);
    } finally {
      rollBack(ledger);
    }
  }

  /**
   * Checks the events after `from`, including events that are appended meanwhile. Works in batches, because this takes
   * long.
   */
  async function checkFrom(
    from: ChainPosition,
  ): Promise<{ readonly last: ChainPosition; readonly flaw: string | null }> {
    let lastLink = from;
    for (;;) {
      const ledger = await openOnce();
      let rows: EventRow[];
      try {
        rows = ledger
          .prepare(`SELECT ${COLUMNS} FROM events WHERE sequence > ? ORDER BY sequence LIMIT ${ROWS_AT_ONCE}`)
          .all(lastLink.sequence) as unknown as EventRow[];
      } catch (error) {
        return { last: lastLink, flaw: toSqliteError(error, `The ledger ${file}`, '', file).message };
      }
      for (const row of rows) {
        const flaw = explainChainFlaw(lastLink, row);
        if (flaw) return { last: lastLink, flaw };
        lastLink = row;
      }
      if (lastLink.sequence > checkedUpTo.sequence) checkedUpTo = lastLink;
      if (rows.length < ROWS_AT_ONCE) return { last: lastLink, flaw: null };
      await breathe();
    }
  }

  /** Checks the chain, the head, the schema and the pages. */
  async function verifyAll(): Promise<LedgerVerification> {
    let ledger: DatabaseSync;
    const head = readHead(headFile);
    try {
      ledger = await openOnce();
    } catch (error) {
      if (error instanceof SelfwareError && error.reason === 'damaged')
        return { events: 0, intact: false, brokenAt: null, reason: flawByError.get(error) ?? error.message };
      throw error;
    }
    const { last, flaw } = await checkFrom(CHAIN_START);
    if (flaw) return { events: last.sequence, intact: false, brokenAt: last.sequence + 1, reason: flaw };
    try {
      const headProblem = explainHeadFlaw(ledger, head);
      const pages = (ledger.prepare('PRAGMA quick_check(1)').get() as { quick_check: string }).quick_check;
      const reason =
        headProblem ?? explainSchemaFlaw(ledger) ?? (pages === 'ok' ? null : `Its pages are damaged: ${pages}`);
      return {
        events: last.sequence,
        intact: reason === null,
        brokenAt: headProblem ? last.sequence + 1 : null,
        reason,
      };
    } catch (error) {
      return {
        events: last.sequence,
        intact: false,
        brokenAt: null,
        reason: toSqliteError(error, `The ledger ${file}`, '', file).message,
      };
    }
  }

  const store: LedgerStore = {
    append(event, options = {}) {
      const appended = queue.then(() => append(event, options.onlyAfter));
      // The next call waits until this one has ended, even if it fails; the failure is reported to the caller of this
      // one.
      queue = appended.then(
        () => undefined,
        () => undefined,
      );
      return appended;
    },

    async read({ after = 0, types, limit, newestFirst = false }) {
      const ledger = await openOnce();
      const typeCondition = types ? ` AND type IN (${types.map(() => '?').join(', ')})` : '';
      const sql = `SELECT ${COLUMNS} FROM events WHERE sequence > ?${typeCondition} ORDER BY sequence ${newestFirst ? 'DESC' : 'ASC'} LIMIT ?`;
      let rows: EventRow[];
      try {
        rows = ledger.prepare(sql).all(after, ...(types ?? []), limit ?? -1) as unknown as EventRow[];
      } catch (error) {
        throw toLedgerError(error);
      }
      return rows.map((row) => {
        const event = parseEvent(row);
        if (!event) throw createDamageError(`Event ${row.sequence} cannot be read.`);
        return event;
      });
    },

    async verify() {
      const verification = await verifyAll();
      lastFlaw = verification.reason;
      return verification;
    },

    async close() {
      await queue;
      database?.close();
      database = null;
    },
  };
  try {
    await openOnce();
  } catch (error) {
    // The damage is reported at every use and not here, because a session must also start with a damaged ledger, so
    // that it can show the damage.
    if (!(error instanceof SelfwareError && error.reason === 'damaged')) throw error;
    log?.write('error', 'The ledger is damaged.', error);
  }
  return store;
}

/** The reason why the head does not fit the ledger, as a sentence; null if it does. */
function explainHeadFlaw(ledger: DatabaseSync, head: ReturnType<typeof readHead>): string | null {
  if (head === 'missing') return 'The file that notes its newest event is missing.';
  if (head === 'damaged') return 'The file that notes its newest event is damaged.';
  return explainLinkFlaw(ledger, head);
}

/** The reason why the ledger does not contain the event at this position, as a sentence; null if it does. */
function explainLinkFlaw(ledger: DatabaseSync, link: ChainPosition): string | null {
  if (link.sequence === 0) return null;
  const row = ledger.prepare('SELECT hash FROM events WHERE sequence = ?').get(link.sequence) as
    | { hash: string }
    | undefined;
  if (!row) return `The newest events, up to ${link.sequence}, are gone.`;
  return row.hash === link.hash ? null : `Event ${link.sequence} was altered.`;
}

function readSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
