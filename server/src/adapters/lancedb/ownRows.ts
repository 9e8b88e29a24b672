// Records which rows a table holds. As long as this process wrote all of them, new rows are appended without checking
// the others, which would double the time.

import type { Table } from '@lancedb/lancedb';

type Row = { readonly id: string };

/** Call it only while nobody else can write. */
export interface OwnRows {
  /** True if it is certain that the table has none of these rows, and that no row is repeated. */
  areNew(table: Table, rows: readonly Row[]): Promise<boolean>;
  /** Call it after these rows were written. */
  wrote(table: Table, rows: readonly Row[]): Promise<void>;
}

/**
 * Creates the record. It knows the rows only if the table was empty at the first call, and until another process writes
 * a version.
 */
export function createOwnRows(): OwnRows {
  let known: { version: number; readonly ids: Set<string> } | null = null;
  let hasChecked = false;
  return {
    async areNew(table, rows) {
      const version = await table.version();
      if (!hasChecked && (await table.countRows()) === 0) known = { version, ids: new Set() };
      hasChecked = true;
      if (known?.version !== version) known = null;
      return (
        known !== null &&
        new Set(rows.map(({ id }) => id)).size === rows.length &&
        !rows.some(({ id }) => known!.ids.has(id))
      );
    },
    async wrote(table, rows) {
      if (!known) return;
      for (const { id } of rows) known.ids.add(id);
      known.version = await table.version();
    },
  };
}
