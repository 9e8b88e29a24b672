// The virtual environment of Python in a repository: commands see its programs, whether or not it is active.

import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withVirtualEnvironment } from '../../../server/src/adapters/sandbox/environment.ts';
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
  expect(withVirtualEnvironment(outer, [dir])).toBe(outer);
  await createEnvironment(join(dir, 'venv'));
  const found = { PATH: `${join(dir, 'venv', 'bin')}:/usr/bin`, VIRTUAL_ENV: join(dir, 'venv') };
  expect(withVirtualEnvironment(outer, [dir])).toEqual(found);
  const active = { ...outer, VIRTUAL_ENV: '/other' };
  expect(withVirtualEnvironment(active, [dir])).toBe(active);
});
