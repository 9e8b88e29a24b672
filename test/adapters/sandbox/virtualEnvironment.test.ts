// The virtual environment of Python in a repository: commands see its programs, whether or not it is active.

import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addVirtualEnvironment } from '../../../server/src/adapters/sandbox/environment.ts';
import { never, sandboxOf } from './sandboxOf.ts';

const FILES = { 'a.py': 'A = 1\n', '.gitignore': '.venv\nvenv\n' };

/** Creates a virtual environment with a program, as `python3 -m venv` and an installation would. */
async function createEnvironment(folder: string): Promise<void> {
  await mkdir(join(folder, 'bin'), { recursive: true });
  await mkdir(join(folder, 'lib'));
  await writeFile(join(folder, 'pyvenv.cfg'), 'home = /usr/bin\n');
  await writeFile(join(folder, 'lib', 'words.txt'), 'from the environment\n');
  await writeFile(join(folder, 'bin', 'tell-words'), `#!/bin/sh\ncat '${folder}/lib/words.txt'\n`);
  await chmod(join(folder, 'bin', 'tell-words'), 0o755);
  await symlink('/bin/sh', join(folder, 'bin', 'python'));
}

test.each(['.venv', 'venv'])('the programs of an inactive `%s` are found, with what they read', async (name) => {
  await using given = await sandboxOf(FILES);
  await createEnvironment(join(given.repository.dir, name));
  const worktree = await given.open();
  const result = await worktree.run({ command: ['tell-words'], timeoutMs: 10_000 }, never);
  expect(result).toMatchObject({ outcome: 'exited', exitCode: 0, stdout: 'from the environment\n' });
});

test('it cannot be written', async () => {
  await using given = await sandboxOf(FILES);
  const folder = join(given.repository.dir, '.venv');
  await createEnvironment(folder);
  const worktree = await given.open();
  const command = ['sh', '-c', `echo gone > '${folder}/lib/words.txt'; tell-words`];
  const result = await worktree.run({ command, timeoutMs: 10_000 }, never);
  expect(result.stdout).toBe('from the environment\n');
});

test('an active environment comes first, and a folder without its file is none', async () => {
  await using given = await sandboxOf(FILES);
  const { dir } = given.repository;
  await mkdir(join(dir, '.venv'));
  const outer = { PATH: '/usr/bin' };
  expect(addVirtualEnvironment(outer, [dir], () => false)).toBe(outer);
  await createEnvironment(join(dir, 'venv'));
  const found = { PATH: `${join(dir, 'venv', 'bin')}:/usr/bin`, VIRTUAL_ENV: join(dir, 'venv') };
  expect(addVirtualEnvironment(outer, [dir], () => false)).toEqual(found);
  const active = { ...outer, VIRTUAL_ENV: '/other' };
  expect(addVirtualEnvironment(active, [dir], () => false)).toBe(active);
});

test('one without a Python is none', async () => {
  await using given = await sandboxOf(FILES);
  const folder = join(given.repository.dir, '.venv');
  await createEnvironment(folder);
  await rm(join(folder, 'bin', 'python'));
  await symlink('/no/such/python', join(folder, 'bin', 'python'));
  const outer = { PATH: '/usr/bin' };
  expect(addVirtualEnvironment(outer, [given.repository.dir], () => false)).toBe(outer);
});

test('one that comes with the repository shows nothing that its links lead to', async () => {
  await using elsewhere = await sandboxOf({ python: '', secret: 'of the user\n' });
  const { dir } = elsewhere.repository;
  await using given = await sandboxOf({ 'a.py': 'A = 1\n', '.venv/pyvenv.cfg': 'home = /usr/bin\n' });
  await symlink(dir, join(given.repository.dir, '.venv', 'bin'));
  const worktree = await given.open();
  const result = await worktree.run({ command: ['cat', join(dir, 'secret')], timeoutMs: 10_000 }, never);
  expect(result.stdout).toBe('');
});
