// Defines the table of the ledger, and the triggers that allow only appending.

import type { DatabaseSync } from 'node:sqlite';
import { SelfwareError } from '../../util/typedError.ts';

const FORMAT_VERSION = 1;

const SCHEMA_OBJECTS: Readonly<Record<string, string>> = {
  events:
    'CREATE TABLE events (sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at REAL NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL) STRICT',
  events_by_type: 'CREATE INDEX events_by_type ON events (type, sequence)',
  events_are_not_altered:
    "CREATE TRIGGER events_are_not_altered BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END",
  events_are_not_deleted:
    "CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END",
  // REPLACE deletes without calling the trigger above.
  events_go_to_the_end:
    "CREATE TRIGGER events_go_to_the_end BEFORE INSERT ON events WHEN NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM events) OR EXISTS (SELECT 1 FROM events WHERE id = NEW.id) BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END",
};

/**
 * Checks the schema of a database. `none`: the database was never used. Otherwise a sentence about the flaw, or null if
 * there is none. Throws `unavailable` if a newer version has written it.
 */
export function explainSchemaFlaw(database: DatabaseSync): 'none' | string | null {
  const version = (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
  if (version > FORMAT_VERSION)
    throw new SelfwareError('unavailable', 'The ledger was written by a newer Selfware.', {
      action: 'Update Selfware.',
    });
  const rows = database.prepare("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").all() as {
    name: string;
    sql: string;
  }[];
  if (rows.length === 0 && version === 0) return 'none';
  const sqlByName = new Map(rows.map(({ name, sql }) => [name, sql]));
  const mismatch = Object.entries(SCHEMA_OBJECTS).find(([name, sql]) => sqlByName.get(name) !== sql);
  return mismatch ? `The definition of ${mismatch[0]} is missing or was altered.` : null;
}

/** Creates the table and its triggers. Call it inside a transaction. */
export function createSchema(database: DatabaseSync): void {
  for (const sql of Object.values(SCHEMA_OBJECTS)) database.exec(sql);
  database.exec(`PRAGMA user_version = ${FORMAT_VERSION}`);
}
