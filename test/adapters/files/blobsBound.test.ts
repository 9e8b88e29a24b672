// Blobs stay below a bound, and are whole or absent, whoever writes them.

import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBlobs } from '../../../server/src/adapters/files/blobs.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-blobs-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const bytes = (length: number, value = 1) => new Uint8Array(length).fill(value);

test('all together stay below the limit: those written longest ago go', async () => {
  const blobs = createBlobs(dir, undefined, 100);
  for (const [at, name] of ['oldest', 'older', 'old'].entries()) {
    await blobs.write(name, bytes(30));
    await utimes(join(dir, 'derived', name), at + 1, at + 1);
  }
  await blobs.write('new', bytes(40));
  expect((await readdir(join(dir, 'derived'))).sort()).toEqual(['new', 'old', 'older']);
});

test('what a killed writer left is cleared away, what one is writing is not', async () => {
  const blobs = createBlobs(dir);
  await blobs.write('a', bytes(1));
  for (const name of ['a.dead.tmp', 'a.live.tmp']) await writeFile(join(dir, 'derived', name), bytes(1));
  await utimes(join(dir, 'derived', 'a.dead.tmp'), 1, 1);
  await blobs.write('b', bytes(1));
  expect((await readdir(join(dir, 'derived'))).sort()).toEqual(['a', 'a.live.tmp', 'b']);
});

test('readers see the old bytes or the new ones while they are written over and over', async () => {
  const blobs = createBlobs(dir);
  await blobs.write('a', bytes(50_000, 0));
  const writing = (async () => {
    for (let value = 1; value <= 30; value++) await blobs.write('a', bytes(50_000, value));
  })();
  for (let time = 0; time < 60; time++) {
    const read = (await blobs.read('a'))!;
    expect(read.byteLength).toBe(50_000);
    expect(new Set(read).size).toBe(1);
  }
  await writing;
});
