// Records which rows a table contains. While the record is complete, new rows are appended without searching the table
// for rows with the same id: the search would double the time of a write.

import type { Table } from '@lancedb/lancedb';

type Row = { readonly id: string };

/** A record of the rows. Call its functions only while no other process can write. */
export interface RowRecord {
  /** True if it is certain that the table has none of these rows, and no two of them have the same id. */
  canInsertAsNew(table: Table, rows: readonly Row[]): Promise<boolean>;
  /** Call it after these rows were written. */
  noteWritten(table: Table, rows: readonly Row[]): Promise<void>;
}

/**
 * Creates the record. It is complete only if the table was empty at the first call of `canInsertAsNew`. It stops being
 * complete as soon as the table has another version than after the last `noteWritten`: because another process has
 * written, or because this one has removed rows or optimised the table.
 */
export function createRowRecord(): RowRecord {
  let knownRows: { version: number; readonly ids: Set<string> } | null = null;
  let hasChecked = false;
  return {
    async canInsertAsNew(table, rows) {
      const version = await table.version();
      if (!hasChecked && (await table.countRows()) === 0) knownRows = { version, ids: new Set() };
      hasChecked = true;
      if (knownRows?.version !== version) knownRows = null;
      return (
        knownRows !== null &&
        new Set(rows.map(({ id }) => id)).size === rows.length &&
        !rows.some(({ id }) => knownRows!.ids.has(id))
      );
    },
    async noteWritten(table, rows) {
      if (!knownRows) return;
      for (const { id } of rows) knownRows.ids.add(id);
      knownRows.version = await table.version();
    },
  };
}
