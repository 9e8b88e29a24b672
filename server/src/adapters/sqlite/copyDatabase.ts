// Copies a database file that other processes may write meanwhile.

import { existsSync } from 'node:fs';

/** Copies the database. Does nothing if there is none. Rejects with the error of SQLite. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(from, { readOnly: true });
  try {
    // VACUUM INTO works on one snapshot, and in all supported versions of Node.
    database.prepare('VACUUM INTO ?').run(to);
  } finally {
    database.close();
  }
}

/** The number of the form of a database, as the program that made it has set it. */
export async function formOf(file: string): Promise<number> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
  } finally {
    database.close();
  }
}
