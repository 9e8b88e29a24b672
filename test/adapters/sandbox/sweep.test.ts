// What a killed process leaves behind is swept; what a living one uses is not.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { fingerprint, livingIn, sandboxOf, until, type SandboxOf } from './sandboxOf.ts';

const holder = join(import.meta.dirname, 'sandboxHolder.ts');

/** A process that opens a sandbox and runs something that never ends in it. */
async function hold(given: SandboxOf): Promise<{ readonly process: ChildProcess; readonly folder: string }> {
  const child = spawn(process.execPath, [holder, given.repository.dir, given.stateDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return { process: child, folder: dirname(line) };
}

const sandboxes = (given: SandboxOf) => readdir(join(given.stateDir, 'sandboxes'));

test('after kill -9 a sweep removes the sandbox and ends what ran in it; the user’s repository is untouched', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  await given.repository.git('worktree', 'add', '--quiet', '--detach', join(given.stateDir, 'theirs'));
  const worktrees = await given.repository.git('worktree', 'list');
  const before = await fingerprint(given.repository.dir);
  const killed = await hold(given);
  const living = await hold(given);
  expect(await given.sandbox.removeAbandoned()).toBe(0);

  killed.process.kill('SIGKILL');
  await once(killed.process, 'exit');
  expect(await sandboxes(given)).toHaveLength(2);
  expect(await given.sandbox.removeAbandoned()).toBe(1);
  expect(await sandboxes(given)).toHaveLength(1);
  await until(async () => (await livingIn(killed.folder)).length === 0);
  expect(await livingIn(living.folder)).not.toEqual([]);
  expect(await given.repository.git('worktree', 'list')).toBe(worktrees);
  expect(await fingerprint(given.repository.dir)).toEqual(before);
  await given.repository.git('fsck', '--strict');

  living.process.kill('SIGKILL');
  await once(living.process, 'exit');
  expect(await given.sandbox.removeAbandoned()).toBe(1);
  expect(await sandboxes(given)).toEqual([]);
});

test('a process number that was given out again is not taken for the owner', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  const folder = join(given.stateDir, 'sandboxes', 's-1');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'owner.json'), JSON.stringify({ pid: process.pid, started: 'another boot 1' }));
  expect(await given.sandbox.removeAbandoned()).toBe(1);
});

test('a folder without an owner is left while it is young, and swept when it is old', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  const folder = join(given.stateDir, 'sandboxes', 's-1');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'owner.json'), '{"pid": 1');
  expect(await given.sandbox.removeAbandoned()).toBe(0);
  const hourAgo = new Date(Date.now() - 3_600_000);
  await utimes(folder, hourAgo, hourAgo);
  expect(await given.sandbox.removeAbandoned()).toBe(1);
});

test('there is nothing to sweep where there never was a sandbox', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  expect(await given.sandbox.removeAbandoned()).toBe(0);
});
