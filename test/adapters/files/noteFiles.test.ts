// Text files in the state folder: each write keeps a copy, few of them, and none for long.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createNoteFiles } from '../../../server/src/adapters/files/noteFiles.ts';
import { createMemoryClock } from '../../helpers/memoryClock.ts';

const DAY = 24 * 3_600_000;
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-notes-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));
const copies = async () => (await readdir(join(dir, 'backups'))).toSorted();

test('at most five copies are kept, and none older than seven days', async () => {
  const clock = createMemoryClock();
  const notes = createNoteFiles(dir, clock);
  expect(await notes.read('CODE.md')).toBeNull();
  for (let n = 0; n < 9; n += 1) {
    await notes.write('CODE.md', `text ${n}`);
    clock.advance(60_000);
  }
  expect(await notes.read('CODE.md')).toBe('text 8');
  const kept = await copies();
  expect(kept).toHaveLength(5);
  expect(await Promise.all(kept.map((name) => readFile(join(dir, 'backups', name), 'utf8')))).toEqual(
    [3, 4, 5, 6, 7].map((n) => `text ${n}`),
  );
  clock.advance(8 * DAY);
  await notes.write('CODE.md', 'new');
  expect(await copies()).toHaveLength(1);
});

test('a name leads nowhere else', async () => {
  const notes = createNoteFiles(dir, createMemoryClock());
  for (const name of ['../x.md', 'a/b.md', 'CODE.txt', 'history/../x.md'])
    await expect(notes.write(name, 'x')).rejects.toMatchObject({ reason: 'internal' });
});
