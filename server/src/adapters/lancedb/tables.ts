// Manages one table per profile, so that rows of two profiles never mix, even if other processes use the same place.

import type { Connection, Table } from '@lancedb/lancedb';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { classifyPlace } from './storePlace.ts';
import { createChunkSchema } from './rows.ts';
import { isEnvironmentError, isUnfinishedTableError } from './storeErrors.ts';
import type { Log } from '../../core/ports/system.ts';
import { sha256 } from '../../util/hash.ts';

/** Version of the columns. Increase it whenever they change. */
const LAYOUT_VERSION = 2;
const TABLE_PREFIX = 'chunks-';
/** Milliseconds after which other machines that started to create the same table at the same moment have finished. */
const CREATION_WAIT_MS = 500;

/** The connection to the place of the tables. */
export interface TablePlace {
  readonly connection: Connection;
  /** Folder or address. */
  readonly place: string;
  /** Distinguishes repositories in a database that contains several. */
  readonly repository: string;
  readonly log: Log | undefined;
}

/**
 * The name of a table. It contains the profile, so that two processes that start at the same time create the same
 * table, and two profiles never share one.
 */
export function createTableName(
  { place, repository }: Pick<TablePlace, 'place' | 'repository'>,
  profile: string,
  dimensions: number,
): string {
  const hash = sha256(`${LAYOUT_VERSION}/${dimensions}/${profile}`).slice(0, 16);
  return classifyPlace(place) === 'server' ? `${TABLE_PREFIX}${repository}-${hash}` : `${TABLE_PREFIX}${hash}`;
}

/**
 * Opens a table. Returns null if there is none, or if it is damaged and in a folder. In a shared place, a machine may
 * have been killed while creating it: a table that is still unfinished at the last try counts as missing.
 */
export async function openTable(
  { connection, place, log }: TablePlace,
  name: string,
  isLastTry: boolean,
): Promise<Table | null> {
  if (!(await listTableNames(connection)).includes(name)) return null;
  try {
    const table = await connection.openTable(name);
    await table.countRows();
    return table;
  } catch (cause) {
    // In a shared place, a table that another machine has created must not be replaced.
    if (classifyPlace(place) !== 'folder' && isLastTry && isUnfinishedTableError(cause)) return null;
    if (classifyPlace(place) !== 'folder' || isEnvironmentError(cause)) throw cause;
    log?.write('warn', 'The chunk table is damaged; it is made again.', cause);
    return null;
  }
}

/**
 * Creates an empty table, and replaces any content of a folder with this name. In a shared place, an existing table
 * stays.
 */
export async function createTable({ connection, place }: TablePlace, name: string, dimensions: number): Promise<Table> {
  if (classifyPlace(place) === 'folder') await rm(join(place, `${name}.lance`), { recursive: true, force: true });
  const { arrow } = await import('./lancedbAndArrow.ts');
  const newTable = await connection.createEmptyTable(name, createChunkSchema(arrow, dimensions), {
    mode: 'create',
    existOk: true,
  });
  if (classifyPlace(place) === 'folder') return newTable;
  // The library may overwrite a table that another machine creates at the same moment, so rows are written only after
  // that.
  await setTimeout(CREATION_WAIT_MS);
  return connection.openTable(name);
}

/**
 * True if `id` is the primary key, which the metadata of the column show. Without a key, two processes that merge the
 * same rows create duplicates.
 */
export async function hasKey(table: Table): Promise<boolean> {
  const { fields } = await table.schema();
  return fields.some(
    ({ name, metadata }) => name === 'id' && [...metadata.keys()].some((key) => key.includes('primary-key')),
  );
}

/**
 * Drops the tables of other profiles that were not written for `keepMs`. With `keepsOne`, also drops all younger ones
 * except the one written last, which a program of another version may still read. In a folder, unreadable tables are
 * dropped as well.
 */
export async function dropStaleTables(
  { connection, place, repository }: TablePlace,
  currentName: string,
  keepMs: number,
  keepsOne: boolean,
  now: number,
): Promise<void> {
  const prefix = classifyPlace(place) === 'server' ? `${TABLE_PREFIX}${repository}-` : TABLE_PREFIX;
  const otherTables = await Promise.all(
    (await listTableNames(connection))
      .filter((name) => name !== currentName && name.startsWith(prefix))
      .map(async (name) => ({
        name,
        changedAt: await readLastChange(connection, name, classifyPlace(place) === 'folder' ? 0 : now),
      })),
  );
  otherTables.sort((a, b) => b.changedAt - a.changedAt);
  for (const [index, { name, changedAt }] of otherTables.entries())
    if (changedAt < now - keepMs || (keepsOne && index > 0)) await connection.dropTable(name);
}

/** The time of the last change, in milliseconds since 1970; `fallback` if the table cannot be read. */
async function readLastChange(connection: Connection, name: string, fallback: number): Promise<number> {
  try {
    const versions = await (await connection.openTable(name)).listVersions();
    return Math.max(0, ...versions.map(({ timestamp }) => timestamp.getTime()));
  } catch {
    // The table is damaged or unreachable, or another process has dropped it meanwhile.
    return fallback;
  }
}

async function listTableNames(connection: Connection): Promise<string[]> {
  return connection.tableNames({ limit: 1_000 });
}
