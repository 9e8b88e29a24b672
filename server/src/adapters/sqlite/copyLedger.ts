// Copies the ledger of a state folder, to which other processes may append meanwhile.

import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A copied database, with the number of its form as the program that made it has set it. */
export interface CopiedDatabase {
  readonly file: string;
  readonly form: number;
}

/** Copies the ledger and its texts, if there are any. Rejects with the error of SQLite or of the file system. */
export async function copyLedger(from: string, to: string): Promise<readonly CopiedDatabase[]> {
  // The head comes first: one that is behind its ledger is valid.
  const head = 'ledger.db.head';
  if (existsSync(join(from, head))) await copyFile(join(from, head), join(to, head));
  const copied: CopiedDatabase[] = [];
  for (const name of ['ledger.db', 'contents.db']) {
    if (!existsSync(join(from, name))) continue;
    await copyDatabase(join(from, name), join(to, name));
    copied.push({ file: join(to, name), form: await formOf(join(to, name)) });
  }
  return copied;
}

/** The number of the form of a database. */
export async function formOf(file: string): Promise<number> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
  } finally {
    database.close();
  }
}

async function copyDatabase(from: string, to: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(from, { readOnly: true });
  try {
    // VACUUM INTO copies one snapshot, in all supported versions of Node.
    database.prepare('VACUUM INTO ?').run(to);
  } finally {
    database.close();
  }
}
