// Reads from a ledger which proposers were asked lately, without writing to it.

import { existsSync } from 'node:fs';
import { parseJsonOrNull } from '../../util/parseJson.ts';
import { isRecord } from '../../util/values/isRecord.ts';

/** A question, as far as it tells whether a model was loaded for it. */
export interface AskedProposer {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly proposer: string;
  /** See `AskedData.loads`; null if it is unknown. */
  readonly loads: boolean | null;
}

/**
 * The questions since this time, oldest first; none if there is no such file. The chain of events is not checked.
 * Rejects with the error of SQLite.
 */
export async function readAskedProposers(file: string, since: number): Promise<readonly AskedProposer[]> {
  if (!existsSync(file)) return [];
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database
      .prepare("SELECT at, data FROM events WHERE type = 'asked' AND at >= ? ORDER BY at")
      .all(since);
    return rows.flatMap(({ at, data }) => {
      const event = parseJsonOrNull(String(data));
      if (!isRecord(event) || typeof event.proposer !== 'string') return [];
      const loads = typeof event.loads === 'boolean' ? event.loads : null;
      return [{ at: Number(at), proposer: event.proposer, loads }];
    });
  } finally {
    database.close();
  }
}
