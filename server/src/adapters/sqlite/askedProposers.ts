// Reads from a ledger which proposers were asked lately, without writing to it.

import { existsSync } from 'node:fs';
import { parseJsonOrNull } from '../../util/parseJson.ts';
import { isRecord } from '../../util/values/isRecord.ts';

/**
 * The names of the proposers that were asked since this time; none if there is no such file. The chain of events is not
 * checked. Rejects with the error of SQLite.
 */
export async function readAskedProposers(file: string, since: number): Promise<readonly string[]> {
  if (!existsSync(file)) return [];
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database.prepare("SELECT data FROM events WHERE type = 'asked' AND at >= ?").all(since);
    const names = rows.flatMap(({ data }) => {
      const event = parseJsonOrNull(String(data));
      return isRecord(event) && typeof event.proposer === 'string' ? [event.proposer] : [];
    });
    return [...new Set(names)];
  } finally {
    database.close();
  }
}
