// Small derived files.

import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBlobs } from '../../../server/src/adapters/files/blobs.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-blobs-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test('what was written last is read, whole, also by another process', async () => {
  const blobs = createBlobs(dir);
  expect(await blobs.read('a.bin')).toBeNull();
  await blobs.write('a.bin', new Uint8Array([1, 2, 3]));
  await blobs.write('a.bin', new Uint8Array([4]));
  expect([...(await createBlobs(dir).read('a.bin'))!]).toEqual([4]);
  expect(await readdir(join(dir, 'derived'))).toEqual(['a.bin']);
});

test('names that lead elsewhere are refused', async () => {
  for (const name of ['../a', '', 'A', 'a/b', '.a'])
    await expect(createBlobs(dir).write(name, new Uint8Array())).rejects.toMatchObject({ reason: 'internal' });
});

test('what cannot be kept or read costs a line in the log and nothing else', async () => {
  const said: string[] = [];
  const blobs = createBlobs(dir, { write: (level, message) => void said.push(`${level}: ${message}`) }, 100);
  await blobs.write('large.bin', new Uint8Array(101));
  expect(await blobs.read('large.bin')).toBeNull();
  await mkdir(join(dir, 'derived', 'folder.bin'), { recursive: true });
  expect(await blobs.read('folder.bin')).toBeNull();
  await writeFile(join(dir, 'derived-file'), '');
  await rm(join(dir, 'derived'), { recursive: true });
  await writeFile(join(dir, 'derived'), 'a file where the folder should be');
  await blobs.write('a.bin', new Uint8Array([1]));
  expect(said).toEqual([
    expect.stringMatching(/^info: large.bin is not kept/),
    expect.stringMatching(/^warn: folder.bin cannot be read/),
    expect.stringMatching(/^warn: a.bin cannot be kept/),
  ]);
});
