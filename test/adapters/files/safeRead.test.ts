// Reading the bytes of a repository: what is no file of it is refused at once, also what becomes none meanwhile.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { copyRegularSync, readInside, readInsideSync } from '../../../server/src/adapters/files/safeRead.ts';
import { createWorkingTree } from '../../../server/src/adapters/files/workingTree.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';

let outer: TemporaryRepository;
let root: string;

beforeEach(async () => {
  outer = await createTemporaryRepository({ 'root/folder/a.txt': 'ours', 'outside/a.txt': 'secret' }, { git: false });
  root = join(outer.dir, 'root');
});
afterEach(() => outer.dispose());

const readers = {
  readInsideSync: async (path: string) => readInsideSync(root, path),
  readInside: async (path: string) => readInside(root, path),
  'the working tree': async (path: string) => (await createWorkingTree(root)).read(path),
};

describe.each(Object.entries(readers))('%s', (_, reads) => {
  it('gives the bytes of a file, and null for what is not there or outside', async () => {
    symlinkSync('../outside/a.txt', join(root, 'link.txt'));
    symlinkSync('folder/a.txt', join(root, 'inside.txt'));
    const paths = [
      'folder/a.txt',
      'inside.txt',
      'link.txt',
      'gone.txt',
      '../outside/a.txt',
      '/etc/hostname',
      'folder/a.txt/b',
    ];
    const bytes = await Promise.all(paths.map(reads));
    expect(bytes.map((one) => one && new TextDecoder().decode(one))).toEqual([
      'ours',
      'ours',
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it('refuses a pipe, a device, a folder and a file without an end, without waiting', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    // A file of no blocks: nothing is read of it, or this would take a gigabyte.
    writeFileSync(join(root, 'huge'), '');
    truncateSync(join(root, 'huge'), 1024 ** 4);
    for (const path of ['pipe', 'huge', 'folder'])
      await expect(reads(path)).rejects.toMatchObject({ reason: 'unreadable' });
  });
});

test('of a folder that is swapped for a link again and again, never a byte of what lies outside is read', async () => {
  const swapping = await swapFolder();
  const seen = new Set<string>();
  try {
    const isDone = () => swapping.exitCode !== null;
    while (!isDone()) {
      for (let at = 0; at < 200; at += 1) seen.add(textOrTrouble(() => readInsideSync(root, 'folder/a.txt')));
      for (let at = 0; at < 20; at += 1)
        seen.add(await readInside(root, 'folder/a.txt').then(decoded, () => 'refused'));
    }
  } finally {
    swapping.kill('SIGKILL');
  }
  expect(seen).not.toContain('secret');
  expect(seen).toContain('ours');
});

test('a copy is of a regular file and of nothing else, with its mode', () => {
  execFileSync('mkfifo', [join(root, 'pipe')]);
  execFileSync('chmod', ['750', join(root, 'folder/a.txt')]);
  symlinkSync('../outside/a.txt', join(root, 'link'));
  copyRegularSync(join(root, 'folder/a.txt'), join(root, 'copy'));
  expect(readFileSync(join(root, 'copy'), 'utf8')).toBe('ours');
  expect(lstatSync(join(root, 'copy')).mode & 0o777).toBe(0o750);
  for (const other of ['pipe', 'link', 'folder']) {
    expect(() => copyRegularSync(join(root, other), join(root, `${other}.copy`))).toThrow('is not a file');
    expect(existsSync(join(root, `${other}.copy`))).toBe(false);
  }
});

test('rules of what is ignored are not read through a link that leads outside', async () => {
  writeFileSync(join(outer.dir, 'outside/rules'), 'b.ts\n');
  for (const name of ['a.ts', 'b.ts']) writeFileSync(join(root, name), '');
  const walked = async () => {
    const { files, skipped } = await (await createWorkingTree(root)).walk(
      { maxBytes: 1000, exclude: [] },
      new AbortController().signal,
    );
    return { files: files.map(({ path }) => path).filter((path) => path.endsWith('.ts')), skipped };
  };
  symlinkSync('../outside/rules', join(root, '.selfwareignore'));
  const expected = { path: '.selfwareignore', reason: 'symlink out of the repository' };
  expect(await walked()).toMatchObject({
    files: ['a.ts', 'b.ts'],
    skipped: expect.arrayContaining([expected]) as unknown,
  });
  rmSync(join(root, '.selfwareignore'));
  writeFileSync(join(root, '.selfwareignore'), 'b.ts\n');
  expect(await walked()).toMatchObject({ files: ['a.ts'] });
});

/** A process that swaps `folder` for a link to what lies outside, and back, for a while. */
async function swapFolder(): Promise<ChildProcess> {
  const script = `
    const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
    process.stdout.write('begun');
    for (const end = Date.now() + 3000; Date.now() < end; ) {
      renameSync('folder', 'away'); symlinkSync('../outside', 'folder');
      unlinkSync('folder'); renameSync('away', 'folder');
    }`;
  const child = spawn(process.execPath, ['-e', script], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

function textOrTrouble(ask: () => Uint8Array | null): string {
  try {
    return decoded(ask());
  } catch {
    return 'refused';
  }
}

function decoded(bytes: Uint8Array | null): string {
  return bytes === null ? 'nothing' : new TextDecoder().decode(bytes);
}
