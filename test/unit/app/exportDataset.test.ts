// Where a dataset is written: to no repository, not even through a link, and over no file of a person.

import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exportDataset } from '../../../server/src/app/training/exportDataset.ts';
import { createDataset } from '../../../server/src/core/learn/training/dataset.ts';

let folder: string;
let rootDir: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'selfware-export-')));
  rootDir = join(folder, 'repository');
  await mkdir(rootDir);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const NAMES = ['heldout.jsonl', 'refused.jsonl', 'train.jsonl'];
const exportTo = (to: string | null) =>
  exportDataset(
    { dataset: async () => ({ dataset: createDataset([]), leftOut: 0 }) },
    { rootDir, env: { SELFWARE_HOME: join(folder, 'state') }, to },
  );

test.each([
  ['the repository', 'repository'],
  ['a link to it', 'link'],
  ['a folder to be made behind such a link', 'link/data/more'],
])('nothing is written to %s', async (_what, to) => {
  await symlink(rootDir, join(folder, 'link'));
  await expect(exportTo(join(folder, to))).rejects.toMatchObject({
    reason: 'usage',
    message: expect.stringContaining('lies in a repository'),
  });
  expect(await readdir(rootDir)).toEqual([]);
});

test('the repository is not written to if it is named through a link, either', async () => {
  const link = join(folder, 'link');
  await symlink(rootDir, link);
  const to = join(rootDir, 'data');
  [rootDir] = [link];
  await expect(exportTo(to)).rejects.toMatchObject({ reason: 'usage' });
});

test.each(NAMES)('an existing %s stays as it is, and nothing is written beside it', async (name) => {
  const to = join(folder, 'mine');
  await mkdir(to);
  await writeFile(join(to, name), 'mine');
  await expect(exportTo(to)).rejects.toMatchObject({ reason: 'usage', message: expect.stringContaining(name) });
  expect(await readdir(to)).toEqual([name]);
  expect(await readFile(join(to, name), 'utf8')).toBe('mine');
});

test('a folder with other files gets the three files; the one of Selfware may be written again', async () => {
  const to = join(folder, 'mine');
  await mkdir(to);
  await writeFile(join(to, 'notes.txt'), '');
  await exportTo(to);
  expect((await readdir(to)).toSorted()).toEqual([...NAMES, 'notes.txt'].toSorted());
  const { folder: own } = await exportTo(null);
  expect(await exportTo(null)).toMatchObject({ folder: own });
  expect((await readdir(own)).toSorted()).toEqual(NAMES);
});
