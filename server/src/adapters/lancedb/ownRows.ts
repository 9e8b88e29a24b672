// Tells whose rows a table holds. While all are ours, new rows are appended without checking the others, which would
// double the cost.

import type { Table } from '@lancedb/lancedb';

type Row = { readonly id: string };

/** To be asked and told while nobody else may write. */
export interface OwnRows {
  /** Whether it is certain that none of these rows is there, and none comes twice. */
  areNew(table: Table, rows: readonly Row[]): Promise<boolean>;
  /** After they were written. */
  wrote(table: Table, rows: readonly Row[]): Promise<void>;
}

/** Begins with an empty table; any version that is not of our making ends it. */
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
