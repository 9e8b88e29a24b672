// Copies the ledger of a state folder, to which other processes may append meanwhile.

import { existsSync } from 'node:fs';
import { copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFullAction, SelfwareError } from '../../util/typedError.ts';
import { measureFreeRoom } from '../system/freeRoom.ts';

const DATABASE_NAMES = ['ledger.db', 'contents.db'];

/** A copied database, with its schema version (`user_version`). */
export interface CopiedDatabase {
  readonly file: string;
  readonly form: number;
}

/**
 * Copies the ledger and its texts, if there are any. `measureFreeBytes` returns the number of free bytes in a folder. Throws
 * `diskFull` before anything is copied; rejects with the error of SQLite or of the file system.
 */
export async function copyLedger(
  from: string,
  to: string,
  measureFreeBytes = measureFreeRoom,
): Promise<readonly CopiedDatabase[]> {
  await requireRoom(from, to, measureFreeBytes);
  // The head is copied first, because a head that is behind its ledger is valid.
  const head = 'ledger.db.head';
  if (existsSync(join(from, head))) await copyFile(join(from, head), join(to, head));
  const copied: CopiedDatabase[] = [];
  for (const name of DATABASE_NAMES) {
    if (!existsSync(join(from, name))) continue;
    await copyDatabase(join(from, name), join(to, name));
    copied.push({ file: join(to, name), form: await readSchemaVersion(join(to, name)) });
  }
  return copied;
}

/** The schema version of a database, which its program keeps in SQLite's `user_version`. */
export async function readSchemaVersion(file: string): Promise<number> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
  } finally {
    database.close();
  }
}

/**
 * Throws `diskFull` unless there is room for two copies: one for this copy, and as much again for the run that works
 * meanwhile.
 */
async function requireRoom(from: string, to: string, measureFreeBytes: typeof measureFreeRoom): Promise<void> {
  const sizes = await Promise.all(
    DATABASE_NAMES.map(async (name) => (await stat(join(from, name)).catch(() => null))?.size ?? 0),
  );
  const needed = 2 * sizes.reduce((sum, size) => sum + size, 0);
  if (needed === 0 || ((await measureFreeBytes(to)) ?? Infinity) >= needed) return;
  throw new SelfwareError('diskFull', `The disk has no room for a copy of the ledger in ${from}.`, {
    action: diskFullAction(to),
  });
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
