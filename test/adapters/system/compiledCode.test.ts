// What is kept of compiled code is a convenience: its folder may be in any state.

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const cli = join(import.meta.dirname, '..', '..', '..', 'dist', 'cli.js');
let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'selfware-code-'));
});

afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

function version(cwd?: string): string {
  const { NODE_DISABLE_COMPILE_CACHE: _, ...rest } = process.env;
  const env = { ...rest, SELFWARE_HOME: home };
  return execFileSync(process.execPath, [cli, '--version'], { env, encoding: 'utf8', ...(cwd && { cwd }) });
}

test('it is kept by build, read again, and forgotten when nothing has run from it for long', async () => {
  await mkdir(join(home, 'code', 'old'), { recursive: true });
  await mkdir(join(home, 'code', 'young'));
  await utimes(join(home, 'code', 'old'), 0, 0);
  const said = version();
  const names = await readdir(join(home, 'code'));
  expect(names).toContain('young');
  expect(names).not.toContain('old');
  expect(names.length).toBe(2);
  expect(version()).toBe(said);
});

test('what is damaged is not believed', async () => {
  const said = version();
  for (const entry of await readdir(join(home, 'code'), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) await writeFile(join(entry.parentPath, entry.name), 'no code at all');
  expect(version()).toBe(said);
});

test.each(['a repository', 'the folder it starts in'])('nothing compiled is taken from %s', async (what) => {
  if (what === 'a repository') await mkdir(join(home, '.git'));
  version(what === 'a repository' ? tmpdir() : home);
  expect(await readdir(home)).not.toContain('code');
});

test('a file in its place, or in the place of all state, keeps nothing from running', async () => {
  await writeFile(join(home, 'code'), 'x');
  expect(version()).toMatch(/^\d+\.\d+\.\d+/);
  await rm(home, { recursive: true });
  await writeFile(home, 'x');
  expect(version()).toMatch(/^\d+\.\d+\.\d+/);
});
