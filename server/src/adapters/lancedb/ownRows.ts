// Knows which rows a table holds. While all were written here, new rows are appended without checking the others, which
// would double the cost.

import type { Table } from '@lancedb/lancedb';

type Row = { readonly id: string };

/** To be called only while nobody else can write. */
export interface OwnRows {
  /** True if it is certain that the table has none of these rows, and that no row is repeated. */
  areNew(table: Table, rows: readonly Row[]): Promise<boolean>;
  /** To be called after these rows were written. */
  wrote(table: Table, rows: readonly Row[]): Promise<void>;
}

/** Starts with an empty table; a version written by somebody else ends the knowledge. */
export function createOwnRows(): OwnRows {
  let own: { version: number; readonly ids: Set<string> } | null = null;
  let isAsked = false;
  return {
    async areNew(table, rows) {
      const version = await table.version();
      if (!isAsked && (await table.countRows()) === 0) own = { version, ids: new Set() };
      isAsked = true;
      if (own?.version !== version) own = null;
      return (
        own !== null &&
        new Set(rows.map(({ id }) => id)).size === rows.length &&
        !rows.some(({ id }) => own!.ids.has(id))
      );
    },
    async wrote(table, rows) {
      if (!own) return;
      for (const { id } of rows) own.ids.add(id);
      own.version = await table.version();
    },
  };
}
