// SQLite in the oldest Node that is supported: properties that are not there yet say nothing, and what depends on them
// holds all the same.

import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeDatabase, rollBack, waitWhenBusy } from '../../server/src/adapters/sqlite/olderNode.ts';
import { createPart } from '../helpers/createPart.ts';

let database: DatabaseSync;
beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE rows (n INTEGER)');
});
afterEach(() => closeDatabase(database));

/** As Node 22.13 has it. */
const older = () => ({ exec: (sql: string) => database.exec(sql), close: () => database.close() }) as DatabaseSync;
const count = () => database.prepare('SELECT count(*) AS n FROM rows').get();

describe.each([
  ['this Node', () => database],
  ['an older one', older],
])('%s', (_name, given) => {
  test('an open transaction is rolled back, and another can begin', () => {
    database.exec('BEGIN IMMEDIATE; INSERT INTO rows VALUES (1)');
    rollBack(given());
    expect(count()).toEqual({ n: 0 });
    database.exec('BEGIN IMMEDIATE; COMMIT');
  });

  test('where none is open, nothing happens', () => {
    database.exec('INSERT INTO rows VALUES (1)');
    rollBack(given());
    expect(count()).toEqual({ n: 1 });
  });

  test('it is closed once', () => {
    closeDatabase(given());
    closeDatabase(given());
    expect(() => database.exec('SELECT 1')).toThrow(/not open/);
  });

  test('it waits for others', () => {
    waitWhenBusy(given(), 1234);
    expect(database.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 1234 });
  });
});

test('other trouble is not swallowed', () => {
  const trouble = new Error('Something else');
  const failing = createPart<DatabaseSync>({
    exec: () => {
      throw trouble;
    },
    close: () => {
      throw trouble;
    },
  });
  expect(() => rollBack(failing)).toThrow(trouble);
  expect(() => closeDatabase(failing)).toThrow(trouble);
});
