// Selfware's own files of a repository: where they may lie, and that they are whole.

import { mkdir, mkdtemp, readFile, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTeamFiles } from '../../../server/src/adapters/files/teamFiles.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'selfware-team-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const bytes = (text: string) => new TextEncoder().encode(text);

test('writes, replaces, removes, and leaves nothing else behind', async () => {
  const team = createTeamFiles(root);
  await team.write('.selfware/baseline.json', bytes('one'));
  await team.write('.selfware/baseline.json', bytes('two'));
  expect(await readFile(join(root, '.selfware/baseline.json'), 'utf8')).toBe('two');
  expect((await stat(join(root, '.selfware/baseline.json'))).mode & 0o777).toBe(0o644);
  expect(await readdir(join(root, '.selfware'))).toEqual(['baseline.json']);
  await team.write('.selfware/baseline.json', null);
  await team.write('.selfware/baseline.json', null);
  expect(await readdir(join(root, '.selfware'))).toEqual([]);
});

test.each([
  'baseline.json',
  '.selfware/../a.json',
  '.selfware/a/b.json',
  '/etc/a.json',
  '.selfware',
  '.selfware/a\0.json',
  'src/.selfware/a.json',
])('not at %j', async (path) => {
  await expect(createTeamFiles(root).write(path, bytes('x'))).rejects.toMatchObject({ reason: 'forbidden' });
  expect(await readdir(root)).toEqual([]);
});

test('not through links', async () => {
  const team = createTeamFiles(root);
  await mkdir(join(root, 'other'));
  await symlink(join(root, 'other'), join(root, '.selfware'));
  await expect(team.write('.selfware/baseline.json', bytes('x'))).rejects.toMatchObject({ reason: 'forbidden' });
  await rm(join(root, '.selfware'));
  await mkdir(join(root, '.selfware'));
  await writeFile(join(root, 'other', 'mine'), 'mine');
  await symlink(join(root, 'other', 'mine'), join(root, '.selfware', 'baseline.json'));
  await expect(team.write('.selfware/baseline.json', bytes('x'))).rejects.toMatchObject({ reason: 'forbidden' });
  expect(await readFile(join(root, 'other', 'mine'), 'utf8')).toBe('mine');
});

test('a file in the way is told', async () => {
  await writeFile(join(root, '.selfware'), 'a file');
  await expect(createTeamFiles(root).write('.selfware/baseline.json', bytes('x'))).rejects.toMatchObject({
    reason: 'writeFailed',
  });
});

test('a folder that becomes a link while it is written leads nowhere', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'selfware-outside-'));
  try {
    await mkdir(join(root, '.selfware'));
    const team = createTeamFiles(root);
    const swapping = (async () => {
      for (let time = 0; time < 200; time += 1) {
        await rm(join(root, '.selfware'), { recursive: true, force: true });
        await symlink(outside, join(root, '.selfware')).catch(() => undefined);
        await rm(join(root, '.selfware'), { recursive: true, force: true });
        await mkdir(join(root, '.selfware')).catch(() => undefined);
      }
    })();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, () => team.write('.selfware/baseline.json', bytes('x'))),
    );
    await swapping;
    expect(await readdir(outside)).toEqual([]);
    expect(outcomes).toHaveLength(100);
  } finally {
    await rm(outside, { recursive: true, force: true });
  }
});
