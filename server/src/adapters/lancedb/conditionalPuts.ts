// Tests whether a bucket decides between two writers. If it does not, both are told that they succeeded, and one loses
// its rows.

import type { Connection } from '@lancedb/lancedb';
import { randomUUID } from 'node:crypto';
import { SelfwareError } from '../../util/typedError.ts';

/** They all begin with the same version of the table; of those that end as the same next one, one row is kept. */
const WRITERS = 4;

/**
 * Lets several writers add a row to a new table at the same time, and counts what is left of what was confirmed. That
 * tries the promise itself and no header of an answer, so it also finds servers that look first and write a moment
 * later.
 * Throws `unavailable` with the reason when rows are gone, and what the library throws.
 */
export async function refuseWithoutConditionalPuts(connection: Connection): Promise<void> {
  // Named like the tables of chunks: what a killed probe leaves goes with those that nobody writes any longer.
  const name = `chunks-probe-${randomUUID()}`;
  try {
    await connection.createTable(name, [{ id: 'first' }]);
  } catch (error) {
    // Who may only read loses nothing.
    if (isForbidden(error)) return;
    throw error;
  }
  try {
    const tables = await Promise.all(Array.from({ length: WRITERS }, () => connection.openTable(name)));
    const written = await Promise.allSettled(tables.map((table, at) => table.add([{ id: `writer ${at}` }])));
    const confirmed = 1 + written.filter(({ status }) => status === 'fulfilled').length;
    const left = await (await connection.openTable(name)).countRows();
    if (left < confirmed) throw lossy(confirmed, left);
  } finally {
    // Its trouble must not hide the one above.
    await connection.dropTable(name).catch(() => undefined);
  }
}

function isForbidden(error: unknown): boolean {
  return /\b403\b|AccessDenied|Forbidden/i.test(String(error));
}

function lossy(confirmed: number, left: number): SelfwareError {
  const seen = `of ${confirmed} rows that it had confirmed, ${left} were left`;
  const message = `It ignores conditional puts (If-None-Match): ${seen}.`;
  const action = 'Use a server that honours them, or clear index.store.';
  return new SelfwareError('unavailable', message, { action });
}
