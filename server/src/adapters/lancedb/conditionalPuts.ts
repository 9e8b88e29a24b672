// Tests whether a bucket rejects one of two writers that write the same file at the same time. If it accepts both, the
// rows of one are lost.

import type { Connection } from '@lancedb/lancedb';
import { randomUUID } from 'node:crypto';
import { SelfwareError } from '../../util/typedError.ts';

/**
 * Number of writers in one round. All begin with the same version of the table; of those that write the same next
 * version, one row is kept.
 */
const WRITER_COUNT = 4;
/**
 * Number of rounds. One is not enough: on a busy machine, its writers may happen to write one after the other, so that
 * no row is lost.
 */
const ROUND_COUNT = 3;

/**
 * Lets several writers add a row to a new table at the same time, and counts how many confirmed rows are left. This
 * tests the behaviour itself, not a header, so it also finds servers that check first and write a moment later. Throws
 * `unavailable` with the reason if rows are lost, and the errors of the library.
 */
export async function requireConditionalPuts(connection: Connection): Promise<void> {
  // Named like the tables of chunks, so that leftovers of a killed test are removed with old tables.
  const name = `chunks-probe-${randomUUID()}`;
  try {
    await connection.createTable(name, [{ id: 'first' }]);
  } catch (error) {
    // A user who may only read cannot lose rows.
    if (isForbidden(error)) return;
    throw error;
  }
  try {
    let confirmedCount = 1;
    for (let round = 0; round < ROUND_COUNT; round += 1) {
      const tables = await Promise.all(Array.from({ length: WRITER_COUNT }, () => connection.openTable(name)));
      const outcomes = await Promise.allSettled(tables.map((table, index) => table.add([{ id: `writer ${index}` }])));
      confirmedCount += outcomes.filter(({ status }) => status === 'fulfilled').length;
      const remainingCount = await (await connection.openTable(name)).countRows();
      if (remainingCount < confirmedCount) throw createLossError(confirmedCount, remainingCount);
    }
  } finally {
    // An error here must not hide the one above.
    await connection.dropTable(name).catch(() => undefined);
  }
}

function isForbidden(error: unknown): boolean {
  return /\b403\b|AccessDenied|Forbidden/i.test(String(error));
}

function createLossError(confirmedCount: number, remainingCount: number): SelfwareError {
  const figures = `of ${confirmedCount} rows that it had confirmed, ${remainingCount} were left`;
  const message = `It ignores conditional puts (If-None-Match): ${figures}.`;
  const action = 'Use a server that honours them, or clear index.store.';
  return new SelfwareError('unavailable', message, { action });
}
